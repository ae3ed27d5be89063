"""Equivalent forms of an expression, by SymPy: a quotient in lowest terms has tighter enclosures than a difference.

Portable trees in and out. Nothing rests on it: `workbench.ledger.algebra` decides whether two forms are the same.
"""

from __future__ import annotations

import contextlib
import gc
import json
import signal
import threading
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from sympy import (
    Abs,
    Add,
    E,
    Expr,
    I,
    Max,
    Min,
    Mul,
    Piecewise,
    Pow,
    Rational,
    Symbol,
    cos,
    exp,
    expand_log,
    expand_power_base,
    factor,
    fraction,
    log,
    pi,
    sin,
    tanh,
    together,
)

Tree = Any
FUNCTIONS = {"exp": exp, "log": log, "abs": Abs, "tanh": tanh, "sin": sin, "cos": cos, "max": Max, "min": Min}
LARGEST = 80  # largest number of operations worth rewriting
HIGHEST = (
    200  # largest number in an exponent: SymPy's polynomials are dense, so exp(x/10^7) would fill the memory
)
SECONDS = 1.0  # time limit of one rewriting; useful ones take less


@cache
def _symbol(name: str, positive: bool) -> Symbol:
    return Symbol(name, positive=True) if positive else Symbol(name, real=True)


def expression(
    tree: Tree, positive: frozenset[str], formulas: Mapping[str, Expr] = MappingProxyType({})
) -> Expr:
    """A tree as SymPy; the names in `positive` become positive symbols, the others real ones.

    formulas: expressions that stand for some names. Raises KeyError for sums and unknown functions.
    """
    if isinstance(tree, str):
        return formulas[tree] if tree in formulas else _symbol(tree, tree in positive)
    head, *args = tree
    if head == "q":
        return Rational(args[0])
    if head in ("pi", "e"):
        return pi if head == "pi" else E
    if head == "^":
        return Pow(expression(args[0], positive, formulas), Rational(args[1]))
    parts = [expression(a, positive, formulas) for a in args]
    if head in ("+", "*"):
        return Add(*parts) if head == "+" else Mul(*parts)
    if head == "pow":
        return Pow(*parts)
    if head in ("if", "sure"):
        return Piecewise((parts[1], parts[0] >= 0), (parts[2], True))
    return FUNCTIONS[head](*parts)


def quotient(tree: Tree, positive: frozenset[str]) -> tuple[Tree, Tree] | None:
    """(numerator, denominator) of the tree in lowest terms, factored; None if that does not help."""
    return _quotient(json.dumps(tree), positive)


def _compound(w: Expr) -> bool:
    """Whether this is a logarithm or root of a sum, whose argument may simplify to a quotient."""
    return (isinstance(w, log) or (isinstance(w, Pow) and not w.exp.is_Integer)) and w.args[0].is_Add


@cache
def _quotient(text: str, positive: frozenset[str]) -> tuple[Tree, Tree] | None:
    from workbench.ledger.from_sympy import Untranslatable
    from workbench.ledger.from_sympy import tree as portable

    if any(f'["{head}"' in text for head in ("sum", "prod", "if", "sure", "max", "min", "abs")):
        return None
    e = expression(json.loads(text), positive)
    exponents = {r for w in e.atoms(Pow, exp) for r in w.as_base_exp()[1].atoms(Rational)}
    if e.count_ops() > LARGEST or any(max(abs(r.p), r.q) > HIGHEST for r in exponents):
        return None
    try:
        with _time_limit(SECONDS):
            # Forced rules may be wrong for negative numbers; `same` verifies the result.
            flat = e.replace(_compound, lambda w: w.func(factor(together(w.args[0])), *w.args[1:]))
            simple = expand_log(expand_power_base(flat, force=True), force=True)
            if simple.has(I):  # the logarithm of something negative
                return None
            top, bottom = fraction(factor(together(simple)))
        if bottom.could_extract_minus_sign():
            top, bottom = -top, -bottom
        if top == e and bottom == 1:
            return None
        return portable(top), portable(bottom)
    except (_TooLong, Untranslatable, NotImplementedError, ArithmeticError):
        return None


class _TooLong(Exception):
    """SymPy takes longer than the rewriting is worth."""


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raises _TooLong after this many seconds of CPU time, since SymPy's factoring has no limit and may take minutes.

    Effective only in the main thread, on platforms with such a timer; otherwise there is no limit.
    """
    if not hasattr(signal, "SIGVTALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise _TooLong

    collects = gc.isenabled()
    gc.disable()  # an exception raised inside a callback of the garbage collector is lost, and reported by Python
    before = signal.signal(signal.SIGVTALRM, stop)
    # Repeated, since one that is raised inside a finalizer is lost as well.
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds / 4)
    try:
        yield
    finally:
        while signal.getsignal(signal.SIGVTALRM) is stop:
            with contextlib.suppress(_TooLong):  # one more may come here
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                signal.signal(signal.SIGVTALRM, before)
        if collects:
            gc.enable()
