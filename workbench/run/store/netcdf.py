"""Writes netCDF-4 files with h5py: arrays with named dimensions, without coordinates, and attributes of the file.

What is written is what xarray writes by h5netcdf, down to the layout of every array, in a quarter of the time (a test
compares them). HDF5 keeps the names of dimensions as arrays without meaning, "dimension scales", to which the arrays
refer; see "NetCDF-4 File Format Specification", Unidata.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import h5py

Variable = tuple[str | tuple[str, ...], np.ndarray]  # its dimensions, its values
SMALL = 4096  # bytes of an array that is not worth deflating
CHUNK = 1 << 24  # bytes that are deflated together, about
GROWS = 1 << 20  # bytes by which the file in memory grows
_files = itertools.count()  # each has a name of its own: HDF5 knows the files that are open by their names
NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable"


def written(variables: Mapping[str, Variable], attributes: Mapping[str, Any], deflated: bool) -> bytes:
    """The bytes of a file. variables: numbers or booleans; attributes: texts and numbers.

    deflated: whether arrays of 4 KiB or more are, bytes of equal weight together ("shuffle").
    Raises ValueError for an array that does not fit its dimensions, and MemoryError.
    """
    try:
        return _written(variables, attributes, deflated)
    except OSError as error:  # HDF5's word for memory that is lacking; there is no other file
        raise MemoryError(f"a result could not be written in memory: {error}") from error


def _written(variables: Mapping[str, Variable], attributes: Mapping[str, Any], deflated: bool) -> bytes:
    import h5py

    sizes = _sizes(variables)
    in_memory = {"driver": "core", "backing_store": False, "block_size": GROWS}
    # No room is left for metadata to come: there is none.
    with h5py.File(f"netcdf-{next(_files)}", "w", **in_memory, meta_block_size=0, track_order=True) as file:
        scales = {name: _scale(file, name, number, size) for number, (name, size) in enumerate(sizes.items())}
        for name, (dims, values) in variables.items():
            _write(file, name, values, [scales[d] for d in _each(dims)], deflated)
        for name, value in attributes.items():
            file.attrs[name] = value if isinstance(value, str) else np.atleast_1d(value)
        made_by = f"version=2,h5py={h5py.__version__},hdf5={h5py.version.hdf5_version}"
        file.attrs.create("_NCProperties", np.bytes_(made_by))
        file.flush()
        return bytes(file.id.get_file_image())


def _sizes(variables: Mapping[str, Variable]) -> dict[str, int]:
    """The length of every dimension, in the order in which they occur."""
    found: dict[str, int] = {}
    for name, (dims, values) in variables.items():
        if len(_each(dims)) != values.ndim:
            raise ValueError(f"{name} has shape {values.shape}, and the dimensions {', '.join(_each(dims))}")
        for dim, size in zip(_each(dims), values.shape, strict=True):
            if found.setdefault(dim, size) != size:
                raise ValueError(f"{name} has length {size} along {dim}, and others have {found[dim]}")
    return found


def _each(dims: str | tuple[str, ...]) -> tuple[str, ...]:
    return (dims,) if isinstance(dims, str) else dims


def _scale(file: h5py.File, name: str, number: int, size: int) -> h5py.Dataset:
    """A dimension. Its array is never written, and takes no room."""
    made = file.create_dataset(name, shape=(size,), dtype=">f4", track_order=True)
    made.make_scale(f"{NO_VARIABLE}.{size:10}")
    made.attrs["_Netcdf4Dimid"] = np.int32(number)
    return made


def _write(
    file: h5py.File, name: str, values: np.ndarray, scales: list[h5py.Dataset], deflated: bool
) -> None:
    stored = values.astype(np.int8) if values.dtype == bool else values
    how = _deflating(stored) if deflated else {}
    made = file.create_dataset(name, data=stored, track_order=True, **how)
    if values.dtype == bool:  # of which netCDF knows nothing; this is xarray's way
        made.attrs["dtype"] = "bool"
    for axis, scale in enumerate(scales):
        made.dims[axis].attach_scale(scale)
    numbers = np.array([scale.attrs["_Netcdf4Dimid"] for scale in scales], dtype=np.int32)
    made.attrs["_Netcdf4Coordinates"] = numbers
    made.attrs["_Netcdf4Dimid"] = numbers[0]


def _deflating(values: np.ndarray) -> dict[str, Any]:
    if values.nbytes < SMALL:
        return {}
    rows = max(1, CHUNK * len(values) // values.nbytes)
    chunks = (min(rows, len(values)), *values.shape[1:])
    return {"compression": "gzip", "compression_opts": 1, "shuffle": True, "chunks": chunks}
