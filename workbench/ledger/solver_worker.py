"""A process that asks one solver, z3 or cvc5: reads ["<SMT-LIB text>", seconds, options], writes [answer, model].

The answer is sat, unsat or unknown. The model gives a rational number, as text, for unknowns of the text; cvc5 is not
asked for one. The process ends by itself where a solver does not keep its limit, so that no question outlives the
process that asked it.
"""

import importlib
import json
import signal
import sys
from typing import Any

Reply = tuple[str, dict[str, str]]


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


ASK = {"z3": ask_z3, "cvc5": ask_cvc5}


def main(name: str) -> None:
    solver = importlib.import_module(name)
    print("ready", flush=True)
    for line in sys.stdin:
        text, seconds, options = json.loads(line)
        end_in(2 * seconds + 5)
        print(json.dumps(ASK[name](solver, text, seconds, options)), flush=True)
        end_in(0)


def end_in(seconds: float) -> None:
    """Ends this process by a signal that it has no handler for; 0: no longer. Nothing on Windows."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    main(sys.argv[1])
