"""Statements as SMT-LIB text, and the two solvers that read it: z3 and cvc5. What they answer has to be trusted.

`queries` writes texts that are all unsatisfiable exactly if the statement is defined and true on its box. A root
r = b^(p/q) becomes an unknown with r >= 0 and r^q = b^p, a quotient an unknown with i b = 1; where one of them may not
exist the first text is satisfiable. Sums and products over numbers are written out. Every call has a time limit, which
is enforced by interrupts in case z3 ignores it.
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import subprocess
import sys
import threading
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

from workbench.ledger.trees import Tree, constant

LARGEST_POWER = 24
MOST_TERMS = 200  # of a sum that is written out
# Coverings alone answer at once what takes them minutes beside cvc5's other methods; these are asked next.
COVERINGS = {"nl-cov": "true", "nl-ext": "none"}
MISSING = {
    "z3": "z3 is missing: pip install z3-solver",
    "cvc5": "cvc5 is missing: pip install cvc5",
}


class NotPolynomial(ValueError):
    """A function that the solvers' theory of real numbers does not have."""


class Missing(RuntimeError):
    """A solver is not installed. The message says how to install it."""


def missing() -> str:
    """How to install the solvers that are not installed; empty if both are."""
    return "; ".join(how for name, how in MISSING.items() if not _is_installed(name))


def _is_installed(name: str) -> bool:
    spec = importlib.util.find_spec(name)
    return spec is not None and spec.origin is not None  # a mere folder of that name has no origin


class _Text:
    """One statement as SMT-LIB terms. defining: equations of auxiliary unknowns; undefined: where one cannot exist."""

    def __init__(self, statement: dict[str, Any]) -> None:
        self.names = {name: f"v{i}" for i, name in enumerate(sorted(statement["box"]))}
        self.whole = {name for name, side in statement["box"].items() if side[4]}
        self.declarations = [(v, "Int" if n in self.whole else "Real") for n, v in self.names.items()]
        self.signs: list[str] = []  # of roots; all of them before the equations: z3 answers sooner
        self.equations: list[str] = []
        self.undefined_terms: list[str] = []
        self._memo: dict[str, str] = {}
        lhs, rhs = self.term(statement["lhs"], {}), self.term(statement["rhs"], {})
        self.negation = f"(> {lhs} {rhs})"
        self.ground = [c for n, side in statement["box"].items() for c in self._sides(n, side)]
        self.ground += [f"({sign} {self.term(g, {})} 0.0)" for g, sign in statement["given"]]

    @property
    def defining(self) -> list[str]:
        return [*self.signs, *self.equations]

    def _variable(self, name: str) -> str:
        return f"(to_real {self.names[name]})" if name in self.whole else self.names[name]

    def _sides(self, name: str, side: list[Any]) -> list[str]:
        low, high, low_open, high_open, _ = side
        v, conditions = self._variable(name), []
        if low != "-oo":
            conditions.append(f"({'>' if low_open else '>='} {v} {number(Fraction(low))})")
        if high != "oo":
            conditions.append(f"({'<' if high_open else '<='} {v} {number(Fraction(high))})")
        return conditions

    def term(self, tree: Tree, at: dict[str, Fraction]) -> str:
        """The term of a tree; `at`: values of the indices of sums."""
        key = f"{tree!r} {at!r}"
        if key not in self._memo:
            self._memo[key] = self._term(tree, at)
        return self._memo[key]

    def _term(self, tree: Tree, at: dict[str, Fraction]) -> str:
        if (q := constant(tree, at)) is not None:
            return number(q)
        if isinstance(tree, str):
            return self._variable(tree)
        head, *args = tree
        if head == "^":
            return self._power(self.term(args[0], at), Fraction(args[1]))
        if head in ("sum", "prod"):
            first, last = constant(args[1], at), constant(args[2], at)
            if first is None or last is None or last - first >= MOST_TERMS:
                raise NotPolynomial(f"a long {head}")
            if first.denominator * last.denominator != 1 or last < first - 1:
                raise NotPolynomial(f"a {head} over no range")
            terms = [self.term(args[3], {**at, args[0]: first + i}) for i in range(int(last - first) + 1)]
            return _application("+" if head == "sum" else "*", terms)
        if head not in ("+", "*", "max", "min", "abs", "if"):
            raise NotPolynomial(head)
        parts = [self.term(a, at) for a in args]
        if head == "if":
            return f"(ite (>= {parts[0]} 0.0) {parts[1]} {parts[2]})"
        if head == "abs":
            return f"(ite (>= {parts[0]} 0.0) {parts[0]} (- {parts[0]}))"
        if head in ("+", "*"):
            return _application(head, parts)
        total, relation = parts[0], ">=" if head == "max" else "<="
        for p in parts[1:]:
            total = f"(ite ({relation} {total} {p}) {total} {p})"
        return total

    def _new_variable(self, needs: str) -> str:
        """A new unknown, which exists where a condition holds, given the unknowns before it."""
        self.undefined_terms.append(_application("and", [f"(not {needs})", *self.defining]))
        name = f"w{len(self.declarations)}"
        self.declarations.append((name, "Real"))
        return name

    def _power(self, base: str, p: Fraction) -> str:
        if max(abs(p.numerator), p.denominator) > LARGEST_POWER:
            raise NotPolynomial(f"the power {p}")
        if p < 0:
            power = self._power(base, -p)
            inverse = self._new_variable(f"(distinct {base} 0.0)")
            self.equations.append(f"(= (* {inverse} {power}) 1.0)")
            return inverse
        if p.denominator == 1:
            return _application("*", [base] * p.numerator)
        root = self._new_variable(f"(>= {base} 0.0)")
        self.signs.append(f"(>= {root} 0.0)")
        self.equations.append(f"(= {_application('*', [root] * p.denominator)} {base})")
        return _application("*", [root] * p.numerator)

    def text(self, *assertions: str) -> str:
        lines = ["(set-logic QF_NIRA)" if self.whole else "(set-logic QF_NRA)"]
        lines += [f"(declare-const {name} {sort})" for name, sort in self.declarations]
        return "\n".join([*lines, *(f"(assert {a})" for a in (*self.ground, *assertions)), "(check-sat)\n"])


def _application(head: str, parts: list[str]) -> str:
    if len(parts) < 2:
        return parts[0] if parts else {"+": "0.0", "*": "1.0"}[head]
    return f"({head} {' '.join(parts)})"


def number(q: Fraction) -> str:
    size = f"{abs(q.numerator)}.0" if q.denominator == 1 else f"(/ {abs(q.numerator)}.0 {q.denominator}.0)"
    return f"(- {size})" if q < 0 else size


def queries(statement: dict[str, Any]) -> list[str]:
    """SMT-LIB texts of an inequality: "a root or quotient does not exist" (if any may not), "lhs exceeds rhs".

    Raises NotPolynomial.
    """
    text = _Text(statement)
    wrong = text.text(*text.defining, text.negation)
    if not text.undefined_terms:
        return [wrong]
    return [text.text(_application("or", text.undefined_terms)), wrong]


# ------------------------------------------------------------------------------------------------ the solvers


def z3_answer(text: str, seconds: float) -> tuple[str, Any]:
    """("sat", "unsat" or "unknown", the solver). Raises Missing."""
    try:
        import z3
    except ImportError:
        raise Missing(MISSING["z3"]) from None
    solver = z3.SolverFor("QF_NRA") if "QF_NRA" in text else z3.Solver()
    solver.set("timeout", max(1, int(1000 * seconds)))
    over = threading.Event()

    def interrupt() -> None:
        # Repeatedly: an interrupt stops only z3's current stage, and the next would run without a limit.
        pause = seconds + 0.3
        while not over.wait(pause):
            solver.interrupt()
            pause = 0.1

    guard = threading.Thread(target=interrupt, daemon=True)
    guard.start()
    try:
        solver.from_string(text)
        return str(solver.check()), solver
    except z3.Z3Exception:
        return "unknown", solver
    finally:
        over.set()
        guard.join()


def model(solver: Any, statement: dict[str, Any]) -> dict[str, str]:
    """A point of z3's model, with rationals near its irrational values."""
    import z3

    model, point = solver.model(), {}
    values = {str(v): model[v] for v in model.decls()}
    for i, name in enumerate(sorted(statement["box"])):
        value = values.get(f"v{i}", z3.RealVal(0))
        if z3.is_algebraic_value(value):
            value = value.approx(20)
        point[name] = str(value.as_fraction() if z3.is_rational_value(value) else value.as_long())
    return point


class _Worker:
    """cvc5 in a process of its own, since it does not always keep its time limit and must then be killed."""

    def __init__(self) -> None:
        script = Path(__file__).with_name("cvc5_worker.py")
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def answer(self, text: str, seconds: float, options: dict[str, str]) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        guard = threading.Timer(1.5 * seconds + 0.5, self.process.kill)
        guard.start()
        try:
            self.process.stdin.write(json.dumps([text, seconds, options]) + "\n")
            self.process.stdin.flush()
            return self.process.stdout.readline().strip()
        except OSError:
            return ""
        finally:
            guard.cancel()

    def stop(self) -> None:
        self.process.kill()
        self.process.communicate()


_worker: _Worker | None = None


def cvc5_answer(text: str, seconds: float) -> str:
    """ "sat", "unsat" or "unknown". Raises Missing."""
    global _worker
    if not _is_installed("cvc5"):
        raise Missing(MISSING["cvc5"])
    for options in (COVERINGS, {}):
        if _worker is None:
            _worker = _Worker()
            atexit.register(_stop)
        try:
            answer = _worker.answer(text, seconds, options)
        except BaseException:  # interrupted: the answer must not be taken for that of the next question
            _stop()
            raise
        if answer in ("sat", "unsat"):
            return answer
        if not answer:
            _stop()
    return "unknown"


def _stop() -> None:
    global _worker
    worker, _worker = _worker, None
    if worker is not None:
        worker.stop()


def _answer(name: str, text: str, seconds: float) -> str:
    """A solver's answer to a text; a decisive one is asked for once in a process."""
    if (name, text) not in _answers:
        answer = SOLVERS[name](text, seconds)
        if answer == "unknown":
            return answer
        _answers[name, text] = answer
    return _answers[name, text]


def remember(name: str, text: str, answer: str) -> None:
    """Keeps an answer that a search got from `z3_answer`."""
    _answers[name, text] = answer


_answers: dict[tuple[str, str], str] = {}
SOLVERS = {"z3": lambda text, seconds: z3_answer(text, seconds)[0], "cvc5": cvc5_answer}


def answers(
    statement: dict[str, Any], seconds: float, names: Iterable[str] = ("z3", "cvc5")
) -> dict[str, str]:
    """Solver -> "unsat" if it says so of every text, "sat" if of one, else "unknown". Raises NotPolynomial, Missing."""
    replies = {}
    for name in names:
        words = {_answer(name, text, seconds) for text in queries(statement)}
        replies[name] = "sat" if "sat" in words else ("unsat" if words == {"unsat"} else "unknown")
    return replies
