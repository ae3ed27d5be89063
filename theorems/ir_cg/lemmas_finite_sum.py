"""Lemmas 9-11 and Theorem 2. L785-898."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sympy import Rational, Symbol, symbols

from theorems.ir_cg import theorem_2
from theorems.ir_cg.chain import from_q, likely, link, logarithm, measured, seen
from theorems.ir_cg.common import C, C_bar, bound, ell, smooth
from theorems.ir_cg.constants import D
from theorems.lemma import Identity, Inequality, WithProbability, at_least, positive
from theorems.record import Form

G_next, Fz_gap, Gz_gap, sigma_next = seen("G_next", "Fz_gap", "Gz_gap", "sigma_next")
OUTER = {f: theorem_2.OUTER.form(f) for f in ("printed", "repaired", "own")}
INNER = {f: theorem_2.INNER.form(f) for f in ("printed", "repaired", "own")}

LEM_9 = link(
    "lem-9",
    "Inner gap of the last iterate, finite sums",
    "Lemma 9, L794-811",
    "With probability 1 - delta, for all t >= q, G(x_t) - G_opt <= C_(delta,q) sigma_t.",
    ("prop-1", "prop-3", "lem-8"),
    from_q(
        likely,
        "along runs",
        G_next,
        (measured(INNER["repaired"], C) + measured(INNER["repaired"], C_bar)) * sigma_next,
    ).repaired("I4"),
)
u = Symbol("u", positive=True)
LEM_10 = link(
    "lem-10",
    "Both levels of the average, finite sums",
    "Lemma 10, L815-849",
    "With probability 1 - delta, for all t >= q: F(z_t) - F_opt is at most the outer bound of Theorem 2, and "
    "G(z_t) - G_opt <= C_(delta,q) (1 + V_q) sigma_t.",
    ("lem-9", "eq-S", "prop-1", "prop-3", "lem-8"),
    Inequality(
        "4 D times Proposition 3 against the printed term",
        4 * D * u,
        D * u,
        positive(D, u),
        witness={D: 1, u: 1},
        note="u = (8 sqrt(2) t - 4 q) (sigma_0 L_f + L_g) D sqrt(log), as in the printed step. This is a gap in the "
        "proof, not a counter-example to the bound.",
    ).refuted("I4"),
    Identity(
        "the record's late term",
        OUTER["repaired"][bound] - OUTER["printed"][bound],
        3 * theorem_2.LATE * smooth * D**2 * ell / theorem_2.WEIGHT,
    ).repaired("I4"),
)
x, y = symbols("x y", positive=True)
LEM_11 = link(
    "lem-11",
    "Closed bounds of the suprema, finite sums",
    "Lemma 11, L851-894",
    "C_q and V_q as in Lemma 6; C_bar is at most its closed form in Theorem 2.",
    ("lem-6",),
    Inequality(
        "L867 at t = q",
        (x + 1) ** Rational(9, 10) / x,
        1,
        {x: at_least(2)},
        witness={x: 2},
        note="p = 9/10, q = x: the factor of (max G - G_opt)/varsigma.",
    ).refuted("I5"),
    Inequality(
        "behind q the step holds, p = 9/10",
        (x + 1) / ((y + 1) ** Rational(1, 10) * y),
        y ** Rational(-1, 10),
        {x: at_least(1), y: at_least(2)},
        given=(x + 1 <= y,),
        note="x = q, y = t >= q + 1.",
    ).repaired("I5"),
    *logarithm(),
    errata=("I4", "I15"),
)


def along_runs(
    gap: Symbol, forms: Mapping[str, Form], errata: Mapping[str, str]
) -> Iterator[WithProbability]:
    """The gap is below the bound of each form from t = q on. `errata`: form -> the erratum that it resolves."""
    for form, label in errata.items():
        line = from_q(likely, f"along runs, {form}", gap, measured(forms[form]))
        yield replace(line, form=form, erratum=label)


THM_2_OUTER = link(
    "thm-2-outer",
    "Theorem 2, outer level",
    "Theorem 2, L165-170, L896-898",
    "The outer bound of Theorem 2.",
    ("lem-10", "lem-11"),
    *along_runs(Fz_gap, OUTER, {"printed": "", "repaired": "I4", "own": ""}),
)
THM_2_INNER = link(
    "thm-2-inner",
    "Theorem 2, inner level",
    "Theorem 2, L165-170, L896-898",
    "The inner bound of Theorem 2.",
    ("lem-10", "lem-11"),
    *along_runs(Gz_gap, INNER, {"repaired": "I5", "own": ""}),
)

LEMMAS = (LEM_9, LEM_10, LEM_11, THM_2_OUTER, THM_2_INNER)
