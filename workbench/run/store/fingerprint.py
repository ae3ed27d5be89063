"""The key of a simulation: a hash of the content of all its inputs and of its code (`workbench.run.store.sources`)."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.claims.recording import Recording
from workbench.homes import papers
from workbench.run.store.content import content, content_hash, fields, without_last_bits
from workbench.run.store.sources import authored_hash, code_hash, reaches

if TYPE_CHECKING:
    from workbench.claims.records import Batch, Mutation, Simulation

ENGINE = "workbench.engine.eager:simulate"  # defines the trajectory; other engines must agree with it


def simulation_key(sim: Simulation, batch: Batch, marks: np.ndarray, seed: int, fast: bool = False) -> str:
    """32 hexadecimal digits that identify the result of a simulation; equal keys mean equal trajectories.

    The key covers the batch itself, not the function that made it. Engine and backend are left out, since they agree.
    Raises TypeError if the batch holds something without a canonical byte representation.
    """
    data = {
        **_inputs(sim, batch),
        "marks": content(np.asarray(marks, dtype=np.int64), "marks").hex(),
        "seed": content(int(seed), "seed").hex(),
        **({"arithmetic": content("fast", "arithmetic").hex()} if fast else {}),
    }
    code = code_hash({ENGINE, *_modules(sim, batch)})
    return content_hash({**data, "code": code, "numpy": np.__version__})[:32]


def authored_key(sim: Simulation, batch: Batch) -> str:
    """Digest of what the authors of a paper wrote: the batch and the code, but for that of the library.

    Which quantities are kept does not count: another claim may read more of them. Nor do the last bits of numbers,
    which are others on another processor: a plan that is shipped is of the same batches everywhere.
    """
    if isinstance(batch.instance, Recording):
        batch = replace(batch, instance=batch.instance.instance)
    code = authored_hash(_modules(sim, batch))
    return content_hash({**_inputs(sim, batch, without_last_bits), "code": code})[:32]


def _inputs(
    sim: Simulation, batch: Batch, floats: Callable[[np.ndarray], np.ndarray] = np.asarray
) -> dict[str, str]:
    inputs = {
        "simulation": sim.key,
        "algorithm": sim.algorithm,
        "mutation": sim.mutation,
        "instance": batch.instance,
        "steps": batch.steps,
        "start": dict(batch.start),
        "params": batch.grid.params,
        "run_ids": batch.grid.run_ids,
    }
    if sim.method is not None:
        inputs["method"] = sim.method.identity
    return {name: content(value, name, floats).hex() for name, value in inputs.items()}


def _modules(sim: Simulation, batch: Batch) -> set[str]:
    """Where the code begins on which a result depends."""
    method = papers.module_name("methods", sim.algorithm)
    modules = {method, *_classes(batch.instance), *_classes(batch.steps)}
    if sim.method is not None:
        modules.add("workbench.claims.optimizers.method:Method")
    if sim.probe:
        modules |= {papers.module_name("probes", sim.probe), "workbench.claims.probes:with_probe"}
    if sim.mutation:
        names = vars(importlib.import_module(method))
        modules |= {f"{method}:{name}" for name in _names_in(sim.mutation) if name in names}
    return modules


def _names_in(mutation: Mutation) -> set[str]:
    """The names in what a mutation writes into a step."""
    text = f"{mutation.becomes} {mutation.part}"
    return set(re.findall(r"[^\W\d]\w*", text)) | (_names_in(mutation.also) if mutation.also else set())


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
    classes = set()
    if (names := fields(obj)) is not None:
        classes = {f"{type(obj).__module__}:{type(obj).__qualname__}"}
        return classes.union(*(_classes(getattr(obj, n)) for n in names))
    if isinstance(obj, tuple | list):
        return classes.union(*(_classes(v) for v in obj))
    return classes
