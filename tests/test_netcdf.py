"""The writer of netCDF files: what xarray writes, down to the layout of every array."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import h5py
import numpy as np
import pytest
import xarray

from workbench.run.store import netcdf
from workbench.run.store.netcdf import Variable, written

RUNS, MARKS = 40, 30
VARIABLES: dict[str, Variable] = {
    "marks": ("mark", np.arange(MARKS)),
    "run_ids": ("run", np.arange(RUNS)),
    "data_x": (("run", "mark"), np.linspace(-1, 1, RUNS * MARKS).reshape(RUNS, MARKS)),
    "data_small": (("run", "mark"), np.arange(RUNS * MARKS, dtype=np.int8).reshape(RUNS, MARKS)),
    "data_failed": (("run", "mark"), np.full((RUNS, MARKS), np.nan)),
    "data_single": (("run", "mark"), np.full((RUNS, MARKS), 0.1, dtype=np.float32)),
    "data_above": (("run", "mark"), np.arange(RUNS * MARKS).reshape(RUNS, MARKS) % 3 == 0),
    "data_unsigned": (("run", "mark"), np.arange(RUNS * MARKS, dtype=np.uint64).reshape(RUNS, MARKS)),
    "constant_L": (("all", "once"), np.array([[2.0]])),
    "constant_of_time": (("all", "mark"), np.ones((1, MARKS))),
    "constant_%25%2F": (("run", "once"), np.ones((RUNS, 1))),
}
ATTRIBUTES = {"title": "häufig", "meta": "{}", "empty": "", "rows": RUNS, "seconds": 0.25}


def of_xarray(deflated: bool) -> bytes:
    encoding: dict[str, dict[str, Any]] = {name: {"_FillValue": None} for name in VARIABLES}
    for name, (_, values) in VARIABLES.items():
        if deflated and values.nbytes >= netcdf.SMALL:
            rows = max(1, netcdf.CHUNK * len(values) // values.nbytes)
            chunks = (min(rows, len(values)), *values.shape[1:])
            encoding[name] |= {"zlib": True, "complevel": 1, "shuffle": True, "chunksizes": chunks}
    made = xarray.Dataset(VARIABLES, attrs=ATTRIBUTES).to_netcdf(engine="h5netcdf", encoding=encoding)
    return bytes(made)


def attributes(held: h5py.Dataset | h5py.File) -> dict[str, tuple[Any, ...]]:
    """Name -> type, shape and value; of references, what they refer to."""
    found: dict[str, tuple[Any, ...]] = {}
    for name, value in held.attrs.items():
        kind = held.attrs.get_id(name)
        if name == "REFERENCE_LIST":
            value = sorted((held.file[ref].name, int(axis)) for ref, axis in value)
        elif name == "DIMENSION_LIST":
            value = [held.file[axis[0]].name for axis in value]
        found[name] = (kind.dtype, kind.shape, np.asarray(value).tolist())
    return found


def layout(data: h5py.Dataset) -> dict[str, Any]:
    made = data.id.get_create_plist()
    filters = [made.get_filter(n)[:3] for n in range(made.get_nfilters())]
    orders = made.get_attr_creation_order()
    how = (data.chunks, filters, data.fillvalue, orders, made.get_fill_time(), made.get_alloc_time())
    return {"type": data.dtype, "shape": data.shape, "most": data.maxshape, "how": how}


@pytest.mark.parametrize("deflated", [False, True])
@pytest.mark.parametrize("chunk", [netcdf.CHUNK, 2048])
def test_what_xarray_writes(deflated: bool, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(netcdf, "CHUNK", chunk)
    bodies = written(VARIABLES, ATTRIBUTES, deflated), of_xarray(deflated)
    with h5py.File(io.BytesIO(bodies[0])) as ours, h5py.File(io.BytesIO(bodies[1])) as theirs:
        assert list(ours) == list(theirs)
        root, wanted = (attributes(file) for file in (ours, theirs))
        assert root.pop("_NCProperties")[2].startswith(b"version=2,h5py=")
        assert root == {name: wanted[name] for name in root}
        assert wanted.keys() - root.keys() == {"_NCProperties"}
        orders = [file["/"].id.get_create_plist().get_link_creation_order() for file in (ours, theirs)]
        assert orders[0] == orders[1]
        for name in theirs:
            assert attributes(ours[name]) == attributes(theirs[name]), name
            assert layout(ours[name]) == layout(theirs[name]), name
            np.testing.assert_array_equal(ours[name][()], theirs[name][()])


@pytest.mark.parametrize("deflated", [False, True])
def test_xarray_reads_it(deflated: bool) -> None:
    with xarray.open_dataset(io.BytesIO(written(VARIABLES, ATTRIBUTES, deflated)), engine="h5netcdf") as read:
        assert read.attrs == ATTRIBUTES
        assert set(read.variables) == set(VARIABLES)
        for name, (dims, values) in VARIABLES.items():
            assert read[name].dims == ((dims,) if isinstance(dims, str) else dims)
            assert read[name].dtype == values.dtype
            np.testing.assert_array_equal(read[name].values, values)


WRONG: dict[str, Variable] = {
    "data_long": (("run", "mark"), np.ones((RUNS + 1, MARKS))),
    "data_flat": (("run", "mark"), np.ones(RUNS)),
    "param_empty": ("run", np.ones(0)),
    "constant_two": (("all", "once"), np.ones((1, 2))),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_array_that_does_not_fit_the_others_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} has "):
        written({**VARIABLES, name: WRONG[name]}, ATTRIBUTES, True)


def test_files_may_be_written_side_by_side() -> None:
    with ThreadPoolExecutor(2) as threads:
        made = list(threads.map(lambda n: written(VARIABLES, {"number": n}, False), range(20)))
    for n, body in enumerate(made):
        with h5py.File(io.BytesIO(body)) as file:
            assert file.attrs["number"] == n


def test_without_memory_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError("unable to allocate memory block of 123 bytes")

    monkeypatch.setattr(h5py.Group, "create_dataset", full)
    with pytest.raises(MemoryError, match="unable to allocate"):
        written(VARIABLES, ATTRIBUTES, True)


def test_small_arrays_are_not_deflated() -> None:
    with h5py.File(io.BytesIO(written(VARIABLES, {}, True))) as file:
        assert {name for name in VARIABLES if file[name].compression} == {
            name for name, (_, values) in VARIABLES.items() if values.nbytes >= netcdf.SMALL
        }
        assert file["data_x"].compression == "gzip"
        assert file["marks"].compression is None


def test_the_file_is_little_larger_than_xarrays() -> None:
    """By a block for small data, which HDF5 does not cut off."""
    assert len(written(VARIABLES, ATTRIBUTES, True)) < len(of_xarray(True)) + 3000
