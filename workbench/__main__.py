"""``python -m workbench``, and the entry point of the ``workbench`` command."""

import os
import sys
from collections.abc import Callable

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if __name__ == "__main__" and not sys.flags.safe_path and sys.path[0] == os.getcwd() != HERE:
    del sys.path[0]  # the working folder, a file of which would be imported in place of a library

from workbench.cli import guard  # noqa: E402
from workbench.homes import threads  # noqa: E402


def main() -> None:
    """Runs the command line; imported late, since an interrupt may come while it is imported."""
    threads.one_each()
    os.environ["MPLBACKEND"] = "Agg"  # files only; what a notebook's kernel has set may be missing here
    guard.run(_app)


def _app() -> Callable[..., object]:
    from workbench.cli import answers

    if sys.argv[1:2] in (["verify"], ["figures"]) and (status := answers.begin(sys.argv[1:])) is not None:
        return lambda **_: status
    answers.watch()
    from workbench.cli import commands

    return commands.application(*sys.argv[1:2])


if __name__ == "__main__":
    main()
