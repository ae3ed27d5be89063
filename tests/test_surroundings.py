"""What a notebook, a batch system, a container or a user's settings leave in a command's environment."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from typer.testing import CliRunner

from workbench.cli.app import app
from workbench.homes import papers, processors
from workbench.problems import downloads
from workbench.report.drawing._style import save, style
from workbench.run import processes
from workbench.run.store import sources

ROOT = Path(__file__).parents[1]
# A command in a process in which no semaphore can be made, as where /dev/shm is missing.
NO_SEMAPHORES = """
import errno, _multiprocessing
class SemLock(_multiprocessing.SemLock):
    def __new__(cls, *_, **__):
        raise FileNotFoundError(errno.ENOENT, "No such file or directory")
_multiprocessing.SemLock = SemLock
from workbench.__main__ import main
if __name__ == "__main__":
    main()
"""
SMALL = ("--profile", "quick", "--runs", "8", "--horizon", "100")


def command(
    *words: str, cwd: Path, program: tuple[str, ...] = ("-m", "workbench"), **variables: str
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "WORKBENCH_STORE": str(cwd / "store"), **variables}
    return subprocess.run(
        [sys.executable, *program, *words],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the paper my_paper."""
    folder = tmp_path_factory.mktemp("own")
    assert command("new", "./my_paper", cwd=folder).returncode == 0
    return folder


@pytest.mark.parametrize("words", [("list", "./my_paper"), ("figures", "./my_paper", *SMALL)])
def test_the_backend_of_a_notebooks_kernel(words: tuple[str, ...], paper: Path) -> None:
    inline = {"MPLBACKEND": "module://matplotlib_inline.backend_inline", "XDG_CACHE_HOME": str(paper)}
    done = command(*words, cwd=paper, **inline)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def test_in_a_kernel_of_jupyter(paper: Path) -> None:
    manager = pytest.importorskip("jupyter_client.manager", reason="Jupyter is not installed")
    pytest.importorskip("ipykernel", reason="Jupyter is not installed")
    kernel, client = manager.start_new_kernel(cwd=str(paper), env={**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        client.execute(f"!{sys.executable} -m workbench list ./my_paper; echo status $?")
        said = ""
        while "status" not in said:
            said += client.get_iopub_msg(timeout=120)["content"].get("text", "")
        assert "status 0" in said
    finally:
        kernel.shutdown_kernel(now=True)


SETTINGS = {
    "text.usetex": True, "savefig.dpi": 37, "savefig.bbox": "tight", "savefig.pad_inches": 1.0,
    "lines.linewidth": 9.0, "axes.labelpad": 30.0, "axes.ymargin": 0.5, "font.family": ["monospace"],
}  # fmt: skip


@pytest.mark.parametrize("name", SETTINGS)
def test_a_users_settings_of_matplotlib_change_no_picture(name: str, tmp_path: Path) -> None:
    def picture() -> bytes:
        with style():
            figure, axes = plt.subplots()
            axes.plot(np.arange(4.0), label="$x_t$")
            axes.set_xlabel("t")
            axes.legend()
            paths = save(figure, tmp_path, "picture", "A picture.", ("png",))
            plt.close(figure)
        return paths[0].read_bytes()

    before = picture()
    with plt.rc_context({name: SETTINGS[name]}):
        assert picture() == before
        assert plt.rcParams[name] == SETTINGS[name], "they are the user's again"


def test_a_process_uses_what_its_mask_allows(tmp_path: Path) -> None:
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("no affinity masks on this platform")
    one = min(os.sched_getaffinity(0))
    text = f"import os; os.sched_setaffinity(0, {{{one}}}); from workbench.run import processes as p; "
    done = command(cwd=tmp_path, program=("-c", text + "print(p.count(9), p.count(9, 3), p.count(1, 3))"))
    assert done.stdout.split() == ["1", "3", "1"], done.stderr


@pytest.mark.parametrize(
    ("groups", "files", "quotas"),
    [
        ("0::/a/b\n", {"a/cpu.max": "150000 100000\n", "a/b/cpu.max": "max 100000\n"}, [1.5]),
        ("0::/a\n", {"a/cpu.max": "200000 100000", "cpu.max": "50000 100000"}, [2.0, 0.5]),
        ("4:memory:/x\n3:cpu,cpuacct:/j\n", {"cpu,cpuacct/j": (300000, 100000)}, [3.0]),
        ("3:cpu,cpuacct:/j\n", {"cpu,cpuacct/j": (-1, 100000)}, []),
        (
            "3:cpu:/elsewhere\n",
            {"cpu": (100000, 50000)},
            [2.0],
        ),  # a container does not see its own group's path
        ("0::/a\n", {"a/cpu.max": "nonsense"}, []),
        ("", {}, []),
    ],
)
def test_quotas_of_control_groups(groups: str, files: dict, quotas: list[float], tmp_path: Path) -> None:
    for name, content in files.items():
        if isinstance(content, str):
            content = {name.rpartition("/")[2]: content}
            folder = tmp_path / name.rpartition("/")[0]
        else:
            content = {"cpu.cfs_quota_us": str(content[0]), "cpu.cfs_period_us": str(content[1])}
            folder = tmp_path / name
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in content.items():
            (folder / file).write_text(text)
    (tmp_path / "groups").write_text(groups)
    assert list(processors.quotas(tmp_path / "groups", tmp_path)) == quotas


def test_a_quota_counts_and_is_rounded_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processors, "in_mask", lambda: 64)
    for quotas, cores in (([], 64), ([1.5, 7.0], 2), ([0.25], 1), ([100.0], 64)):
        monkeypatch.setattr(processors, "quotas", lambda quotas=quotas: iter(quotas))
        assert processors.count() == cores


def test_numba_that_may_not_compile(paper: Path) -> None:
    """Array functions stay as they are, with the same bits; kernels need no Numba."""
    found = []
    for store, setting in (("numba", "0"), ("none", "1")):
        words = "verify", "./my_paper", "--profile", "quick", "--runs", "8", "--horizon", "40000"
        done = command(*words, "--json", "-", "--store", store, cwd=paper, NUMBA_DISABLE_JIT=setting)
        assert done.returncode == 1, done.stderr
        found.append([{**c, "seconds": 0} for c in json.loads(done.stdout)["claims"]])
    assert found[0] == found[1]
    words = "verify", "./my_paper", *SMALL, "--engine", "fused", "--store", "fused"
    assert command(*words, cwd=paper, NUMBA_DISABLE_JIT="1").returncode == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="semaphores of POSIX")
def test_without_shared_memory(paper: Path) -> None:
    (paper / "program.py").write_text(NO_SEMAPHORES)
    why = (
        "there is no shared memory for processes to wait for each other (/dev/shm: [Errno 2] No such file or"
    )
    program, words = ("program.py",), ("verify", "./my_paper", *SMALL, "--jobs", "2", "--store", "single")
    done = command(*words, cwd=paper, program=program)
    assert done.returncode == 1, done.stderr  # so few runs decide nothing
    assert done.stderr == f"warning: simulating in one process: {why} directory)\n"
    done = command(*words[:-1], "other", "--cluster", "local:1", cwd=paper, program=program)
    assert (done.returncode, done.stderr) == (
        2,
        f"error: no workers can be started on this machine: {why} directory)\n",
    )


def test_a_pool_is_possible_here() -> None:
    assert processes.obstacle() == ""


@pytest.mark.parametrize("words", [("folder/my_paper",), ("folder/my_paper/sim-sgd",), ("folder/my_paper/",)])
def test_a_folder_in_a_folder_is_named_by_its_path(
    words: tuple[str], paper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process, which knows the shipped papers: a new one would import them to say what is nearest."""
    (paper / "folder").mkdir(exist_ok=True)
    if not (paper / "folder" / "my_paper").exists():
        shutil.copytree(paper / "my_paper", paper / "folder" / "my_paper")
    monkeypatch.chdir(paper)
    done = CliRunner().invoke(app, ["list", *words], catch_exceptions=False)
    assert done.exit_code == 2
    assert done.stderr.endswith(f"; the folder is named by its path: ./{words[0]}\n")
    assert CliRunner().invoke(app, ["list", f"./{words[0]}"], catch_exceptions=False).exit_code == 0


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (b"\x1f\x8b\x08rest", "gzip"),
        (b"BZh91AY", "bzip2"),
        (b"\xfd7zXZ\x00\x00", "xz"),
        (b"PK\x03\x04", "ZIP"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
        (b"\n<!DOCTYPE HTML PUBLIC>", "HTML"),
        (b"<html><body>404", "HTML"),
        (b"+1 3:1 11:1\n", ""),
        (b"", ""),
    ],
)
def test_what_a_downloaded_file_may_be_instead(content: bytes, form: str, tmp_path: Path) -> None:
    (tmp_path / "a1a").write_bytes(content)
    said = downloads.other_form(tmp_path / "a1a")
    assert form in said
    assert bool(said) == bool(form)


# ------------------------------------------------------------------------------------- libraries on sys.path


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of many files on `sys.path`, which nobody installed."""
    folder = tmp_path / "libraries" / "large_library"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("from . import part_0\n")
    for n in range(sources.LARGE):
        (folder / f"part_{n}.py").write_text(f"from . import part_{n + 1}\n" if n + 1 < sources.LARGE else "")
    monkeypatch.syspath_prepend(str(folder.parent))
    (tmp_path / "own.py").write_text("import large_library\n\n\ndef step(x):\n    return x\n")
    return folder


def own_hash(folder: Path) -> str:
    papers.look(False, [folder / "own.py"])
    return sources.code_hash([f"{papers.PARENT}.own:step"])


def test_a_large_library_is_hashed_as_it_lies(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    read = sources._read_module
    monkeypatch.setattr(
        sources, "_read_module", lambda text, file, *more: parsed.append(file) or read(text, file, *more)
    )
    with papers.temporary_view():
        before = own_hash(tmp_path)
        assert sources.large_libraries() == {"large_library": library}
        assert len([name for name in parsed if name.startswith(str(library))]) == 1, (
            "none of its modules is followed"
        )
        (library / "part_7.py").write_text("value = 1\n")
        assert own_hash(tmp_path) != before
        (library / "part_7.py").write_text("from . import part_8\n")
        assert own_hash(tmp_path) == before


def test_what_an_installer_has_recorded_does_not_count(library: Path, tmp_path: Path) -> None:
    """As the libraries of another environment that PYTHONPATH names."""
    about = library.parent / "large_library-1.0.dist-info"
    about.mkdir()
    (about / "RECORD").write_text("large_library/__init__.py,,\n")
    with papers.temporary_view():
        before = own_hash(tmp_path)
        (library / "part_7.py").write_text("value = 1\n")
        assert own_hash(tmp_path) == before
        assert sources.large_libraries() == {}
