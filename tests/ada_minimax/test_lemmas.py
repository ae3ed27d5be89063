"""The proof chain of paper `ada_minimax`: constants at their best value, what its lines notice, and its samplers."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy as sp
from measured_lines import LEMMAS
from proof_lines import verdict
from workbench.theorems.ada_minimax.experiments.ledger import SIMS
from workbench.theorems.ada_minimax.probes import neumann, samplers, single
from workbench.theorems.ada_minimax.theory import common, theorem_4_1, theorem_4_2, theorem_5_6
from workbench.theorems.ada_minimax.theory import hierarchical as h

from workbench.arrays.random import Draws
from workbench.claims.records import Mutation
from workbench.evidence.verdicts import Verdict
from workbench.ledger import brackets, trajectories
from workbench.ledger.from_sympy import tree
from workbench.run.jobs import execute, prepare
from workbench.run.options import Options
from workbench.theory import vocabulary as v
from workbench.theory.record import Form

PAPER = "ada_minimax"

# Every numbered lemma of the paper under the number of the main text; parts of G.1 and G.2 are links of their own.
NUMBERS = (
    *("A.1", "A.2", "A.3", "A.4", "5.3", "5.4", "5.5", "B.4", "C.1", "C.2", "5.7", "D.1", "D.2", "D.3"),
    *("E.1", "E.2", "E.3", "E.4", "E.5", "F.5", "G.1a", "G.1b", "G.1c"),
    *("G.2a", "G.2b", "G.2c", "G.2d", "G.2e", "G.3", "G.4"),
)


def test_a_tiny_first_gradient_does_not_refute_the_sum_of_lemma_a_3() -> None:
    """|g_1|^2 = 7e-11 in a run of seed 16: log(1 + |g_1|^2) had lost ten digits, and the line came out violated."""
    squares = 10.0 ** np.linspace(-30, 3, 10_000)
    assert np.allclose(single.log1p(squares, np), np.log1p(squares), rtol=1e-15, atol=0)
    assert (squares / (1 + squares) <= single.log1p(squares, np) * (1 + 1e-15)).all()
    assert single.log1p(np.zeros(1), np) == 0


def test_every_numbered_lemma_is_in_the_ledger() -> None:
    assert {f"{PAPER}/lem-{n}" for n in NUMBERS} <= LEMMAS.keys()


def test_constants_that_could_be_smaller() -> None:
    """Four constants of the paper have room; their smallest values are known roots."""
    roots = {
        ("lem-G.2a", "(4 kappa^2)^(1/4) <= 2 sqrt(kappa)"): 2**0.5,
        ("lem-G.2a", "fourth root of a sum"): 2**0.5,
        ("lem-G.2c", "3 sqrt(e) from 12 e kappa^2"): 6**0.5,
        ("thm-5.6", "fourth root of alpha^2 + 4 sigma_bar^2 T"): 2**0.5,
        ("thm-4.1", "rounding of the main text"): 5**0.5 / 2,
    }
    for (key, name), root in roots.items():
        check = LEMMAS[f"{PAPER}/{key}"].check(name)
        (found,) = brackets.brackets(check)
        assert found.refuted < root < found.certified
        assert float(found.certified / found.refuted) < 1.03


def test_other_constants_are_the_best() -> None:
    """The factor 2 of the descent lemma, of AdaGrad-Norm's sums, and of |g_y|^2 <= 2 sigma^2 + 2 L^2 d^2."""
    for key, name in (
        ("lem-B.4", "progress along the momentum"),
        ("lem-A.3", "one term of the first sum"),
        ("thm-4.1", "|g_y|^2 as 2 sigma^2 + 2 L^2 d^2"),
        ("lem-G.1c", "one step, without the exponential"),
    ):
        check = LEMMAS[f"{PAPER}/{key}"].check(name)
        (found,) = brackets.brackets(check)
        assert found.refuted < 2 <= found.certified < 2.05


@pytest.mark.parametrize(
    ("name", "key", "statement", "wrong"),
    [
        ("single", "lem-5.3", "m", "g"),
        ("single", "lem-5.3", "m", "(1 - a) * s.m + a * g2"),
        ("minimax", "lem-D.2", "m", "(1 - ap) * s.m + ap * g_x"),
        ("bilevel", "lem-E.4", "m", "(1 - a) * s.m + g_x"),
        ("minimax", "eq-33", "eta_x", "c.eta_x / xp.sqrt(t)"),
        ("minimax", "eq-24", "y", "s.y - eta_y * g_y"),
    ],
)
def test_a_wrong_algorithm_breaks_its_line(name: str, key: str, statement: str, wrong: str) -> None:
    """The probes observe the algorithm, not a copy of it. (eq-33 speaks of step sizes, which the probe computes.)"""
    sim = next(s for s in SIMS.values() if s.key.endswith(name))
    mutated = dataclasses.replace(sim, mutation=Mutation("wrong", statement, becomes=wrong))
    result = execute(prepare(mutated, Options(profile="quick", horizon=60, runs=8)), "numpy")
    record = trajectories.from_result(result, mutated)
    lemma = LEMMAS[f"{PAPER}/{key}"]
    check = lemma.check("along runs")
    found = trajectories.finding(lemma, check, {mutated.key: record})  # type: ignore[arg-type]
    assert (found.p_if_right == 0.0) == (key != "eq-33")


def test_samplers_are_what_their_docstrings_say() -> None:
    """Reproducible; the signs of an epoch are fair."""
    draws = Draws(5, np.arange(3), np)
    first, again = samplers.bernstein(draws, 3), samplers.bernstein(draws, 3)
    np.testing.assert_array_equal(first["total"], again["total"])
    assert (np.diff(first["squares"], axis=1) <= 1.0).all()
    grown = samplers.growing_epochs(Draws(5, np.arange(20), np), 20)
    ratio = (grown["total"] / np.sqrt(grown["squares"]))[:, 0]
    # Stopped runs end with 13 equal signs; what came before weighs at most 13/999 of one of them.
    assert ((ratio > 13 * (1 - 1 / 999) / np.sqrt(13.0001)) | (ratio < 3.4)).all()
    assert (ratio > 3.59).mean() > 0.8


def test_neumann_estimates() -> None:
    """Known values: |H_yy| at N = 1, the decay of the bias with N, and a coarse bound of the noise."""
    made = neumann.estimates(Draws(5, np.arange(200), np), 200)
    assert (made["H_norm"] <= 1 / made["mu_g"]).all()
    np.testing.assert_allclose(made["H_norm"][:, 0], 1 / neumann.SMOOTH)  # N = 1: the identity over l_g1
    assert made["noise_norm"].max() < neumann.SIGMA_F + neumann.SIGMA_G2 + 2 * neumann.SMOOTH
    # In the end the bias shrinks by the factor of the smallest eigenvalue.
    shrinks = made["neumann_norm"][:, -1] / made["neumann_norm"][:, -2]
    assert np.median(shrinks) == pytest.approx(1 - (neumann.MU + neumann.SIGMA_G2) / neumann.SMOOTH, rel=1e-3)


def test_the_sign_rule_pair_by_pair() -> None:
    """The sampler's sums of squares against the sum over pairs of Lemma F.5, products taken one after the other."""
    horizon, alpha = 5000, 0.1
    found = samplers.sign_rule(Draws(5, np.arange(1), np), 1)
    eps = np.concatenate([Draws(5, np.arange(1), np).at(c + 1)(0).sign(1000)[0] for c in range(5)])
    t_0 = samplers.constants(horizon, 1.0, 1.0)["t_0"]
    high, low, after_high, after_low = np.zeros(horizon + 1), np.zeros(horizon + 1), 1.0, 1.0
    for k in range(horizon, 1, -1):
        least = alpha / math.sqrt(alpha**2 + 4 * k)  # Lemma 5.5
        most = 1.0 if k < t_0 else alpha / math.sqrt(alpha**2 + k)
        high[k], low[k] = most * after_high, least * after_low
        after_high, after_low = after_high * (1 - least), after_low * (1 - most)
    pairs = 0.0
    for k in range(3, horizon + 1):
        equal = eps[: k - 2] == eps[k - 2]
        pairs += (np.where(equal, high[2:k] * high[k], -low[2:k] * low[k])).sum()
    assert found["optimum"][0, 0] == pytest.approx(pairs, rel=1e-9)
    assert found["spread"][0, 0] == pytest.approx((high**2).sum(), rel=1e-12)


def unchanged(e: Any) -> Any:
    return e


def at_the_start(e: Any) -> Any:
    return e.subs(h.Delta_y, v.L * v.d_1**2 / 2)


# Form, constant, the identity that has its definition on the left, and what of the definition it has there.
DELIVERED: list[tuple[Form, sp.Symbol, str, str, Callable[[Any], Any]]] = [
    (theorem_5_6.PRINTED, common.t_0, "eq-16", "the record's t_0", lambda e: e.args[1]),
    (theorem_5_6.PRINTED, common.C, "thm-5.6", "C of the record", unchanged),
    (theorem_5_6.REPAIRED, common.C, "thm-5.6", "C of the repaired record", unchanged),
    (theorem_5_6.PRINTED, common.bound, "thm-5.6", "the display", unchanged),
    (theorem_4_1.PRINTED, theorem_4_1.L_Phi, "lem-D.1", "L_Phi of the record", unchanged),
    (theorem_4_1.PRINTED, h.C_1, "lem-A.4", "C_1 of Theorem 4.1", at_the_start),
    (theorem_4_1.PRINTED, h.C_2, "lem-C.2", "C_2 of Theorem 4.1", unchanged),
    (theorem_4_1.PRINTED, h.D, "eq-34", "D of the record", unchanged),
    (theorem_4_1.REPAIRED, h.D, "eq-34", "D of the repaired record", unchanged),
    (theorem_4_1.REPAIRED, h.Q_T, "lem-5.7", "Q_T of the repaired record", unchanged),
    (theorem_4_1.REPAIRED, h.q, "own-quiet", "q of the repaired record", unchanged),
    (theorem_4_1.REPAIRED, common.C, "thm-4.1", "C of the repaired record", unchanged),
    (theorem_4_1.REPAIRED, common.bound, "thm-4.1", "the repaired display", unchanged),
    (theorem_4_2.REPAIRED, theorem_4_2.nu, "lem-E.2", "nu of the record", unchanged),
    (theorem_4_2.REPAIRED, theorem_4_2.L_f, "lem-E.1", "L_f is what the products give", unchanged),
    (theorem_4_2.REPAIRED, common.C, "thm-4.2", "C of the repaired record", unchanged),
    (theorem_4_2.REPAIRED, common.bound, "thm-4.2", "the repaired display", unchanged),
]


@pytest.mark.parametrize("case", DELIVERED, ids=lambda c: f"{c[0].name}-{c[1]}-{c[2]}")
def test_the_lemmas_deliver_the_theorems_constants(case: tuple) -> None:
    form, symbol, key, name, part = case
    check = LEMMAS[f"{PAPER}/{key}"].check(name)
    assert check.expected == "holds"
    left = check.statement["lhs"]
    left = (
        left[1] if left[0] == "^" and name.startswith("D of") else left
    )  # its square is what the lemmas give
    assert left == tree(sp.sympify(part(form[symbol])), True)


def test_a_wrong_constant_of_a_theorem_is_noticed() -> None:
    """C of Theorem 5.6 with one factor changed no longer collects the lemmas."""
    for old, new in (
        (common.t_0 - 1, common.t_0),
        (common.K, 2 * common.K),
        (common.Lambda, 1 + common.Lambda),
    ):
        wrong = tree(theorem_5_6.PRINTED[common.C].subs(old, new))
        assert verdict(f"{PAPER}/thm-5.6", "C of the record", lhs=wrong) == Verdict.VIOLATED
