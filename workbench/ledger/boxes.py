"""Branch and bound with interval enclosures: splits the box until every piece is settled or the time limit is reached.

A piece is settled by one of the reasons in `workbench.ledger.subboxes.Pieces`. Where the two sides are equal on a
face (a tie), it is settled by a proof that the difference grows away from that face: its derivative (as a quotient in
lowest terms) is >= 0, proved in the same way and nested a few times. Infinite sides are split at growing powers of 4.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import count
from typing import Any

from workbench.ledger import certificate
from workbench.ledger.certificate import with_inverses
from workbench.ledger.enclosure import Undefined
from workbench.ledger.intervals import Undefined as UndefinedThere
from workbench.ledger.outcome import Outcome, holds, refuted, undecided
from workbench.ledger.subboxes import (
    Pieces,
    difference,
    double,
    face,
    halves,
    like_terms,
    middle,
    multiply_out,
    point_refutes,
    positive_names,
    root_box,
)
from workbench.ledger.trees import Wrong

FORMS = 4  # about as many are tried; each may use its share of the time
FEW = 8  # pieces with which each form is tried before z3
DEEPEST = 90  # largest depth of the tree
NESTED = 3  # derivatives of derivatives
INNER_PIECES = 90  # largest number of pieces in the proof of one slope


@dataclass
class Search:
    """One branch and bound. `open`: pieces left unsettled; `below`: a point where main < 0, if one was found."""

    pieces: Pieces
    root: list[tuple]
    deadline: float
    largest: int = 10**9
    level: int = 0
    test: Callable[[dict[str, str]], bool] = lambda point: False
    open: list[list[tuple]] = field(default_factory=list)
    below: dict[str, str] | None = None
    visits: int = 0

    def run(self) -> Any:
        """The tree of pieces, or None."""
        holder: list[Any] = [None]
        order = count()
        # A slot (parent, index) is where the reason of a piece is stored.
        todo: list[tuple] = [(0, next(order), self.root, holder, 0)]
        while todo:
            if time.process_time() > self.deadline or self.visits >= self.largest or self.below is not None:
                self.open += [item[2] for item in todo]
                return None
            depth, _, box, parent, slot = heapq.heappop(todo)
            self.visits += 1
            reason = self._reason(box, depth)
            if reason is not None:
                parent[slot] = reason
                continue
            i = self._cut(box, depth) if depth < DEEPEST else None
            if i is None:
                self.open.append(box)
                if self.level:
                    return None
                continue
            node = parent[slot] = [self.pieces.names[i], str(middle(*box[i])), None, None]
            for side, half in enumerate(halves(box, i), start=2):
                heapq.heappush(todo, (depth + 1, next(order), half, node, side))
        return None if self.open else holder[0]

    def _reason(self, box: list[tuple], depth: int) -> Any:
        for k in range(len(self.pieces.given)):
            if self.pieces.proves(box, k):
                return k
        for reason in ("v", "m"):
            if self.pieces.proves(box, reason):
                return reason
        point = {n: str(_inside(*side)) for n, side in zip(self.pieces.names, box, strict=True)}
        if self.test(point):
            self.below = point
            return None
        return self._tie(box) if depth % 3 == 0 and self.level < NESTED else None

    def _tie(self, box: list[tuple]) -> Any:
        """A face where the difference is small, and a proof that the difference grows away from it."""
        middle = [(_inside(*side),) * 2 for side in box]
        for i, name in enumerate(self.pieces.names):
            if box[i][0] == box[i][1]:
                continue
            for up in (True, False):
                if isinstance(box[i][0 if up else 1], str) or not self._small(middle, box, i, up):
                    continue
                node = self._grows(box, i, name, up)
                if node is not None:
                    return node
        return None

    def _small(self, middle: list[tuple], box: list[tuple], i: int, up: bool) -> bool:
        """Is the difference at the face's midpoint well below that at the box's midpoint?"""
        at_face = [*middle[:i], face(box, i, up)[i], *middle[i + 1 :]]
        try:
            inner, outer = (self.pieces.main.value(self.pieces.pairs(b)) for b in (middle, at_face))
        except Undefined:
            return False
        return bool(inner[0] > 0 and outer[1] >= 0 and 2 * outer[0] < inner[0])

    def _grows(self, box: list[tuple], i: int, name: str, up: bool) -> Any:
        try:
            if not self.pieces.comparable(box):
                return None
            steep = self.pieces.slope(name, up)
        except (Wrong, Undefined):
            return None
        if time.process_time() > self.deadline:
            return None
        lowest = list(quotient(steep.tree, positive_names(self.pieces.names, box)) or ())
        slope = None
        for form in ([lowest] if lowest else []) + [None]:
            slope = self._inner(self.pieces.slope(name, up, form), box)
            if slope is not None:
                lowest = form or []
                break
        if slope is None:
            return None
        ground = self._inner(self.pieces.bare(), face(box, i, up))
        node = {"along": name, "up": up, "slope": slope, "face": ground}
        return None if ground is None else (node | {"rewritten": lowest} if lowest else node)

    def _inner(self, pieces: Pieces, box: list[tuple]) -> Any:
        return Search(pieces, box, self.deadline, INNER_PIECES // 3**self.level, self.level + 1).run()

    def _cut(self, box: list[tuple], depth: int) -> int | None:
        """The most promising variable to split: largest slope times width, occasionally the widest side."""
        free = [i for i, (a, b) in enumerate(box) if a != b]
        if not free:
            return None
        endless = [i for i in free if isinstance(box[i][0], str) or isinstance(box[i][1], str)]
        if endless:
            return endless[depth % len(endless)]
        widths = {i: _spread(*box[i]) for i in free}
        if depth % 4 == 3:
            return max(free, key=widths.__getitem__)
        try:
            slopes = self.pieces.main.slopes(self.pieces.pairs(box))
        except Undefined:
            return max(free, key=widths.__getitem__)
        sizes = {i: max(abs(slopes[i][0]), abs(slopes[i][1])) for i in free}
        if any(not s.is_finite() for s in sizes.values()):
            return max(free, key=lambda i: (not sizes[i].is_finite(), widths[i]))
        return max(free, key=lambda i: (float(sizes[i]) * double(box[i][1] - box[i][0]), widths[i]))


def quotient(tree: Any, positive: frozenset[str]) -> Any:
    """As `rewriting.quotient`, whose SymPy is imported when it is needed: most statements take less than that."""
    from workbench.ledger import rewriting

    return rewriting.quotient(tree, positive)


def _spread(low: Any, high: Any) -> float:
    """Width on the scale on which the side is split."""
    if low > 0 and high > 16 * low:
        return 1.0 + (high / low).numerator.bit_length() - (high / low).denominator.bit_length()
    return double((high - low) / max(1, abs(low), abs(high)))


def _inside(low: Any, high: Any) -> Fraction:
    if isinstance(low, str) or isinstance(high, str):
        if isinstance(low, str):
            return Fraction(0) if isinstance(high, str) else high - 1
        return low + 1 if low else Fraction(1)
    return (low + high) / 2


def decide(statement: dict[str, Any], seconds: float, most: int = 10**9) -> Outcome:
    """Holds with a tree of pieces, violated with a point, or inconclusive with the location of the remaining pieces.

    most: largest number of pieces of each form. Raises ValueError for a malformed statement.
    """
    statement = multiply_out(statement)
    began, best, failure = time.process_time(), None, undecided("boxes", "no form was tried", "")
    for k, about in enumerate(_forms(statement, began + seconds), start=1):
        variant = with_inverses(statement, about.get("inverted", []))
        pieces = Pieces.of(variant, about["form"], about.get("rewritten"))
        deadline = began + min(1.0, k / FORMS) * seconds
        search = Search(pieces, root_box(variant), deadline, most, test=_tester(variant))
        tree = search.run()
        if search.below is not None:
            return refuted("boxes", _back(search.below, about.get("inverted", [])))
        if tree is not None:
            proof = {"by": "boxes", **about, "tree": tree}
            try:
                certificate.boxes(statement, proof)
                return holds("boxes", f"{search.visits} boxes", proof)
            except (Wrong, UndefinedThere) as reason:
                failure = undecided("re-check", f"{search.visits} boxes, but {reason}", "another form")
                continue
        if best is None or len(search.open) < len(best.open):
            best = search
    if best is None:
        return failure
    return undecided("boxes", _remaining(best), _advice(best))


def _back(point: dict[str, str], names: list[str]) -> dict[str, str]:
    return {n: str(1 / Fraction(v)) if n in names else v for n, v in point.items()}


def _forms(statement: dict[str, Any], deadline: float) -> Iterator[dict[str, Any]]:
    """The forms to try: the difference with equal terms collected, as it is, its lowest terms if these are different,
    the difference of logarithms if both sides have one, and, for infinite sides, the same in the inverse variables."""
    plain = like_terms(difference(statement))
    if plain != difference(statement):
        yield {"form": "difference", "rewritten": [plain, ["q", "1"]]}
    yield {"form": "difference"}
    endless = [
        n
        for n, side in sorted(statement["box"].items())
        if side[1] == "oo" and side[0] != "-oo" and Fraction(side[0]) > 0
    ]
    for names in [[], endless] if endless else [[]]:
        if time.process_time() > deadline:
            return
        variant = with_inverses(statement, names)
        positive = positive_names(sorted(variant["box"]), root_box(variant))
        extra: dict[str, Any] = {"inverted": names} if names else {}
        better = quotient(difference(variant), positive)
        if better is not None:
            yield {"form": "difference", "rewritten": list(better), **extra}
        elif names:
            yield {"form": "difference", **extra}
    if _comparable(statement):
        yield {"form": "logarithm"}


def _comparable(statement: dict[str, Any]) -> bool:
    """May logarithms of both sides be compared, i.e. does a plain enclosure show that neither side is negative?"""
    try:
        pieces = Pieces.of(statement, "logarithm")
        at = pieces.pairs(root_box(statement))
        return all(side.value(at)[0] >= 0 for side in pieces.sides)
    except (Undefined, ValueError):
        return False


def _tester(statement: dict[str, Any]) -> Callable[[dict[str, str]], bool]:
    def test(point: dict[str, str]) -> bool:
        if any(side[4] for side in statement["box"].values()):
            whole = {n for n, side in statement["box"].items() if side[4]}
            point = {n: str(round(Fraction(v))) if n in whole else v for n, v in point.items()}
        try:
            return point_refutes(statement, point)
        except Undefined:
            return False

    return test


def _remaining(search: Search) -> str:
    if not search.open:
        return "no box was examined within the time limit"
    smallest = min(search.open, key=_size)
    at = ", ".join(f"{n} = {_short(_inside(*s))}" for n, s in zip(search.pieces.names, smallest, strict=True))
    return f"{len(search.open)} boxes left of {search.visits}, near {at}"


def _size(box: list[tuple]) -> float:
    """Sum of the sides' spreads; infinite ones count as large."""
    return sum(1e9 if isinstance(a, str) or isinstance(b, str) else _spread(a, b) for a, b in box)


def _short(x: Fraction) -> str:
    if len(str(x)) < 10:
        return str(x)
    return f"{float(x):.4g}" if abs(x) < 1e300 else f"{Decimal(x.numerator) / Decimal(x.denominator):.4g}"


def _advice(search: Search) -> str:
    if any(isinstance(end, str) for box in search.open for side in box for end in side):
        return "a bounded box, or a substitution that maps the unbounded side to a bounded one"
    return "more time, or a form without the tie (factor it out, or add a condition to `given`)"
