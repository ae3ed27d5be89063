"""The shared elementary functions: errors against mpmath, special values, and the same bits wherever they run.

An error is counted in units in the last place (ulp) of the exact value. The docstrings state the largest one measured
over these points; it must neither be exceeded nor be far away.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import pickle
import re
import subprocess
import sys

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workbench.arrays import backends, maths
from workbench.arrays.backends import compiled

FUNCTIONS = ("log", "exp", "sin", "cos", "tanh")
INF, NAN, TINY, LEAST = np.inf, np.nan, 2.0**-1022, 5e-324
SPECIAL = [0.0, -0.0, INF, -INF, NAN, LEAST, -LEAST, TINY, -TINY, 1.0, -1.0, 0.5, 2.0, 1e308, -1e308]
SPECIAL += [
    709.78,
    709.79,
    710.0,
    -708.4,
    -745.1,
    -745.2,
    1e16,
    1e300,
    np.nextafter(1, 0),
    np.nextafter(1, 2),
]
RNG = np.random.default_rng(11)
N = 2500


def bits(a):
    """Float bits as integers, one pattern for all NaNs: IEEE 754 leaves open which of them comes out."""
    a = np.ascontiguousarray(backends.to_host(a), dtype=np.float64)
    return np.where(np.isnan(a), np.nan, a).view(np.int64)


def same_bits(a, b):
    np.testing.assert_array_equal(bits(a), bits(b))


def uniform(low, high):
    return RNG.uniform(low, high, N)


def signs():
    return RNG.choice([-1.0, 1.0], N)


def around(points):
    """The nearest float and its neighbours on both sides."""
    return np.concatenate([points, np.nextafter(points, INF), np.nextafter(points, -INF)])


QUARTERS = around(np.concatenate([np.arange(1, 200), RNG.integers(1, 10**6, N)]) * (np.pi / 2))
LONG = np.concatenate([np.arange(-745.0, 710.0) * np.log(2), uniform(-708, 709.7)])
_MORE = np.random.default_rng(12)
REDUCED = _MORE.integers(-(5 * 10**5), 5 * 10**5, 4 * N) * np.pi + _MORE.uniform(-0.8, 0.8, 4 * N)
ANGLES = [
    uniform(-1, 1),
    uniform(0, 2 * np.pi),
    uniform(-1.6e6, 1.6e6),
    REDUCED,
    REDUCED + np.pi / 2,
    10.0 ** uniform(-20, 0),
    QUARTERS,
    -QUARTERS,
    [1401533.8502742937, -280313.0648959144],  # the worst of 3e6 uniform on +-1.6e6, for sin and cos
]
POINTS = {
    "log": [
        uniform(0, 1),
        uniform(0.5, 2),
        2.0 ** uniform(-1074, 1024),
        around(2.0 ** np.arange(-1022.0, 1024)),
        around(2.0 ** (np.arange(-999, 1000.0) + 0.5)),
        1 + signs() * 10.0 ** uniform(-16, -1),
    ],
    "exp": [uniform(-1, 1), LONG[LONG > -745], uniform(-745, -700), signs() * 10.0 ** uniform(-20, 0)],
    "sin": ANGLES,
    "cos": ANGLES,
    "tanh": [
        uniform(-1, 1),
        uniform(-25, 25),
        signs() * 10.0 ** uniform(-20, 0),
        around(np.arange(1, 60) / 2 * np.log(2)),
    ],
}
EXPONENTS = RNG.choice([-1 / 3, 0.5, 2 / 3, 0.25, -0.75, 1.5, 0.4, 0.6, 2.0, -1.0], N)
BASES = 2.0 ** uniform(-1022, 1023), uniform(0.5, 2)
POWERS = {
    "steps": (2.0 ** uniform(-40, 40), EXPONENTS),
    "large results": (BASES[0], uniform(-700, 700) / np.log(BASES[0])),
    "large exponents": (BASES[1], uniform(-700, 700) / np.log(BASES[1])),
    "the ends of the reduced range": (np.sqrt(2) * uniform(0.99, 1.0), signs() * uniform(1900, 2000)),
    "subnormal results": (BASES[0], -uniform(709, 744) / np.log(BASES[0])),
    "subnormal bases": (2.0 ** uniform(-1074, -1022), uniform(-0.9, 0.9)),
    "around one": (1 + signs() * 10.0 ** uniform(-15, -3), uniform(-100, 100)),
}


def error(got: np.ndarray, exact: list) -> float:
    """Largest distance in ulp; exact: mpmath numbers."""
    worst = 0.0
    for value, truth in zip(got.tolist(), exact, strict=True):
        if truth == 0:
            worst = max(worst, 0.0 if value == 0 else INF)
        else:
            _, e = mpmath.frexp(truth)
            worst = max(worst, float(abs(value - truth) / mpmath.ldexp(1, max(int(e) - 53, -1074))))
    return worst


def stated(name: str) -> float:
    found = re.search(r"Largest error measured[^:]*: ([\d.]+) ulp", getattr(maths, name).__doc__)
    assert found is not None
    return float(found[1])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_error(name):
    x = np.concatenate(POINTS[name])
    got = getattr(maths, name)(x, np)
    with mpmath.workprec(200):
        exact = [getattr(mpmath, name)(mpmath.mpf(v)) for v in x.tolist()]
        assert 0.8 * stated(name) < error(got, exact) <= stated(name)
        assert error(np.nextafter(got, INF), exact) > 1.0  # the measure sees one unit in the last place


def test_error_of_power():
    with mpmath.workprec(200):
        worst: dict[str, float] = {}
        for case, (x, p) in POWERS.items():
            exact = [mpmath.mpf(a) ** mpmath.mpf(b) for a, b in zip(x.tolist(), p.tolist(), strict=True)]
            worst[case] = error(maths.power(x, p, np), exact)
    assert 0.8 * stated("power") < max(worst.values()) <= stated("power"), worst


def test_power_keeps_its_error_where_the_plain_formula_loses_it():
    x, p = POWERS["large results"]
    with mpmath.workprec(200):
        exact = [mpmath.mpf(a) ** mpmath.mpf(b) for a, b in zip(x.tolist(), p.tolist(), strict=True)]
        assert error(np.exp(p * np.log(x)), exact) > 50


# ------------------------------------------------------------------------------------------ special values


@pytest.mark.parametrize("name", FUNCTIONS)
def test_special_values(name):
    """Zeros with their sign, infinities, NaN, overflow and gradual underflow: as in NumPy, up to the stated error."""
    x = np.array([v for v in SPECIAL if name not in ("sin", "cos") or not 2e6 < abs(v) < INF])
    with np.errstate(all="ignore"):
        got, library = getattr(maths, name)(x, np), getattr(np, name)(x)
    plain = np.isfinite(library) & (library != 0.0)
    same_bits(got[~plain], library[~plain])
    assert np.all(np.abs(got[plain] - library[plain]) <= 2 * np.spacing(np.abs(library[plain])))


def test_exact_values():
    same_bits(maths.log(np.array([1.0]), np), [0.0])
    same_bits(maths.exp(np.array([0.0, -0.0]), np), [1.0, 1.0])
    same_bits(maths.cos(np.array([0.0, -0.0]), np), [1.0, 1.0])
    same_bits(maths.tanh(np.array([30.0, -30.0]), np), [1.0, -1.0])
    x = np.concatenate([*ANGLES, SPECIAL])
    x = x[np.abs(x) < 1e15]
    for name in ("sin", "tanh"):
        same_bits(getattr(maths, name)(-x, np), -getattr(maths, name)(x, np))
    same_bits(maths.cos(-x, np), maths.cos(x, np))


def test_no_spurious_warning():
    """Only what overflows or is undefined warns; the suite turns warnings into errors."""
    x = np.array([0.0, -0.0, LEAST, TINY, 1.0, 1e300, 1.7e308, INF, NAN])
    maths.log(x, np)
    maths.log(-x, np)
    maths.tanh(x, np)
    maths.tanh(-x, np)
    maths.power(x, 0.5, np)
    with pytest.warns(RuntimeWarning, match="overflow"):
        maths.exp(np.array([800.0]), np)


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_large_angles(name):
    """Beyond 1.6e6 the sine of an argument within 2^-52 |x|; in the end only a number in [-1, 1]; NaN at infinity."""
    x = np.concatenate(
        [10.0 ** RNG.uniform(6.3, 13, N), around(np.round(10.0 ** RNG.uniform(6.3, 12, 300)) * np.pi / 2)]
    )
    with mpmath.workprec(400):
        exact = np.array([float(getattr(mpmath, name)(mpmath.mpf(v))) for v in x.tolist()])
    assert np.all(np.abs(getattr(maths, name)(x, np) - exact) <= 2.0**-52 * x)
    huge = getattr(maths, name)(np.concatenate([10.0 ** RNG.uniform(13, 308, N), [1.7e308]]), np)
    assert np.all(np.abs(huge) <= 1.0)
    assert np.mean(np.abs(huge) > 0.01) > 0.9  # not a constant 0 that would look like a stationary point
    with np.errstate(invalid="ignore"):
        assert np.isnan(getattr(maths, name)(np.array([INF, -INF, NAN]), np)).all()


def test_special_powers():
    table = [
        (0.0, 0.5, 0.0), (-0.0, 0.5, 0.0), (0.0, -0.5, INF), (INF, 0.5, INF), (INF, -0.5, 0.0), (1.0, 1e300, 1.0),
        (NAN, 0.5, NAN), (0.5, NAN, NAN), (-1.0, 0.5, NAN), (-INF, 0.5, NAN), (NAN, 0.0, 1.0), (-2.0, 0.0, 1.0),
        (INF, 0.0, 1.0), (0.0, 0.0, 1.0), (LEAST, 1.0, LEAST), (0.0, 1.0, 0.0), (INF, 1.0, INF), (-3.0, 1.0, NAN),
        (2.0, 1e6, INF), (2.0, -1e6, 0.0), (0.5, 1e308, 0.0), (0.5, -1e308, INF), (2.0, LEAST, 1.0),
        (2.0, -1074.0, LEAST), (2.0, INF, INF),
        (0.5, INF, 0.0), (LEAST, -1.0, INF), (4.0, 0.5, 2.0), (8.0, 2.0, 64.0), (1e-300, 1.1, 0.0),
    ]  # fmt: skip
    x, p, expected = np.array(table).T
    expected[-1] = 1e-300**1.1
    with np.errstate(all="ignore"):
        got = maths.power(x, p, np)
        for i in range(len(x)):  # a number for an exponent
            same_bits(maths.power(x[i : i + 1], float(p[i]), np), got[i : i + 1])
    same_bits(got[:-1], expected[:-1])
    assert got[-1] == pytest.approx(expected[-1], rel=1e-15)


@given(st.floats(0, allow_nan=False))
@example(LEAST)
@example(np.nextafter(1, 0))
def test_power_is_exact_at_zero_and_one(x):
    x = np.array([x])
    same_bits(maths.power(x, 1.0, np), x)
    same_bits(maths.power(x, 0.0, np), [1.0])


# ---------------------------------------------------------------------------------- the same bits everywhere


def arguments(name):
    if name == "power":
        x, p = (np.concatenate(v) for v in zip(*POWERS.values(), strict=True))
        pairs = np.array([(a, b) for a in SPECIAL for b in SPECIAL])
        return np.concatenate([x, pairs[:, 0]]), np.concatenate([p, pairs[:, 1]])
    if name in ("log_unit", "cos_turn", "sin_turn"):
        return ((RNG.integers(0, 1 << 32, N) + 0.5) * 2.0**-32,)
    return (np.concatenate([*POINTS[name], SPECIAL]),)


def shared_name(name):
    return "pow" if name == "power" else name


@pytest.mark.parametrize("name", compiled.FUNCTIONS)
def test_compiled_equals_array_version(name):
    pytest.importorskip("numba")
    fast, args = compiled.ufunc(name), arguments(name)
    with np.errstate(all="ignore"):
        expected = getattr(maths, name)(*args, np)
        same_bits(fast(*args), expected)
        same_bits(fast(*(a[::-3] for a in args)), expected[::-3])  # the loop for any stride
        same_bits([fast(*(a[i] for a in args)) for i in range(0, len(args[0]), 997)], expected[::997])


def test_a_cache_that_cannot_be_used_is_done_without():
    """Numba raises what pickle and the disk raise: damaged files, no room."""
    tried = []

    def compile(signatures, cache=False):
        tried.append(cache)
        if cache:
            raise pickle.UnpicklingError("pickle data was truncated")
        return lambda function: (signatures, function)

    assert compiled.compile_cached(compile, "f8(f8)", abs) == (["f8(f8)"], abs)
    assert tried == [True, False]


@pytest.mark.parametrize("name", compiled.FUNCTIONS)
def test_namespaces_have_the_shared_functions(name, xp):
    args = arguments(name)
    with np.errstate(all="ignore"):
        got = getattr(xp, shared_name(name))(*(xp.asarray(a) for a in args))
        same_bits(got, getattr(maths, name)(*args, np))


def test_pinned_bits():
    """Arguments that every machine makes alike; a fused multiply-add or another order of operations changes this."""
    x = np.arange(1, 4097) / 64.0
    with np.errstate(all="ignore"):
        values = [getattr(maths, name)(x, np) for name in FUNCTIONS] + [maths.power(x, -1 / 3, np)]
    digest = hashlib.sha256(np.stack(values).astype("<f8").tobytes()).hexdigest()
    assert digest[:16] == "386d81fc61cc1cf4"


@given(st.lists(st.floats(), min_size=1, max_size=6))
@pytest.mark.parametrize("name", FUNCTIONS)
def test_rows_never_mix(name, values):
    """A value has its bits whatever stands beside it, in arrays of any shape and none."""
    x, f = np.array(values), getattr(maths, name)
    with np.errstate(all="ignore"):
        together = f(x, np)
        for i in range(len(x)):
            same_bits(f(x[i : i + 1], np), together[i : i + 1])
            same_bits(f(x[i], np), together[i])
        same_bits(f(np.stack([x, x])[:, None, :], np)[1, 0], together)


def test_one_source_without_branches():
    """Nothing that engines or libraries could do in two ways: four functions of the namespace, no branch, no ``**``."""
    tree = ast.parse(inspect.getsource(maths))
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name not in ("bits", "unbits")]
    assert len(functions) > 12
    for function in functions:
        for node in ast.walk(function):
            assert not isinstance(node, ast.If | ast.IfExp | ast.While | ast.BoolOp | ast.MatMult), (
                function.name
            )
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
                assert isinstance(node.left, ast.Constant), function.name
            if isinstance(node, ast.Attribute):
                assert node.attr in ("where", "floor", "abs", "sqrt"), (function.name, node.attr)


# ------------------------------------------------------------------------------------- when to compile


def test_compiles_once_it_has_been_slow(monkeypatch):
    monkeypatch.setattr(compiled.Patient, "seconds", 0.0)
    made = []

    def make():
        made.append(1)
        return lambda x: -x

    f = compiled.Patient(lambda x: x, make)
    assert f(1.0) == 1.0
    assert 0.0 < compiled.Patient.seconds < compiled.PATIENCE
    monkeypatch.setattr(compiled.Patient, "seconds", 2 * compiled.PATIENCE)
    assert [f(1.0), f(2.0)] == [-1.0, -2.0]
    assert made == [1]


def test_without_numba(monkeypatch):
    monkeypatch.setattr(compiled.Patient, "seconds", 2 * compiled.PATIENCE)
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setattr(compiled, "ufunc", compiled.ufunc.__wrapped__)
    monkeypatch.setattr(compiled, "scalar_namespace", compiled.scalar_namespace.__wrapped__)
    x = np.linspace(0.1, 9.0, 50)
    same_bits(compiled.on_numpy("log")(x), maths.log(x, np))


def test_numba_is_imported_late():
    code = (
        "import sys, workbench.arrays.random, workbench.arrays.backends as b; b.namespace('numpy').log(2.0); "
    )
    code += "sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_namespace_is_the_librarys_otherwise(backend_name):
    xp = backends.namespace(backend_name)
    assert backends.namespace(backend_name) is xp
    assert backends.namespace_of(xp) is xp
    library = sys.modules[xp.__name__]
    assert backends.namespace_of(library) is xp
    assert xp.where is library.where
    assert xp.sqrt is library.sqrt
    assert xp.log is not library.log
    assert not hasattr(xp, "power")


def test_a_number_is_an_argument_on_numpy():
    xp = backends.namespace("numpy")
    assert float(xp.log(2)) == float(maths.log(np.array(2.0), np))
    assert float(xp.pow(4, 0.5)) == 2.0


def test_log_unit_is_log_where_it_holds():
    u = np.concatenate([RNG.random(N), 2.0 ** np.arange(-1022.0, 1), [2.0**-33, 1 - 2.0**-33]])
    same_bits(maths.log_unit(u, np), maths.log(u, np))


@pytest.mark.parametrize("name", sorted(maths.SHORT))
def test_short_functions_have_the_same_bits_where_they_stand_in(name):
    other, below = maths.SHORT[name]
    near = np.pi / 2 + signs() * 10.0 ** uniform(-16, 0)
    bounds = np.float64(below).view(np.int64) - np.arange(1, N)
    x = np.concatenate(
        [*ANGLES, uniform(-below, below), 10.0 ** uniform(-300, 0), near, bounds.view(float), SPECIAL]
    )
    x = np.concatenate([x, -x])
    x = x[np.abs(x) < below]
    assert x.size > 8 * N
    same_bits(getattr(maths, other)(x, np), getattr(maths, name)(x, np))


def test_sine_and_cosine_never_exceed_one():
    """Floats around pi/2 and its multiples, and cosines of small angles; with Estrin's own order some exceeded 1."""
    near = np.arange(-200_000, 200_000)
    x = np.concatenate(
        [(np.float64(1.5707963267).view(np.int64) + near).view(np.float64), QUARTERS, -QUARTERS]
    )
    small = np.concatenate(
        [10.0 ** _MORE.uniform(-12, -6, 100_000), [float.fromhex("0x1.cc539581fe0b9p-34")]]
    )
    for angle in (x, float.fromhex("0x1.921fb543f3fdcp+0") * np.ones(1), small):
        assert np.abs(maths.sin(angle, np)).max() <= 1.0
        assert np.abs(maths.cos(angle, np)).max() <= 1.0
    turns = np.arange(1 << 18) * 2.0**-50
    for v in (turns, 0.25 - turns, 0.25 + turns, 0.5 - turns, 0.75 + turns, 1.0 - turns):
        assert np.abs(maths.cos_turn(v, np)).max() <= 1.0
        assert np.abs(maths.sin_turn(v, np)).max() <= 1.0


def test_turns_against_mpmath():
    """Uniforms of 32 bits, with all multiples of an eighth and their neighbours."""
    words = np.concatenate([RNG.integers(0, 1 << 32, N), *[np.arange(0, 9) * 2**29 + e for e in (-1, 0, 1)]])
    v = (words[(words >= 0) & (words < 1 << 32)] + 0.5) * 2.0**-32
    v = np.concatenate([v, np.arange(9) / 8])
    with mpmath.workdps(40):
        for got, exact in ((maths.cos_turn(v, np), mpmath.cos), (maths.sin_turn(v, np), mpmath.sin)):
            truth = [exact(2 * mpmath.pi * mpmath.mpf(float(a))) for a in v]
            worst = max(float(abs(mpmath.mpf(float(g)) - e)) for g, e in zip(got, truth, strict=True))
            assert 0.8e-16 < worst <= 2.6e-16
    assert maths.cos_turn(np.array([0.0, 0.25, 0.5, 0.75, 1.0]), np).tolist() == [1, 0, -1, 0, 1]
