"""Answers of earlier calls, given again before anything is imported, while nothing that they were made from is another.

An answer is what a command printed, its exit status, and the document that it wrote. It is kept under the command's
words, the folder, the environment and the terminal, and counts while every file has the size and the times that it
had: of the library, the papers, their modules elsewhere and the files that these have read, the results, certificates
and figures; and while the installed libraries are the same. It is not kept where a file is younger than the call (it
may have changed since it was read), where anything was warned of, or where a paper of one's own asks for the time, the
environment or the network.

Answers lie in the user's cache folder, which is trusted as programs are, one file each.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any

from workbench.homes import disk, libraries, papers

FOLDER = "answers"  # in the user's cache folder
MOST = 64  # answers; the oldest go
LARGEST = 64 << 20  # bytes of an answer
MARGIN = 50_000_000  # nanoseconds by which a file must be older than the call: a clock of files is coarse
COARSE = 2_000_000_000  # the same where times are whole seconds
AUDITED = ("open", "os.listdir", "os.scandir", "socket.connect", "socket.getaddrinfo", "subprocess.Popen")
KERNEL = re.compile("k_[0-9a-f]{24}")  # as `workbench.engine.kernels` names them
VOLATILE = ("_", "OLDPWD", "SHLVL", "WINDOWID")  # variables of the environment on which no command depends
# Names in the code of a paper that may give other values at another time, though no file is another.
UNSTEADY = frozenset(
    {
        "check_output",
        "environ",
        "environb",
        "getenv",
        "gethostname",
        "getpid",
        "monotonic",
        "now",
        "perf_counter",
    }
    | {
        "popen",
        "system",
        "time",
        "time_ns",
        "today",
        "token_bytes",
        "token_hex",
        "urandom",
        "utcnow",
        "uuid1",
        "uuid4",
    }
)


@dataclass
class _Call:
    """The command of this process. place: of its answer. opened: files that modules from elsewhere have read."""

    place: Path
    began: int = field(default_factory=time.time_ns)
    is_spoiled: bool = False
    opened: set[str] = field(default_factory=set)


_call: _Call | None = None  # None: not called as a command


def begin(words: list[str]) -> int | None:
    """Prints what was answered before to these words and returns the status; None where there is no such answer."""
    global _call
    try:
        _call = _Call(_place(words))
        answer = json.loads(disk.read(_call.place, LARGEST))
        if answer["made_from"] != _states(answer["folders"], answer["files"]):
            return None
        status = int(answer["status"])
        for name, text in answer["documents"].items():
            disk.replace(Path(name), text.encode())
    except (OSError, ValueError, KeyError, TypeError):
        return None
    sys.stdout.write(answer["printed"])
    return status


def watch() -> None:
    """Notes the files that are opened from now on."""
    if _call is not None:
        sys.addaudithook(_note)


def spoil() -> None:
    """Something was said that another call should say again."""
    if _call is not None:
        _call.is_spoiled = True


class _Copy:
    """Standard output that keeps what is written."""

    def __init__(self, stream: Any) -> None:
        self._stream, self.text = stream, list[str]()

    def write(self, text: str) -> int:
        self.text.append(text)
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def printed() -> Iterator[_Copy]:
    """Within: what is printed is copied."""
    copy = _Copy(sys.stdout)
    with contextlib.redirect_stdout(copy):
        yield copy


def keep(
    text: Iterable[str],
    products: Iterable[Path],
    folders: Iterable[Path] = (),
    documents: Iterable[Path] = (),
    status: int = 0,
) -> None:
    """Keeps what this call printed, and its exit status.

    products: files that this call may have written, as results. folders: more of them, all of whose files count.
    documents: files that are to be written again.
    """
    if _call is None or _call.is_spoiled:
        return
    sources = {str(path) for home in papers.homes() for path in home.contents()}
    elsewhere = {file for name, file in _modules() if not papers.of_the_library(name)}
    files = sorted(sources | elsewhere | _call.opened)
    roots = [str(papers.LIBRARY), *(str(h.path) for h in papers.standing().values() if h.path.is_dir())]
    if not all(_is_older(name) for name in (*files, *_listing(roots))) or _is_unsteady():
        return
    everything = [*files, *(str(p.absolute()) for p in products)]
    of_results = [*roots, *(str(p.absolute()) for p in folders)]
    answer = {
        "made_from": _states(of_results, everything), "folders": of_results, "files": everything,
        "documents": {str(p.absolute()): p.read_text(encoding="utf-8") for p in documents}, "printed": "".join(text),
        "status": status,
    }  # fmt: skip
    with contextlib.suppress(OSError, ValueError):
        place = _call.place
        place.parent.mkdir(parents=True, exist_ok=True)
        ages = sorted(((p.stat().st_mtime_ns, p) for p in place.parent.glob("*.json")), reverse=True)
        for _, old in ages[MOST - 1 :]:
            old.unlink(missing_ok=True)
        disk.replace(place, json.dumps(answer).encode())


def _place(words: list[str]) -> Path:
    """The file of an answer. Raises OSError for a user without a cache folder."""
    folder = disk.cache_folder()
    if folder is None:
        raise OSError("no folder for what can be made again")
    variables = sorted((k, v) for k, v in os.environ.items() if k not in VOLATILE)
    size = os.get_terminal_size() if os.isatty(1) else ()
    question = [
        words,
        os.getcwd(),
        variables,
        size,
        os.isatty(2),
        sys.version,
        sys.executable,
        sys.path,
        sys.flags,
    ]
    return folder / FOLDER / f"{hashlib.sha256(repr(question).encode()).hexdigest()[:32]}.json"


def _states(folders: list[str], files: list[str]) -> str:
    """Digest of the files of some folders, of further files, and of the installed libraries."""
    hasher = hashlib.sha256(repr([platform.machine(), libraries.releases()]).encode())
    for name in (*files, *_listing(folders)):
        with contextlib.suppress(OSError):  # a file that is not there differs from one that is
            about = os.stat(name)
            hasher.update(f"{name} {about.st_size} {about.st_mtime_ns} {about.st_ctime_ns}\n".encode())
    return hasher.hexdigest()


def _listing(folders: Iterable[str]) -> Iterator[str]:
    """The files below some folders, without hidden ones and bytecode."""
    for folder in folders:
        names = []
        try:
            with os.scandir(folder) as entries:
                names = sorted(
                    (e.name, e.is_dir()) for e in entries if e.name[0] != "." and e.name != "__pycache__"
                )
        except OSError:
            continue
        for name, is_folder in names:
            path = f"{folder}/{name}"
            if is_folder:
                yield from _listing([path])
            else:
                yield path


def _is_older(name: str) -> bool:
    """Whether a file has the content that this call has read, if it has read it."""
    assert _call is not None
    try:
        about = os.stat(name)
    except OSError:
        return True
    latest = max(about.st_mtime_ns, about.st_ctime_ns)
    return latest < _call.began - (COARSE if latest % 1_000_000_000 == 0 else MARGIN)


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    """Of what a module from elsewhere opens, reads or asks the system for (see `sys.addaudithook`)."""
    if event not in AUDITED or _call is None or not _is_from_elsewhere():
        return
    if event == "open" and isinstance(arguments[0], str):
        _call.opened.add(os.path.abspath(arguments[0]))
    else:
        _call.is_spoiled = True


def _is_from_elsewhere() -> bool:
    """Whether a module that is neither installed nor of the library is being run, and does more than import."""
    frame, inside = sys._getframe(1), (str(papers.ROOT / "workbench"), sys.prefix, sys.base_prefix, "<")
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        if not frame.f_code.co_filename.startswith(inside):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


def _modules() -> Iterator[tuple[str, str]]:
    """(name, file) of the modules of this process that were not installed; no compiled kernels, which we have made."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and not KERNEL.fullmatch(name) and not papers.is_foreign(Path(file)):
            yield name, file


def _is_unsteady() -> bool:
    """Whether a module from elsewhere names something that depends on the hour or on the network."""
    inside = [str(papers.LIBRARY), *(str(home.path) for home in papers.built_in().values())]
    for _, file in _modules():
        if not file.startswith(tuple(inside)) and file.endswith(".py"):
            try:
                code = compile(Path(file).read_bytes(), file, "exec", dont_inherit=True)
            except (OSError, SyntaxError, ValueError):
                return True
            if not UNSTEADY.isdisjoint(_names(code)):
                return True
    return False


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
