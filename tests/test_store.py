"""The store: exact round trips, and nothing but whole, checked files whatever happens to disk or process."""

from __future__ import annotations

import errno
import io
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import h5py
import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from workbench.engine.records import Result
from workbench.run.store import results as module
from workbench.run.store.results import Store, StoreError, store_folder

KEY = "0123abcd"
META = {"backend": "numpy", "engine": "eager", "seed": 7, "simulation": "p/sim-a", "title": "A title, häufig"}


def result(runs: int = 3, marks: int = 4, fill: float = 0.5) -> Result:
    times = np.arange(1, marks + 1)
    return Result(
        marks=times,
        data={
            "grad_norm": np.full((runs, marks), fill),
            "x_norm_max": np.arange(1.0 * runs * marks).reshape(runs, -1),
        },
        params={"sigma": np.linspace(0.0, 1.0, runs)},
        run_ids=np.arange(runs),
        status=np.zeros(runs, dtype=np.int64),
        failed_at=np.zeros(runs, dtype=np.int64),
        calls={"gradient": 2 * times[None, :], "hessian": np.arange(runs * marks).reshape(runs, -1)},
        elapsed=0.1 * times,
        constants={
            "L": np.array([[2.0]]),
            "Delta_1": np.linspace(1.0, 2.0, runs)[:, None],
            "V_T": 1.0 * times[None, :],
            "H_2T": np.arange(1.0 * runs * marks).reshape(runs, -1),
        },
        steps={"eta": np.array([[0.5]]), "alpha": np.linspace(0.1, 1.0, runs)[:, None]},
        meta=dict(META),
    )


def assert_same(a: Result | None, b: Result) -> None:
    assert a is not None
    for name in ("marks", "run_ids", "status", "failed_at", "elapsed"):
        assert_same_bits(getattr(a, name), getattr(b, name))
    for group in ("data", "params", "calls", "constants", "steps"):
        left, right = getattr(a, group), getattr(b, group)
        assert left.keys() == right.keys()
        for name in left:
            assert_same_bits(left[name], right[name])
    assert repr(sorted(a.meta.items())) == repr(sorted(b.meta.items()))


def assert_same_bits(a: np.ndarray, b: np.ndarray) -> None:
    assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes())


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


# Round trips.


def bits(runs: int, marks: int) -> st.SearchStrategy[np.ndarray]:
    """Floats of every bit pattern: NaN payloads, subnormals, infinities, both zeros."""
    return hnp.arrays(np.uint64, (runs, marks)).map(lambda a: a.view(np.float64))


names = st.from_regex(r"[^\W\d]\w{0,8}", fullmatch=True) | st.sampled_from(
    ["lambda", "λ", "a/b", "50%", "%2F", "é_"]
)
meta = st.dictionaries(
    st.text(max_size=8),
    st.integers() | st.floats() | st.booleans() | st.none() | st.text(max_size=20),
    max_size=4,
)


def whole(n: int) -> st.SearchStrategy[np.ndarray]:
    return hnp.arrays(np.int64, n)


@st.composite
def results(draw: st.DrawFn) -> Result:
    runs, marks = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    one = bits(runs, 1).map(lambda a: a[:, 0])
    counts = st.sampled_from([1, runs]).flatmap(
        lambda rows: whole(rows * marks).map(lambda a: a.reshape(rows, marks))
    )
    return Result(
        marks=draw(whole(marks)),
        data=draw(st.dictionaries(names, bits(runs, marks), max_size=3)),
        params=draw(st.dictionaries(names, one | whole(runs) | hnp.arrays(np.bool_, runs), max_size=3)),
        run_ids=draw(whole(runs)),
        status=draw(whole(runs)),
        failed_at=draw(whole(runs)),
        calls=draw(st.dictionaries(names, counts, max_size=2)),
        elapsed=draw(bits(marks, 1))[:, 0],
        constants=draw(st.dictionaries(names, tables(runs, marks), max_size=3)),
        steps=draw(st.dictionaries(names, tables(runs, 1), max_size=3)),
        meta=draw(meta),
    )


def tables(runs: int, marks: int) -> st.SearchStrategy[np.ndarray]:
    """(runs or 1, marks or 1): what is the same for all rows or at all marks has one."""
    shapes = st.tuples(st.sampled_from([1, runs]), st.sampled_from([1, marks]))
    return shapes.flatmap(lambda shape: bits(*shape))


@settings(max_examples=40)
@given(results())
def test_round_trip_is_exact(tmp_path_factory: pytest.TempPathFactory, made: Result) -> None:
    held = Store(tmp_path_factory.mktemp("store"))
    held.save(KEY, made)
    assert_same(held.load(KEY), made)
    assert held.notices == []


def test_save_replaces_and_makes_the_folder(tmp_path: Path) -> None:
    held = Store(tmp_path / "a" / "b")
    assert not held.has(KEY)
    assert held.load(KEY) is None
    for made in (result(), result(2, 9)):
        held.save(KEY, made)
        assert held.has(KEY)
        assert_same(held.load(KEY), made)
    assert [p.name for p in held.folder.iterdir()] == [f"{KEY}.nc"]


def test_numpy_numbers_and_long_text_in_meta(store: Store) -> None:
    made = replace(
        result(), meta={"a": np.int64(3), "b": np.float64(0.1), "long": "x" * 100_000, "seed": 2**64 - 1}
    )
    store.save(KEY, made)
    held = store.load(KEY)
    assert held is not None
    assert held.meta == {"a": 3, "b": 0.1, "long": "x" * 100_000, "seed": 2**64 - 1}


def test_what_cannot_be_kept_exactly_is_refused(store: Store) -> None:
    with pytest.raises(TypeError, match="meta of a result holds a set"):
        store.save(KEY, replace(result(), meta={"a": {1}}))
    with pytest.raises(TypeError, match="param_name of a result has dtype"):
        store.save(KEY, replace(result(), params={"name": np.array(["a", "b", "c"])}))
    assert not store.folder.exists()


@pytest.mark.parametrize("key", ["", "../a", "a/b", ".hidden", "a b", "x" * 300, "a\n"])
def test_a_key_is_a_plain_file_name(store: Store, key: str) -> None:
    with pytest.raises(ValueError, match="cannot name a stored result"):
        store.save(key, result())


def test_other_programs_can_read_the_files(store: Store) -> None:
    kept = replace(result(200), params={"sigma": np.linspace(0.0, 1.0, 200), "chosen": np.arange(200) < 9})
    store.save(KEY, kept)
    with xr.open_dataset(store.path(KEY), engine="h5netcdf") as dataset:
        assert {name: v.dims for name, v in dataset.variables.items()} == {
            "marks": ("mark",), "elapsed": ("mark",), "run_ids": ("run",), "status": ("run",), "failed_at": ("run",),
            "data_grad_norm": ("run", "mark"), "data_x_norm_max": ("run", "mark"), "param_sigma": ("run",),
            "param_chosen": ("run",), "calls_gradient": ("all", "mark"), "calls_hessian": ("run", "mark"),
            "constant_L": ("all", "once"), "constant_Delta_1": ("run", "once"), "constant_V_T": ("all", "mark"),
            "constant_H_2T": ("run", "mark"), "step_eta": ("all", "once"), "step_alpha": ("run", "once"),
        }  # fmt: skip
        assert dataset["param_chosen"].dtype == bool
        for name, values in kept.data.items():
            np.testing.assert_array_equal(dataset[f"data_{name}"].values, values)
        wanted = {
            "backend": "numpy",
            "engine": "eager",
            "seed": "7",
            "simulation": "p/sim-a",
            "title": META["title"],
        }
        assert {name: dataset.attrs[name] for name in wanted} == wanted
        versions = {
            "numpy",
            "sympy",
            "python",
            "platform",
            "created",
            "wall_seconds",
            "key",
            "format",
        }
        assert versions <= dataset.attrs.keys()
    with h5py.File(store.path(KEY)) as file:
        assert file["param_sigma"].shape == (200,)
        assert file["data_grad_norm"].compression == "gzip"
        assert file["marks"].compression is None


def test_a_result_that_knows_nothing_of_its_problem(store: Store) -> None:
    """As the engines leave it, or of an instance without constants."""
    bare = replace(result(), constants={}, steps={})
    store.save(KEY, bare)
    assert_same(store.load(KEY), bare)


def test_entries(store: Store) -> None:
    assert store.entries() == []
    for key, simulation in (("a", "p/sim-z"), ("b", "p/sim-a")):
        store.save(key, replace(result(), meta={**META, "simulation": simulation}))
    (store.folder / "c.nc").write_bytes(b"nonsense")
    found = store.entries()
    assert [e.key for e in found] == ["b", "a"]
    assert found[0].attributes["runs"] == found[0].attributes["rows"] == 3
    assert type(found[0].attributes["runs"]) is int
    assert found[0].size == found[0].path.stat().st_size
    assert store.take_notices() == [
        "c.nc in the store does not end with this store's seal (truncated, edited or foreign); it was skipped"
    ]
    assert store.take_notices() == []
    assert (store.folder / "c.nc").exists()


# Damage.


def sealed(store: Store) -> bytes:
    store.save(KEY, result())
    return store.path(KEY).read_bytes()


def assert_set_aside(store: Store, content: bytes, why: str) -> None:
    path = store.path(KEY)
    path.write_bytes(content)
    assert store.load(KEY) is None
    assert not path.exists()
    asides = list(store.folder.glob("*.damaged-*"))
    assert [p.read_bytes() for p in asides] == [content]
    (notice,) = store.take_notices()
    assert why in notice
    assert notice.startswith(f"{path.name} in the store ")
    assert f"renamed to {asides[0].name} and its result will be computed again" in notice
    asides[0].unlink()


def test_truncated_files(store: Store) -> None:
    whole = sealed(store)
    for n in {
        0,
        1,
        39,
        40,
        41,
        *range(100, len(whole), len(whole) // 60),
        *range(len(whole) - 45, len(whole)),
    }:
        assert_set_aside(store, whole[:n], "truncated")


def test_flipped_bits(store: Store) -> None:
    whole = sealed(store)
    for n in {*range(0, len(whole), len(whole) // 120), *range(len(whole) - 45, len(whole))}:
        assert_set_aside(store, whole[:n] + bytes([whole[n] ^ 1 << n % 8]) + whole[n + 1 :], "does not ")


def test_longer_and_foreign_files(store: Store) -> None:
    whole = sealed(store)
    other = io.BytesIO()
    with h5py.File(other, "w") as file:
        file["x"] = 1
    for content in (
        whole + b"\0",
        whole + whole[:100],
        b"",
        b"not netCDF" * 100,
        other.getvalue(),
        whole[:-40],
    ):
        assert_set_aside(store, content, "truncated, edited or foreign")


def test_sealed_files_that_are_no_result_of_this_key(store: Store) -> None:
    whole = sealed(store)
    store.save("other", result())
    assert_set_aside(store, store.path("other").read_bytes(), "holds the result of another key (other)")

    def resealed(body: bytes) -> bytes:
        return body + module.seal(body)

    assert_set_aside(store, resealed(b"not netCDF" * 100), "cannot be read as netCDF")
    assert_set_aside(store, resealed(whole[:2000]), "cannot be read as netCDF")
    body = io.BytesIO(whole[:-40])
    with h5py.File(body, "r+") as file:
        del file["status"]
    assert_set_aside(store, resealed(body.getvalue()), "lacks part of a result")
    with h5py.File(body, "r+") as file:
        file.attrs["format"] = 99
    assert_set_aside(store, resealed(body.getvalue()), "has format 99, not 4")


def test_every_damaged_file_is_kept_and_the_result_comes_back(store: Store) -> None:
    for n in (1, 2, 3):
        store.save(KEY, result())
        with open(store.path(KEY), "ab") as file:
            file.write(b"x")
        assert store.load(KEY) is None
        assert {p.name for p in store.folder.iterdir()} == {f"{KEY}.nc.damaged-{i}" for i in range(1, n + 1)}
    store.save(KEY, result())
    assert_same(store.load(KEY), result())


def test_a_damaged_file_that_cannot_be_renamed_is_not_believed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save(KEY, result())
    store.path(KEY).write_bytes(b"x")
    monkeypatch.setattr(module.os, "replace", failing(errno.EROFS))
    assert store.load(KEY) is None
    assert "could not be renamed (Read-only file system)" in store.notices[0]


def test_a_missing_library_does_not_condemn_good_files(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.save(KEY, result())
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ImportError, match="h5py"):
        store.load(KEY)
    assert store.has(KEY)


@pytest.mark.parametrize(("name", "shape"), [("long", (4, 4)), ("flat", (3,)), ("short", (3, 2))])
def test_an_array_that_does_not_fit_the_others_is_refused(store: Store, name: str, shape: Any) -> None:
    with pytest.raises(ValueError, match=f"data_{name} has length|zip"):
        store.save(KEY, replace(result(), data={name: np.ones(shape)}))
    assert not store.has(KEY)


def test_without_memory_it_says_so(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError("unable to allocate memory block of 123 bytes")

    monkeypatch.setattr(h5py.Group, "create_dataset", full)
    with pytest.raises(MemoryError, match="unable to allocate"):
        store.save(KEY, result())


def test_results_may_be_saved_side_by_side(store: Store) -> None:
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda n: store.save(f"key{n}", result(fill=n)), range(20)))
    for n in range(20):
        assert_same(store.load(f"key{n}"), result(fill=n))


# Disks and folders.


def failing(number: int) -> Any:
    def fail(*args: Any, **kwargs: Any) -> Any:
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("function", ["fsync", "replace"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EIO])
def test_a_failed_write_leaves_the_old_file(
    store: Store, monkeypatch: pytest.MonkeyPatch, function: str, number: int
) -> None:
    store.save(KEY, result())
    new = result(fill=2.0)
    with monkeypatch.context() as patch:
        patch.setattr(module.os, function, failing(number))
        with pytest.raises(StoreError) as caught:
            store.save(KEY, new)
    assert str(caught.value) == f"cannot write to the store {store.folder}: {os.strerror(number)}"
    assert_same(store.load(KEY), result())
    assert [p.name for p in store.folder.iterdir()] == [f"{KEY}.nc"]
    assert new.data["grad_norm"][0, 0] == 2.0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_really_full_disk(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.open", lambda *args, opener=open: opener("/dev/full", "wb"))
    with pytest.raises(StoreError, match="No space left on device"):
        store.save(KEY, result())


def test_an_interrupted_save_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*args: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module.os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        store.save(KEY, result())
    assert list(store.folder.iterdir()) == []


@pytest.mark.parametrize(
    ("call", "owner", "name"),
    [("save", h5py.Group, "create_dataset"), ("save", os, "replace"), ("load", h5py.Dataset, "__getitem__")],
)
def test_ctrl_c_waits_until_a_file_is_written_or_read(
    store: Store, monkeypatch: pytest.MonkeyPatch, call: str, owner: Any, name: str
) -> None:
    """In a callback of HDF5 the exception would be printed on stdout, or taken for damage of the file."""
    kept, inner, asked = result(), getattr(owner, name), []
    if call == "load":
        store.save(KEY, kept)

    def interrupted(*given: Any, **named: Any) -> Any:
        if not asked:
            signal.raise_signal(signal.SIGINT)
        asked.append(name)
        return inner(*given, **named)

    monkeypatch.setattr(owner, name, interrupted)
    with pytest.raises(KeyboardInterrupt):
        store.save(KEY, kept) if call == "save" else store.load(KEY)
    assert asked
    assert_same(store.load(KEY), kept)
    assert store.notices == []


@pytest.mark.parametrize("below", ["", "deeper/still"])
def test_a_file_in_the_folders_place(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("precious")
    held = Store(tmp_path / "file" / below)
    assert held.load(KEY) is None
    assert held.entries() == []
    for write in (held.check_writable, lambda: held.save(KEY, result())):
        with pytest.raises(StoreError, match="cannot write to the store"):
            write()
    assert (tmp_path / "file").read_text() == "precious"


def test_a_folder_in_the_files_place_is_set_aside_with_what_it_holds(store: Store) -> None:
    store.path(KEY).mkdir(parents=True)
    (store.path(KEY) / "precious").write_text("mine")
    assert not store.has(KEY)
    assert store.entries() == []
    assert store.load(KEY) is None
    (notice,) = store.take_notices()
    assert "is no regular file" in notice
    (aside,) = store.folder.glob("*.damaged-*")
    assert (aside / "precious").read_text() == "mine"
    store.save(KEY, result())
    assert store.load(KEY) is not None


def test_check_writable_leaves_no_trace(store: Store) -> None:
    store.check_writable()
    assert list(store.folder.iterdir()) == []


def test_what_killed_processes_leave_behind_is_removed_in_the_end(store: Store) -> None:
    store.check_writable()
    name = "0123456789abcdef" * 2
    left = [store.folder / f".{name}.{kind}.71-0a1b2c3d.tmp" for kind in ("nc", "partial", "01.partial")]
    young = store.folder / f".{name}.nc.72-0a1b2c3d.tmp"
    for path in (*left, young):
        path.write_bytes(b"half")
    for part in ("", "01"):
        store.save_partial(name, part, [b"body", module.seal(b"body")])
        left.append(store.partial_path(name, part))
    for path in left:
        os.utime(path, (time.time() - 40 * 24 * 3600,) * 2)
    store.save(KEY, result())
    assert not [path for path in left if path.exists()]
    assert young.exists()
    assert [e.key for e in store.entries()] == [KEY]


@pytest.mark.parametrize(
    "name",
    [
        "thesis.partial",
        "film.mkv.partial",
        "d41d8cd98f00b204e9800998ecf8427e.partial",  # a download named by its checksum: it has no seal
        "d41d8cd98f00b204e9800998ecf8427e.2.partial",
        "D41D8CD98F00B204E9800998ECF8427E.partial",
        ".notes.tmp",
        ".0123abcd.1-0.tmp",
        ".d41d8cd98f00b204e9800998ecf8427e.tmp",
        ".d41d8cd98f00b204e9800998ecf8427e.iso.1-0a1b2c3d.tmp",
        "0123456789abcdef0123456789abcdef.nc.damaged-1",
    ],
)
def test_files_of_the_user_are_never_deleted(store: Store, name: str) -> None:
    store.check_writable()
    path = store.folder / name
    path.write_bytes(b"precious")
    os.utime(path, (0, 0))
    store.save(KEY, result())
    store.remove_partials("d41d8cd98f00b204e9800998ecf8427f")
    assert path.read_bytes() == b"precious"


def test_a_folder_that_cannot_be_listed_keeps_the_result(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writable but not readable, as a drop box is: nothing can be tidied up, and nothing needs to be."""

    def refused(folder: Path) -> Any:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refused)
    store.save("key", result())
    assert store.load("key") is not None


def test_the_folder_is_chosen_by_option_then_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORKBENCH_STORE", raising=False)
    assert store_folder() == Path(".workbench")
    with pytest.raises(StoreError, match="got an empty one"):
        store_folder("")
    monkeypatch.setenv("WORKBENCH_STORE", "~/results")
    assert store_folder(None) == Path.home() / "results"
    assert store_folder(Path("here")) == Path("here")


# Processes.

SAVER = """
import pickle
import sys
from workbench.run.store.results import Store
store, key, made = Store(sys.argv[1]), sys.argv[2], pickle.load(sys.stdin.buffer)
store.save(key, made[0])
print("saving", flush=True)
for k in range(int(sys.argv[3])):
    store.save(key, made[k % 2])
"""


def input_of(results: list[Result]) -> IO[bytes]:
    """A file from which another process takes results: to make them it would import what only tests need."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 -- the caller closes it
    pickle.dump(results, file)
    file.seek(0)
    return file


def saver(store: Store, fill: float, count: int) -> subprocess.Popen[str]:
    args = [sys.executable, "-c", SAVER, str(store.folder), KEY, str(count)]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    with input_of([result(200, 40, fill + k) for k in range(2)]) as made:
        return subprocess.Popen(args, stdin=made, stdout=subprocess.PIPE, text=True, env=env)


def assert_whole(store: Store, *fills: float) -> None:
    held = store.load(KEY)
    assert held is not None, store.notices
    assert store.notices == []
    assert_same(held, result(200, 40, next(f for f in fills if f == held.data["grad_norm"][0, 0])))


def test_two_processes_saving_the_same_key(store: Store) -> None:
    processes = [saver(store, 1.0, 15), saver(store, 3.0, 15)]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    while any(p.poll() is None for p in processes):
        assert_whole(store, 1.0, 2.0, 3.0, 4.0)
    assert [p.wait() for p in processes] == [0, 0]
    for process in processes:
        assert process.stdout is not None
        process.stdout.close()
    assert [p.name for p in store.folder.iterdir()] == [f"{KEY}.nc"]


@pytest.mark.long
def test_a_process_killed_while_saving(store: Store) -> None:
    for delay in (0.0, 0.011, 0.037, 0.083):
        process = saver(store, 1.0, 10**6)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        assert_whole(store, 1.0, 2.0)
        assert {p.name for p in store.folder.iterdir() if not p.name.startswith(".")} == {f"{KEY}.nc"}


@pytest.mark.parametrize("stage", ["write", "fsync", "replace", "after"])
def test_a_process_killed_at_each_stage(store: Store, stage: str) -> None:
    """The process ends itself, as SIGKILL would, at a chosen moment of its second save."""
    store.save(KEY, result(200, 40, 1.0))
    program = f"""
import os, pickle, signal, sys
from workbench.homes import disk
from workbench.run.store.results import Store
die = lambda *a: os.kill(os.getpid(), signal.SIGKILL)
stage = {stage!r}
if stage == "write":
    disk.open = lambda *a: die() if open(*a) else None
elif stage == "after":
    Store._remove_stale = die
else:
    setattr(os, stage, die)
Store({str(store.folder)!r}).save({KEY!r}, *pickle.load(sys.stdin.buffer))
"""
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    with input_of([result(200, 40, 2.0)]) as made:
        done = subprocess.run([sys.executable, "-c", program], env=env, stdin=made, check=False)
    assert done.returncode == -signal.SIGKILL
    assert_whole(store, 2.0 if stage == "after" else 1.0)
    assert len(list(store.folder.glob(".*.tmp"))) == (stage != "after")


def test_importing_the_store_is_cheap() -> None:
    libraries = {"xarray", "h5py", "pandas", "sympy"}
    program = f"import sys, workbench.run.store.results; print(*{libraries} & set(sys.modules))"
    root = str(Path(__file__).parent.parent)
    env = {**os.environ, "PYTHONPATH": root}
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


@pytest.mark.skipif(sys.platform == "win32", reason="pipes")
def test_a_pipe_is_set_aside_unread(store: Store) -> None:
    store.folder.mkdir()
    os.mkfifo(store.path(KEY))
    assert store.load(KEY) is None
    (notice,) = store.take_notices()
    assert notice.startswith(f"{KEY}.nc in the store is no regular file")
    assert not store.path(KEY).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="pipes")
def test_a_pipe_is_no_checkpoint(store: Store) -> None:
    store.folder.mkdir()
    os.mkfifo(store.partial_path(KEY))
    assert store.load_partial(KEY) is None


def test_the_home_of_nobody() -> None:
    with pytest.raises(StoreError, match="the home of a user who is not known here"):
        store_folder("~nosuchuser/x")


def test_looking_makes_no_folder(store: Store, tmp_path: Path) -> None:
    assert store.problem() == ""
    assert store.entries() == []
    assert not store.folder.exists()
    (tmp_path / "file").touch()
    assert "a file where the folder should be" in Store(tmp_path / "file").problem()
    assert "cannot be made" in Store(tmp_path / "file" / "below").problem()
    store.save(KEY, result())
    assert store.problem() == ""


# Deflated arrays.


def test_a_large_result_is_deflated_and_comes_back(store: Store) -> None:
    walks = 1 + 1e-3 * np.cumsum(np.random.default_rng(3).standard_normal((9000, 40)), axis=1)
    large = replace(result(9000, 40), data={"walk": walks})
    store.save(KEY, large)
    assert_same(store.load(KEY), large)
    assert store.path(KEY).stat().st_size < 0.9 * walks.nbytes
