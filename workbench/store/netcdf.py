"""Writes netCDF-4 files with h5py: arrays with named dimensions, without coordinates, and attributes of the file.

What is written is what xarray writes by h5netcdf, down to the layout of every array, in a tenth of the time (a test
compares them). HDF5 keeps the names of dimensions as arrays without meaning, "dimension scales", to which the arrays
refer; see "NetCDF-4 File Format Specification", Unidata.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import h5py

Variable = tuple[str | tuple[str, ...], np.ndarray]  # its dimensions, its values
SMALL = 4096  # bytes of an array that is not worth deflating
CHUNK = 1 << 24  # bytes that are deflated together, about
GROWS = 1 << 20  # bytes by which the file in memory grows
NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable"


def written(variables: Mapping[str, Variable], attributes: Mapping[str, Any], deflated: bool) -> bytes:
    """The bytes of a file. variables: numbers or booleans; attributes: texts and numbers.

    deflated: whether arrays of 4 KiB or more are, bytes of equal weight together ("shuffle").
    """
    import h5py

    with h5py.File(
        "memory", "w", driver="core", backing_store=False, block_size=GROWS, track_order=True
    ) as file:
        sizes: dict[str, int] = {}
        for dims, values in variables.values():
            sizes.update(zip(_each(dims), values.shape, strict=True))
        scales = {name: _scale(file, name, number, size) for number, (name, size) in enumerate(sizes.items())}
        for name, (dims, values) in variables.items():
            _write(file, name, values, [scales[d] for d in _each(dims)], deflated)
        for name, value in attributes.items():
            file.attrs[name] = value if isinstance(value, str) else np.atleast_1d(value)
        made_by = f"version=2,h5py={h5py.__version__},hdf5={h5py.version.hdf5_version}"
        file.attrs.create("_NCProperties", np.bytes_(made_by))
        file.flush()
        return bytes(file.id.get_file_image())


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
