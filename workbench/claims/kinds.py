"""Kinds of claims about a curve besides its exponent: geometric rates, bounds O(1), limits, divergence, logarithms.

`Kinds` gives a reading its methods: `CURVE.geometric(factor=0.9)`. None of them needs the exponent of the reading, and
none has a window of its own: each is read where `workbench.evidence` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from workbench import evidence
from workbench.claims.claims import Results
from workbench.claims.of_reading import OfReading
from workbench.claims.plan import UNPLANNED, Plan
from workbench.evidence.bounded import GROWTH
from workbench.evidence.limits import opposite
from workbench.evidence.verdicts import Finding


class Kinds:
    """The claims that a reading makes besides those of its exponent.

    change: fields of the reading that this claim has otherwise, ``expected`` (the verdict that it must get) and
    ``refutes`` (the published statement that it shows to be false), as in `Reading.rate`.
    """

    def claim(self, kind: Any, change: Mapping[str, Any], **fields: Any) -> Any:
        """A claim of this kind about the reading; `Reading` has it."""
        raise NotImplementedError

    def geometric(
        self, factor: float | None = None, or_faster: bool = False, tol: float | None = None, **change: Any
    ) -> Any:
        """The claim that the curve is of order factor^T (or_faster: or smaller; without a factor: some q^T, q < 1).

        tol: of the logarithm of the factor, relatively. Raises ValueError for a factor outside (0, 1), and for a
        running mean, which falls like 1/T at best.
        """
        return self.claim(Geometric, change, factor=factor, or_faster=or_faster, relative=tol)

    def bounded(self, growth: float = GROWTH, **change: Any) -> Any:
        """The claim that the curve is O(1): a logarithm or a small power violates it.

        growth: per unit of log T, relative to the level; slower growth is not noticed. Raises ValueError for a view
        that drops the logarithm (`increments`).
        """
        return self.claim(Bounded, change, growth=growth)

    def limit(self, to: float | None = None, within: float | None = None, **change: Any) -> Any:
        """The claim that the curve tends to a number. within: how near counts as reached, by default 1 % of it.

        Raises ValueError without a number, and for 0 without ``within``.
        """
        return self.claim(Limit, change, to=to, within=within)

    def misses(self, to: float, within: float | None = None, **change: Any) -> Any:
        """The claim that the curve does not tend to a number, but rests elsewhere, or goes round it for ever."""
        return self.claim(Limit, change, to=to, within=within, reverse=True)

    def diverges(self, **change: Any) -> Any:
        """The claim that the curve grows beyond every bound: runs that overflow are evidence for it."""
        return self.claim(Bounded, change, reverse=True)

    def logarithmic(self, power: float, logs: float, or_less: bool = False, **change: Any) -> Any:
        """The claim that the curve is of order T^power (log T)^logs (or_less: or smaller).

        Raises ValueError for logs that are not positive, and for a view that drops the logarithm.
        """
        return self.claim(Logarithmic, change, power=power, logs=logs, or_less=or_less)


@dataclass(frozen=True)
class Kind(OfReading):
    """A claim that does not read the exponent of its reading."""

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        finding: Finding = self.reading.finding_without_tolerance(results, self.test)
        return finding

    def test(self, values: Any, marks: Any) -> Finding:
        """The finding on the curves (runs, M) at marks (M,)."""
        raise NotImplementedError

    def _refuse(self, kind: str, why: str) -> None:
        raise ValueError(f"{self.key}, {self.experiment}: {kind} {why}")

    def _check_view(self, kind: str, endings: tuple[str, ...], why: str) -> None:
        """Raises ValueError for a view of quantities with one of these endings."""
        if self.reading.view.of in endings:
            self._refuse(kind, f"is read as recorded (view=wb.as_recorded): {why}")


@dataclass(frozen=True)
class Geometric(Kind):
    """The curve is of order factor^T (`workbench.evidence.geometric`). relative: the tolerance."""

    factor: float | None = None
    or_faster: bool = False
    relative: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.factor is not None and not 0 < self.factor < 1:
            self._refuse("a geometric rate", f"has a factor between 0 and 1, not {self.factor:g}")
        if self.factor is None and self.or_faster:
            self._refuse(
                "a geometric rate", "without a factor has none that could be smaller: leave out or_faster"
            )
        is_average = isinstance(self.reading.metric, str) and self.reading.metric.endswith(("_mean", "_sum"))
        if is_average or self.reading.view.of:
            self._refuse(
                "a geometric rate", "does not fit a running mean or sum, which remembers its first terms"
            )

    evidence: ClassVar[str] = "geometric"

    @property
    def parts(self) -> tuple[str, ...]:
        factor = "q" if self.factor is None else f"q={self.factor:g}"
        return (*super().parts, factor + "-or-faster" * self.or_faster)

    def test(self, values: Any, marks: Any) -> Finding:
        return evidence.geometric(values, marks, self.factor, or_faster=self.or_faster, tol=self.relative)


@dataclass(frozen=True)
class Bounded(Kind):
    """The curve is O(1) (`workbench.evidence.bounded`); reverse: it is not."""

    growth: float = GROWTH
    reverse: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.growth < 1:
            self._refuse(
                "a bounded curve",
                f"is told from growth between 0 and 1 per unit of log T, not {self.growth:g}",
            )
        self._check_view("a bounded curve", ("_sum",), "R(T) - R(T/2) of log T is constant")

    evidence: ClassVar[str] = "bounded"

    @property
    def parts(self) -> tuple[str, ...]:
        return (*super().parts, "diverges" * self.reverse)

    def test(self, values: Any, marks: Any) -> Finding:
        bounded = evidence.bounded(values, marks, self.growth)
        return opposite(bounded) if self.reverse else bounded


@dataclass(frozen=True)
class Limit(Kind):
    """The curve tends to a number (`workbench.evidence.limit`); reverse: it does not."""

    to: float | None = None
    within: float | None = None
    reverse: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.to is None:
            self._refuse("a limit", "needs the number that is tended to: limit(to=0.5)")
        if self.to == 0 and self.within is None:
            self._refuse(
                "a limit", "of 0 has no size of its own: say how near counts as reached, as within=0.001"
            )
        if self.within is not None and not self.within > 0:
            self._refuse("a limit", f"is reached within a positive distance, not {self.within:g}")
        self._check_view("a limit", ("_sum",), "the limit of R(T) - R(T/2) is not that of R(T)")

    evidence: ClassVar[str] = "limit"

    @property
    def parts(self) -> tuple[str, ...]:
        return (*super().parts, f"{'misses=' * self.reverse}{self.to:g}")

    def test(self, values: Any, marks: Any) -> Finding:
        assert self.to is not None
        tends = evidence.limit(values, marks, self.to, self.within)
        return opposite(tends) if self.reverse else tends


@dataclass(frozen=True)
class Logarithmic(Kind):
    """The curve is of order T^power (log T)^logs (`workbench.evidence.logarithmic`)."""

    power: float = 0.0
    logs: float = 1.0
    or_less: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.logs > 0:
            self._refuse("a claim on logarithms", f"has a positive number of them, not {self.logs:g}")
        self._check_view(
            "a logarithm", ("_sum", "_mean"), "what drops the first terms may drop a logarithm, too"
        )

    evidence: ClassVar[str] = "logarithm"

    @property
    def parts(self) -> tuple[str, ...]:
        return (*super().parts, f"T^{self.power:g}log^{self.logs:g}{'-or-less' * self.or_less}")

    def test(self, values: Any, marks: Any) -> Finding:
        return evidence.logarithmic(values, marks, self.power, self.logs, or_less=self.or_less)
