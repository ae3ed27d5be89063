"""From a declared worst case to what is traced: constants, step sizes and the start at one horizon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from sympy import Expr, Integer, Rational, Symbol

from workbench.claims.method import complete
from workbench.claims.worst_cases import WorstCase
from workbench.ledger.worst_case.oracle import FINITE_SUM, NoClass, Part
from workbench.ledger.worst_case.trace import ROOTS, Question
from workbench.ledger.worst_cases import OPERATORS
from workbench.run import catalog
from workbench.theory import vocabulary

DEPTH = "Delta_F"  # of two levels, the outer function at the solution minus its minimum
NOISE = ("sigma", "sigma_f", "sigma_g", "sigma_bar", "sigma_low", "sigma_x_bar", "sigma_y", "sigma_x_low")


@dataclass(frozen=True)
class AtHorizon:
    """The question at one horizon. count: steps; claimed: the bound, squared where the metric is a root."""

    question: Question
    count: int
    claimed: Expr


def at_horizon(claim: WorstCase, T: int, noisy: bool = False) -> AtHorizon:
    """What a claim says at one horizon. noisy: a bound about noise is let pass, and the noise is left out.

    Raises NoClass, in a sentence, for what cannot be asked.
    """
    theorem = claim.theorem
    form = theorem.form(claim.form)
    constants: dict[Symbol, Expr] = {**theorem.generic, **claim.values, theorem.horizon: Integer(T)}
    bound = form.in_parameters()
    is_sum = any(c.startswith(FINITE_SUM) for c in claim.classes.values())
    noises = sorted(s.name for s in bound.free_symbols if s.name in NOISE and constants.get(s, 1) != 0)
    if noises and not noisy and not (is_sum and noises == ["sigma"]):
        raise NoClass(
            f"its bound is about noise ({noises[0]}), and a run of several noisy steps has no finite basis"
        )
    if missing := sorted(str(s) for s in bound.free_symbols - constants.keys()):
        raise NoClass(f"its bound needs a value of {missing[0]}: it is not in the theorem's `generic`")
    count = T - claim.shift - 1
    if count < 0:
        raise NoClass(f"T = {T} comes before the first step")
    _check_conditions(claim, constants)
    claimed = bound.subs(constants)
    if not claimed.is_positive:
        raise NoClass(f"its bound is {claimed} at T = {T}, which is no positive number")
    names = {s.name for s in bound.free_symbols}
    return AtHorizon(
        Question(
            _method(claim.method),
            _steps(claim, constants),
            claim.classes,
            {s.name: _fraction(v, s.name) for s, v in constants.items() if v.is_Rational},
            claim.metric,
            _distance(claim, constants, names),
            _fraction(constants[vocabulary.Delta_1], "Delta_1") if "Delta_1" in names else None,
            _starts(claim),
            _fraction(constants[vocabulary.sigma] ** 2, "sigma") if is_sum and "sigma" in names else None,
            next((_fraction(constants[s], s.name) for s in bound.free_symbols if s.name == DEPTH), None),
        ),
        count,
        claimed**2 if claim.metric in ROOTS else claimed,
    )


def _distance(claim: WorstCase, constants: Mapping[Symbol, Expr], names: set[str]) -> Fraction | None:
    """The squared distance of the start from the reference. Raises NoClass for 0: there is no start to choose."""
    given = claim.distance if claim.distance is not None else vocabulary.D_1 if "D_1" in names else None
    if given is not None:
        square = _fraction((given**2).subs(constants), "the distance of the start")
        if square == 0:
            raise NoClass("the distance of the start is 0")
        return square
    if "Delta_1" in names or any("set" in c for c in claim.classes.values()):
        return None
    raise NoClass(
        "its bound has none of D_1, Delta_1 and the diameter of a set; give distance=... where it is declared"
    )


def _fraction(value: Expr, name: str) -> Fraction:
    if not isinstance(value, Rational):
        raise NoClass(f"{name} is {value}, which is no fraction")
    return Fraction(int(value.p), int(value.q))


def _check_conditions(claim: WorstCase, constants: Mapping[Symbol, Expr]) -> None:
    values = {s.name: float(v) for s, v in constants.items() if v.is_number}
    try:
        claim.theorem.check(claim.form, **values)
    except ValueError as error:
        raise NoClass(str(error)) from None


def _steps(claim: WorstCase, constants: Mapping[Symbol, Expr]) -> dict[str, Any]:
    """Field of the method's `Steps` -> exact number."""
    method = _method(claim.method)
    fields = getattr(getattr(method, "Steps", None), "_fields", ())
    entries = {**claim.theorem.schedule, **claim.theorem.form(claim.form).schedule}
    by_name = {s.name: v for s, v in constants.items()}
    out = {}
    for name in fields:
        if name not in entries and name not in by_name:
            default = method.Steps._field_defaults.get(name)
            if default is None:
                raise NoClass(f"the step size {name!r} is in no schedule of the theorem")
            out[name] = default
        else:
            out[name] = entries[name].subs(constants) if name in entries else by_name[name]
    return out


def _method(name: str) -> Any:
    modules = catalog.algorithms()
    if name not in modules:
        raise NoClass(f"no step is known under the name {name}")
    return complete(modules[name])


def _starts(claim: WorstCase) -> dict[str, str]:
    """Name of a starting point -> "x", "y" (the other half of a pair) or "0"."""
    method = _method(claim.method)
    is_pair = (
        any(Part.from_text(c).of in OPERATORS for c in claim.classes.values()) and "y" in method.State._fields
    )
    starts = {"x": "x", "y": "y"} if is_pair else {"x": "x"}
    if claim.sim is not None:
        given = claim.sim.make(min(claim.sim.horizon.values()), 1).start
        for name in given.keys() - starts.keys():
            if not np.any(given[name]):
                starts[name] = "0"
            elif np.array_equal(given[name], given["x"]):
                starts[name] = "x"
            else:
                raise NoClass(f"the simulation starts {name!r} neither at 0 nor at x")
    elif not _has_init(claim.method):
        averages = {"z", "w"} & set(method.State._fields)
        starts |= dict.fromkeys(averages, "0")
        if others := set(method.State._fields) - starts.keys():
            raise NoClass(f"where {min(others)!r} starts is not said: give the file a function init")
    return starts


def _has_init(name: str) -> bool:
    return hasattr(catalog.algorithms()[name], "init")
