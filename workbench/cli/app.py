"""The command line with every command, for programs that call it in their own process."""

from workbench.cli import commands, guard

app = commands.application()


def main() -> None:
    """Runs the command line in this process; the entry point is `workbench.__main__`."""
    guard.run(lambda: app)
