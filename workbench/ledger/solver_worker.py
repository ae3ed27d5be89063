"""z3 and cvc5, each asked in a process of its own (`confined`): they may crash, and do not always keep their limits."""

from __future__ import annotations

import importlib
from typing import Any

Reply = tuple[str, dict[str, str]]


def answer(question: tuple[str, str, float, dict[str, str]]) -> Reply:
    """The answer of a solver to (its name, an SMT-LIB text, seconds, options): sat, unsat or unknown; and a model.

    The model gives a rational number, as text, for every unknown of the text; cvc5 is not asked for one.
    """
    name, text, seconds, options = question
    ask = {"z3": ask_z3, "cvc5": ask_cvc5}[name]
    return ask(importlib.import_module(name), text, seconds, options)


def ask_z3(z3: Any, text: str, seconds: float, options: dict[str, str]) -> Reply:
    solver = z3.SolverFor("QF_NRA") if "QF_NRA" in text else z3.Solver()
    for name, value in {**options, "timeout": max(1, int(1000 * seconds))}.items():
        solver.set(name, value)
    try:
        solver.from_string(text)
        answer = str(solver.check())
    except z3.Z3Exception:
        return "unknown", {}
    if answer != "sat":
        return answer, {}
    model = solver.model()
    return answer, {str(v): _rational(z3, model[v]) for v in model.decls() if v.arity() == 0}


def _rational(z3: Any, value: Any) -> str:
    """A number of a model, to twenty digits where it is irrational."""
    if z3.is_algebraic_value(value):
        value = value.approx(20)
    return str(value.as_fraction() if z3.is_rational_value(value) else value.as_long())


def ask_cvc5(cvc5: Any, text: str, seconds: float, options: dict[str, str]) -> Reply:
    solver = cvc5.Solver(cvc5.TermManager())
    for name, value in options.items():
        solver.setOption(name, value)
    solver.setOption("tlimit-per", str(max(1, int(1000 * seconds))))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "statement")
    symbols, result = parser.getSymbolManager(), "unknown"
    try:
        while not (command := parser.nextCommand()).isNull():
            result = command.invoke(solver, symbols).strip() or result
    except RuntimeError:
        return "unknown", {}
    return result if result in ("sat", "unsat") else "unknown", {}
