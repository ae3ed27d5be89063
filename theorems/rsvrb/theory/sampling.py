"""C(p), L(p) and the maxima over tasks of Lemma 5; the probabilities p that make C(p) least. L248, L254, L502.

With a_i^2 = C_fx,i^2 + ... + C_gyy,i^2, C(p) = sum a_i^2/p_i is least, (sum a_i)^2, at p_i = a_i/sum a_j, by
Cauchy-Schwarz; uniform sampling has m sum a_i^2. The paper does not give the minimizer. Since every
C_gyy,i >= lambda (Assumption 3), C(p) >= (lambda m)^2 for every p: the bound C(p)/(m eps^3) has at least the order
m/eps^3 (E11).
"""

from collections.abc import Mapping, Sequence
from math import fsum, inf, isclose, sqrt

from sympy import Symbol

from workbench import Statement
from workbench.theory import PowerSum

from . import common
from . import constants as k
from .paper import PAPER

Task = Mapping[str, float]  # L_fx, ..., L_gyy and C_fx, ..., C_gyy of one task

LEMMA_5 = tuple(
    Statement(PAPER.entry(f"lem-5-{symbol}"), PAPER, f"{symbol} of Lemma 5", formula, "L377", own=False)
    for symbol, formula in common.LEMMA_5
    if formula.free_symbols
)
LOWER_BOUND = Statement(
    PAPER.entry("own-C-least"),
    PAPER,
    "Least C(p)",
    (k.lam * k.m) ** 2,
    "Cauchy-Schwarz with C_gyy,i >= lambda",
)

alpha = Symbol("alpha", nonnegative=True)
# C(p) of uniform sampling over the least C(p) for a_i = i^(-alpha).
RATIO = Statement(
    PAPER.entry("own-ratio"),
    PAPER,
    "Gain of the best probabilities, a_i = i^(-alpha)",
    k.m * PowerSum(k.m, 2 * alpha) / PowerSum(k.m, alpha) ** 2,
    "m sum a_i^2 over (sum a_i)^2",
)


def size(task: Task) -> float:
    """a_i: the root of the sum of the task's five second moments."""
    return sqrt(fsum(task[f"C_{n}"] ** 2 for n in k.ORACLES))


def uniform(m: int) -> list[float]:
    """p_i = 1/m. Raises ValueError without tasks."""
    if m < 1:
        raise ValueError(f"the number of tasks is at least 1, got {m}")
    return [1 / m] * m


def optimal(sizes: Sequence[float]) -> list[float]:
    """p_i = a_i/sum a_j. Raises ValueError unless every a_i is positive and finite."""
    if not sizes or not all(0 < a < inf for a in sizes):
        raise ValueError(f"sampling needs positive sizes of the tasks, got {list(sizes)}")
    total = fsum(sizes)
    return [a / total for a in sizes]


def weighted_sum(values: Sequence[float], p: Sequence[float]) -> float:
    """sum v_i^2/p_i. Raises ValueError if p is no distribution with positive entries, one for each value."""
    if len(p) != len(values):
        raise ValueError(f"{len(values)} tasks need as many probabilities, got {len(p)}")
    if not all(x > 0 for x in p) or not isclose(fsum(p), 1.0, rel_tol=1e-9):
        raise ValueError(f"probabilities are positive and add up to 1, got {list(p)}")
    return fsum(v * v / x for v, x in zip(values, p, strict=True))


def of_tasks(tasks: Sequence[Task], p: Sequence[float], lam: float) -> dict[str, float]:
    """m, C(p), L(p) and the largest C_0, C_2, C_3, C_4 of any task, by the names of
    `workbench.theorems.rsvrb.theory.constants`."""
    constants: dict[str, float] = {"m": len(tasks)}
    for symbol, letter in (("C_p", "C"), ("L_p", "L")):
        constants[symbol] = fsum(weighted_sum([x[f"{letter}_{n}"] for x in tasks], p) for n in k.ORACLES)
    for statement in LEMMA_5:
        constants[statement.key.rsplit("-", 1)[1]] = max(float(statement.value(lam=lam, **x)) for x in tasks)
    return constants
