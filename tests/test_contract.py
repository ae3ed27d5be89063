"""What every algorithm keeps, whatever paper it comes from; a new module is picked up by itself.

Run on every instance whose oracle the algorithm can use (see `discover`).
"""

from __future__ import annotations

import ast
import dataclasses
import inspect

import numpy as np
import pytest
from discover import (
    AWKWARD,
    algorithms,
    decomposes,
    pair_id,
    pairs,
    same,
    short,
    starts,
    steps_of,
    take_rows,
    trajectory,
    uses_blas,
    with_noise,
)
from thin import one_in

from workbench.arrays import backends, noise
from workbench.cli.contracts.steps import impurities
from workbench.engine.oracle import Oracle
from workbench.engine.records import Problem, Rows

RUNS, HORIZON = 5, 6
each_algorithm = pytest.mark.parametrize("algorithm", algorithms(), ids=short)
each_pair = pytest.mark.parametrize("pair", one_in(3, pairs()), ids=pair_id)


def setup(pair, runs=RUNS):
    """(algorithm, instance, steps, start, ids) with a grid of noise levels and noise of the awkward kind."""
    algorithm, cls, d = pair
    levels = np.linspace(0.0, 2.0, runs)[:, None]
    instance = with_noise(cls, noise.TwoRadius(levels / 2, levels))
    start = starts(runs, d)
    return algorithm, instance, steps_of(algorithm, instance, start), start, np.arange(runs)


def leaves(state, runs=RUNS):
    return {n: v for n, v in state._asdict().items() if getattr(v, "ndim", 0) and v.shape[0] == runs}


@each_algorithm
def test_records(algorithm):
    """State and Steps are named tuples; the module says its title and where it is printed."""
    for record in (algorithm.State, algorithm.Steps):
        assert issubclass(record, tuple)
        assert record._fields
    assert algorithm.TITLE
    assert algorithm.SOURCE
    assert algorithm.__doc__
    assert list(inspect.signature(algorithm.init).parameters) == ["start", "c", "oracle", "draw", "xp"]
    assert list(inspect.signature(algorithm.step).parameters) == ["s", "t", "c", "oracle", "draw", "xp"]


@each_algorithm
def test_knows_no_array_library(algorithm):
    tree = ast.parse(inspect.getsource(algorithm))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and not node.level)
        for name in ([a.name for a in node.names] if isinstance(node, ast.Import) else [node.module])
    }
    assert imported <= {"typing", "workbench", "__future__"}
    (step,) = (f for f in tree.body if isinstance(f, ast.FunctionDef) and f.name == "step")
    attributes = {node.attr for node in ast.walk(step) if isinstance(node, ast.Attribute)}
    assert not attributes & {"shape", "T", "random"}  # a tracer has none of them


@each_pair
def test_shapes_are_kept(pair):
    """A step returns its own State: same type, fields, shapes and dtypes as ``init`` gave."""
    algorithm, instance, steps, start, ids = setup(pair)
    states = trajectory(algorithm, instance, steps, start, ids, 3)
    for state in states:
        assert type(state) is algorithm.State
        for name, first in states[0]._asdict().items():
            value = getattr(state, name)
            assert np.shape(value) == np.shape(first), name
            assert np.asarray(value).dtype == np.asarray(first).dtype, name
    assert any(np.any(getattr(states[0], n) != getattr(states[-1], n)) for n in leaves(states[0]))


@each_pair
def test_step_is_pure(pair):
    """Same input, same output, and no input touched: every array that goes in is read-only."""
    algorithm, instance, steps, start, ids = setup(pair)
    assert list(impurities(Problem(algorithm, instance, steps, start, Rows(ids)))) == []


@each_pair
def test_batch_equals_one_by_one(pair):
    """Rows never mix. A matrix product may add in another order for another batch size."""
    algorithm, instance, steps, start, ids = setup(pair)
    rtol = 1e-11 if uses_blas(pair[1]) else 0.0
    whole = trajectory(algorithm, instance, steps, start, ids, HORIZON)[-1]
    for i in range(RUNS):
        rows = slice(i, i + 1)
        part, begin = take_rows(instance, rows, RUNS), take_rows(start, rows, RUNS)
        alone = trajectory(algorithm, part, steps, begin, ids[rows], HORIZON)[-1]
        for name, value in leaves(whole).items():
            same(getattr(alone, name), value[rows], rtol)


def test_copies_are_refused_only_where_nobody_asks(no_implicit_copies):
    a = backends.namespace("array-api-strict").asarray([1.0, 2.0])
    assert backends.to_host(a).tolist() == [1.0, 2.0]
    for convert in (np.asarray, np.sum, lambda v: np.ones(2) @ v):
        with pytest.raises(TypeError, match="implicit copy"):
            convert(a)


@each_pair
def test_numpy_equals_strict(pair, no_implicit_copies):
    """On array-api-strict nothing outside the standard works, and the bits are NumPy's."""
    if decomposes(pair[0]):
        pytest.skip("array-api-strict is used without its extension for decompositions")
    algorithm, instance, steps, start, ids = setup(pair)
    strict = backends.namespace("array-api-strict")
    ours = trajectory(algorithm, instance, steps, start, ids, 2)[-1]
    theirs = trajectory(algorithm, instance, steps, start, ids, 2, xp=strict)[-1]
    for a, b in zip(ours, theirs, strict=True):
        same(a, b, 1e-11 if uses_blas(pair[1]) else 0.0)


@pytest.mark.gpu
@each_pair
def test_numpy_equals_cupy(pair):
    """cos, log and the rounding of fused multiply-adds differ on a GPU in the last bits; six steps stay close."""
    algorithm, instance, steps, start, ids = setup(pair)
    ours = trajectory(algorithm, instance, steps, start, ids, HORIZON)[-1]
    theirs = trajectory(algorithm, instance, steps, start, ids, HORIZON, xp=backends.namespace("cupy"))[-1]
    for a, b in zip(ours, theirs, strict=True):
        same(a, b, 1e-9)


@each_pair
def test_numbers_and_columns_have_the_same_bits(pair):
    """A parameter may be a number or a (runs, 1) column of the grid; counts (int) stay numbers.

    So may the fields of an instance that are declared as arrays.
    """
    algorithm, instance, steps, start, ids = setup(pair)
    fields = [f.name for f in dataclasses.fields(instance) if f.type == "Array"]
    one = dataclasses.replace(instance, **dict.fromkeys(fields, AWKWARD))
    grid = dataclasses.replace(instance, **{n: np.full((RUNS, 1), AWKWARD) for n in fields})
    columns = type(steps)(*(np.full((RUNS, 1), v) if isinstance(v, float) else v for v in steps))
    a = trajectory(algorithm, one, steps, start, ids, HORIZON)[-1]
    b = trajectory(algorithm, grid, columns, start, ids, HORIZON)[-1]
    for name, value in leaves(a).items():
        same(value, getattr(b, name))


@each_pair
def test_gradient_free_access(pair):
    """An algorithm reaches only what COSTS names: the exact solution stays out of its hands."""
    _, instance, _, _, _ = setup(pair)
    oracle = Oracle(backends.place(instance, np), np)
    for secret in ("phi", "y_star", "grad_phi", "metrics", "constants"):
        if hasattr(instance, secret):
            with pytest.raises(AttributeError, match="COSTS"):
                getattr(oracle, secret)
