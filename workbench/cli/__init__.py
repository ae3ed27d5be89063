"""The commands of the command line, one module each under its name; `workbench.cli.commands` puts them together.

In: words of the command line, parsed by Typer. Out: tables and sentences on the terminal, files that were asked for,
and an exit status. Nothing is decided here: a command asks the other rooms, which it imports when it is called, so that
``workbench --help`` loads neither NumPy nor a paper. One command, ``workbench verify KEY --json FILE``, followed
through::

    guard.run(...)                        `guard`: streams that may be closed, and errors that nobody foresaw
    Commands, in_sentences(verify)        `usage`: a mistake of the user is one sentence and exit status 2
    verify(options, keys, ...)            `verify`, with the shared `options`, of which `simulates` makes `Options`
    check_file(FILE)                      `documents`: before hours of computing; `written` at the end
    with Bars() as bars: ...              `progress`: bars on a terminal, while `workbench.verdicts.verify` collects
    evidence stdout(), warn(...), fail(...)        `console`: what is said, and where

Beside the commands lie what only one of them shows: `entries` and `instance_list`, for `list`.
"""
