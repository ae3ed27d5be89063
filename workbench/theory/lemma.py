"""The records of the proof ledger: a lemma, its dependencies, and its machine-checkable lines.

A `Lemma` is one link of a proof: a numbered lemma, an unnumbered inequality, or (under the theorem's own key) the last
step of a theorem's proof. A paper writes them in its ``proof.txt``, which `workbench.ledger.proof_text` reads. Kinds of
checks:

* `Exact`: a statement that the checkers decide: an inequality, a sum or product up to n, an identity, an optimum. Which
  of these are well-formed is said by the re-checker alone (`workbench.ledger.certificate.well_formed`).
* `AlongTrajectory`: a line that must hold in every run, at every recorded iteration, with certainty.
* `InExpectation`, `WithProbability`: a line about the mean, or about all but a share of the runs. The unit is the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from sympy import Basic, Expr, Float, Indexed, S, Symbol, sympify

from workbench.homes.keys import Key
from workbench.homes.records import Record
from workbench.theory import sentences
from workbench.theory.record import Paper

FORMS = ("printed", "repaired", "own")
SHOWS = ("statement", "line", "arithmetic")
EXPECTED = ("holds", "violated")
BUDGET = 5  # default time limit of a check, in seconds


def exact(value: Any, where: str) -> Expr:
    """A SymPy expression without floats. Raises ValueError naming the float if there is one."""
    e = sympify(value)
    if floats := e.atoms(Float):
        raise ValueError(f"{where} holds the float {min(floats, key=str)}; write it as a Rational")
    return e


@dataclass(frozen=True, eq=False, kw_only=True)
class _Check:
    """The common fields of checks. `name` is unique within its lemma; `expected` is the verdict it must get.

    `form`: "printed", "repaired" or "own" (a line of this project). `shows`: "statement" if the check encodes what the
    link states, all of it; "line" for a line of its proof; "arithmetic" for a computation beside it, which shows
    nothing about the link by itself (3 * 9 = 27, or a hypothesis again). `erratum`: label of the erratum it documents.
    `note`: one sentence for readers of the ledger. `budget`: time limit in seconds.
    """

    form: str = "printed"
    shows: str = "line"
    expected: str = "holds"
    erratum: str = ""
    note: str = ""
    budget: int = BUDGET


@dataclass(frozen=True, eq=False)
class Exact(_Check):
    """A statement in the language of the re-checker (`workbench.ledger.certificate`), from a line of a proof's text.

    constants: printed value, a tree, of each name in the statement that stands for a bracketed constant. stronger: the
    direction in which the statement becomes stronger with each, "smaller" for a factor of an upper bound, else
    "larger". witness: a known counter-example, which is tried first.
    """

    name: str
    statement: Mapping[str, Any]
    constants: Mapping[str, Any] = field(default_factory=dict)
    stronger: Mapping[str, str] = field(default_factory=dict)
    witness: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _clean(self)


@dataclass(frozen=True, eq=False)
class _Measured(_Check):
    """lhs <= rhs between recorded quantities. Symbols have the names of a probe's quantities, an instance's constants,
    fields of the algorithm's `Steps`, or `t`, the iteration. `on`: keys of simulations, or names of samplers.
    """

    name: str
    lhs: Expr
    rhs: Expr
    on: tuple[str, ...]

    def __post_init__(self) -> None:
        _clean(self)
        if not self.on:
            raise ValueError(f"{self.name!r} names no simulation or sampler on which to measure it")

    @property
    def symbols(self) -> set[Symbol]:
        """Of both sides."""
        return symbols_of(self.lhs, self.rhs)


@dataclass(frozen=True, eq=False)
class AlongTrajectory(_Measured):
    """The line holds in every run at every recorded iteration; `relation` "=" for an identity (up to rounding)."""

    relation: Literal["<=", "="] = "<="


@dataclass(frozen=True, eq=False)
class InExpectation(_Measured):
    """E[lhs] <= E[rhs] at every recorded iteration, by a t interval of lhs - rhs over runs at each one."""


@dataclass(frozen=True, eq=False)
class WithProbability(_Measured):
    """The line holds with at least this `probability` (an expression in the same symbols).

    uniform: at all recorded iterations simultaneously ("for all t <= T"), or at each one separately.
    """

    probability: Expr = S.One
    uniform: bool = True

    @property
    def symbols(self) -> set[Symbol]:
        """Of both sides, and of the probability."""
        return super().symbols | symbols_of(self.probability)


Check = Exact | AlongTrajectory | InExpectation | WithProbability
MEASURED = (AlongTrajectory, InExpectation, WithProbability)


@dataclass(frozen=True, eq=False)
class Lemma(Record):
    """One link of a proof.

    key: "<paper>/lem-5.3", "<paper>/eq-26", or the key of a theorem for the last step of its proof. uses: keys of
    lemmas, or "<paper>/asm-5.1" for an assumption. errata: labels; those of the checks are added. quoted: taken from
    another paper without proof, so that this ledger can at most test it. The users of a lemma are derived
    (`workbench.ledger.graph`).

    Formulas in `statement` are LaTeX between dollar signs (`workbench.theory.sentences`).

    Raises ValueError if they are not, and if two checks have the same name.
    """

    key: str
    paper: Paper
    title: str
    source: str
    statement: str
    uses: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    errata: tuple[str, ...] = ()
    note: str = ""
    quoted: bool = False

    def __post_init__(self) -> None:
        sentences.check(self.key, self.statement)
        names = [c.name for c in self.checks]
        if twice := sorted({n for n in names if names.count(n) > 1}):
            raise ValueError(f"{self.key} has several checks named {twice[0]!r}")
        labels = (*self.errata, *(c.erratum for c in self.checks if c.erratum))
        object.__setattr__(self, "errata", tuple(dict.fromkeys(labels)))

    @property
    def own(self) -> bool:
        """Whether it is this project that states the link; its key says so: "<paper>/own-..."."""
        return Key.of(self.key).name.startswith("own-")

    def check(self, name: str) -> Check:
        """The check with a name. Raises KeyError listing the existing names."""
        for c in self.checks:
            if c.name == name:
                return c
        raise KeyError(f"{self.key} has checks {[c.name for c in self.checks]}, not {name!r}")


def _clean(check: _Check) -> None:
    """Validates a check: no floats, known form and expectation, positive budget."""
    name = vars(check)["name"]
    for part, values in (("form", FORMS), ("shows", SHOWS), ("expected", EXPECTED)):
        if getattr(check, part) not in values:
            raise ValueError(f"{name!r}: {part} is one of {', '.join(values)}")
    if check.budget <= 0:
        raise ValueError(f"{name!r} needs a positive budget")
    for part in ("lhs", "rhs", "probability"):
        if part in vars(check):
            object.__setattr__(check, part, exact(vars(check)[part], f"{name!r}"))


def symbols_of(*expressions: Basic) -> set[Symbol]:
    """The free variables: no indices of sums, and no names of sequences."""
    free = {s for e in expressions for s in e.free_symbols if isinstance(s, Symbol)}
    return free - {i.base.label for e in expressions for i in e.atoms(Indexed)}
