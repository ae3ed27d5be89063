"""Hashes of what a result depends on: of plain data (`content_hash`) and of a simulation (`simulation_key`).

The key of a simulation combines the content of all its inputs with the hash of its code (`workbench.store.sources`).
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench import papers
from workbench.store.sources import code_hash, digest, reaches

if TYPE_CHECKING:
    from workbench.experiments.records import Batch, Simulation

ENGINE = "workbench.engine.eager:simulate"  # defines the trajectory; other engines must agree with it


def content_hash(obj: Any) -> str:
    """Hash of plain data, identical in every process. Every bit of a float or an array counts.

    Plain data: None, bool, int, float, str, NumPy arrays and scalars, and tuples, lists, dicts, named tuples and frozen
    dataclasses of these. Raises TypeError for anything else, naming the field.
    """
    return _content(obj, type(obj).__name__).hex()


def _content(obj: Any, where: str) -> bytes:
    if obj is None or isinstance(obj, bool):
        return digest("constant", str(obj).encode())
    if isinstance(obj, float):  # includes np.float64
        return digest("float", repr(float(obj)).encode())
    if type(obj) is int or type(obj) is str:
        return digest(type(obj).__name__, str(obj).encode("utf-8", "surrogatepass"))
    if isinstance(obj, np.ndarray | np.generic):
        return _array(np.asarray(obj), where)
    if type(obj) is dict:
        items = [
            digest("item", _content(k, f"key of {where}"), _content(v, f"{where}[{k!r}]"))
            for k, v in obj.items()
        ]
        return digest("dict", *sorted(items))
    if type(obj) is tuple or type(obj) is list:
        return digest(type(obj).__name__, *(_content(v, f"{where}[{i}]") for i, v in enumerate(obj)))
    if (names := _fields(obj)) is not None:
        label = f"{type(obj).__module__}.{type(obj).__qualname__}"
        values = (digest(n, _content(getattr(obj, n), f"{where}.{n}")) for n in names)
        return digest("record", label.encode(), *values)
    raise TypeError(
        f"{where} is a {type(obj).__qualname__}; a result can only depend on numbers, strings, arrays, and tuples, "
        "lists, dicts, named tuples and frozen dataclasses of these"
    )


def _array(a: np.ndarray, where: str) -> bytes:
    if a.dtype.kind not in "biufcSU":
        raise TypeError(f"{where} is an array of dtype {a.dtype}, which has no canonical byte representation")
    a = np.ascontiguousarray(a, dtype=a.dtype.newbyteorder("<")).reshape(a.shape)
    return digest("array", a.dtype.str.encode(), repr(a.shape).encode(), a.tobytes())


def _fields(obj: Any) -> tuple[str, ...] | None:
    """Field names of a named tuple or a frozen dataclass, None for anything else."""
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return tuple(obj._fields)
    if dataclasses.is_dataclass(obj) and not isinstance(obj, type) and type(obj).__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return tuple(f.name for f in dataclasses.fields(obj))
    return None


def simulation_key(sim: Simulation, batch: Batch, marks: np.ndarray, seed: int, fast: bool = False) -> str:
    """32 hexadecimal digits that identify the result of a simulation; equal keys mean equal trajectories.

    The key covers the batch itself, not the function that made it. Engine and backend are left out, since they agree.
    Raises TypeError if the batch holds something without a canonical byte representation.
    """
    inputs = {
        "simulation": sim.key,
        "algorithm": sim.algorithm,
        "mutation": sim.mutation,
        "instance": batch.instance,
        "steps": batch.steps,
        "start": dict(batch.start),
        "params": batch.grid.params,
        "run_ids": batch.grid.run_ids,
        "marks": np.asarray(marks, dtype=np.int64),
        "seed": int(seed),
        **({"arithmetic": "fast"} if fast else {}),
    }
    data = {name: _content(value, name).hex() for name, value in inputs.items()}
    method = papers.module_name("method", sim.algorithm)
    probe = {f"workbench.probes.{sim.probe}", "workbench.probes:probed"} if sim.probe else set()
    instance, steps = _classes(batch.instance), _classes(batch.steps)
    code = code_hash({method, ENGINE, *instance, *steps, *probe})
    return content_hash({**data, "code": code, "numpy": np.__version__})[:32]


def multiplies_matrices(batch: Batch) -> bool:
    """Whether an instance has matrix products, which BLAS sums in an unspecified order.

    In that case a run on its own and the same run in a batch agree only to round-off. The answer is read off the
    sources of the instance's records.
    """
    return reaches(_classes(batch.instance), ("MatMult", "matmul", "tensordot", "einsum", "vecdot"))


def _classes(obj: Any) -> set[str]:
    """ "module:Class" of a record and of all records nested in it, such as an instance's noise laws."""
    if isinstance(obj, dict):
        return set().union(*(_classes(v) for v in obj.values()))
    found = set()
    if (names := _fields(obj)) is not None:
        found = {f"{type(obj).__module__}:{type(obj).__qualname__}"}
        return found.union(*(_classes(getattr(obj, n)) for n in names))
    if isinstance(obj, tuple | list):
        return found.union(*(_classes(v) for v in obj))
    return found
