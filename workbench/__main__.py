"""``python -m workbench``, and the entry point of the ``workbench`` command."""

from collections.abc import Callable

from workbench import threads
from workbench.commands import guard


def main() -> None:
    """Runs the command line; imported late, since an interrupt may come while it is imported."""
    threads.one_each()
    guard.run(_app)


def _app() -> Callable[..., object]:
    from workbench.cli import app

    return app


if __name__ == "__main__":
    main()
