"""Normal forms: is an expression zero wherever it has a value? Exact, by rules that hold on the whole box.

A form is {monomial: coefficient}, a monomial a sorted tuple of (unknown, rational exponent). Unknowns are variables,
roots of primes, powers with symbolic exponents, logarithms, elements of sequences, sums, products, other functions of
forms, and sums of several terms that are raised to a negative or fractional power. Powers are split over products only
where the factors cannot be negative. An expression whose form is not zero may still be zero: the rules are not
complete. Re-checking trusts this file. Standard library only.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, inf, lcm
from typing import Any

from workbench.ledger.intervals import Enclosure, Interval, Undefined, point, round_outward
from workbench.ledger.trees import Tree, Wrong, minus, names_in, replace, require

Form = dict[tuple, Fraction]
CONSTANT: tuple = ()
LARGEST = 20000  # terms
MOST = 250_000  # products of two terms for one statement: about three seconds
LARGEST_POWER = 64
LARGEST_PRIME = 10**4
MOST_BITS = 10**5  # of a power of a number
BITS = 40  # of bounds, which say signs alone
ANY: Interval = (-inf, inf, True, True)
POSITIVE: Interval = (Fraction(0), inf, True, True)
NOT_NEGATIVE: Interval = (Fraction(0), inf, False, True)


def number(q: Any) -> Form:
    return {CONSTANT: Fraction(q)} if q else {}


def add(*forms: Form) -> Form:
    total: Form = {}
    for form in forms:
        for m, c in form.items():
            _add_to(total, m, c)
    return _without_zeros(total)


def _add_to(total: dict[Any, Fraction], key: Any, q: Fraction) -> None:
    """The first number of a key is taken as it is: adding it to 0 would make another Fraction, which takes long.

    So does the hash of a monomial, which a new key needs once here.
    """
    size = len(total)
    old = total.setdefault(key, q)
    if len(total) == size:
        total[key] = old + q


def _without_zeros(total: Form) -> Form:
    return total if all(total.values()) else {m: c for m, c in total.items() if c}


def scale(form: Form, q: int | Fraction) -> Form:
    require(isinstance(q, int | Fraction), "a coefficient that is not exact")
    return {m: c * q for m, c in form.items()} if q else {}


def monomial_product(*monomials: tuple) -> tuple:
    total: dict[int, Fraction] = {}
    for m in monomials:
        for g, e in m:
            _add_to(total, g, e)
    return tuple(sorted((g, e) for g, e in total.items() if e))


def monomial_power(m: tuple, p: Fraction) -> tuple:
    return tuple((g, e * p) for g, e in m) if p else CONSTANT


def key(form: Form) -> tuple:
    return tuple(sorted(form.items()))


def factorize(n: int) -> dict[int, int]:
    """n > 0 as a product of powers; the last base may be composite."""
    exponents: dict[int, int] = {}
    p = 2
    while p * p <= n and p <= LARGEST_PRIME:
        while n % p == 0:
            exponents[p], n = exponents.get(p, 0) + 1, n // p
        p += 1
    return exponents | {n: exponents.get(n, 0) + 1} if n > 1 else exponents


class Algebra:
    """Forms of trees.

    box: name -> Interval. rules: (sequence, element or None for the element
    n + 1, tree) define elements of sequences. `steady`: what depends on n must have a value for every n, since a proof
    by induction passes through all of them.
    """

    def __init__(
        self, box: dict[str, Interval], rules: Sequence[Any] = (), n: str = "", steady: bool = False
    ) -> None:
        self.box, self.rules, self.n, self.steady = box, rules, n, steady
        self.low: dict[str, tuple[Any, bool]] = {
            name: (None if side[0] == -inf else side[0], side[2]) for name, side in box.items()
        }
        self.unknowns: list[tuple] = []
        self.ids: dict[tuple, int] = {}
        self.signs: list[int] = []  # 2: positive, 1: not negative, 0: not known
        self.uses: list[set[str]] = []
        self.folds: set[int] = set()  # unknowns whose whole powers are multiplied out
        self.parts: dict[int, Form] = {}  # of the unknowns that stand for a sum of several terms
        self.ranges: list[tuple[str, Form, Form]] = []  # indices in view, outermost first
        self.rules_of_intervals = Enclosure(box, BITS)
        self.known_bounds: dict[int, Interval] = {}
        self.work = 0  # products of two terms so far

    def unknown_id(
        self, what: tuple, sign: int = 0, uses: Sequence[Form] = (), names: Sequence[str] = ()
    ) -> int:
        if what not in self.ids:
            self.ids[what] = len(self.unknowns)
            self.unknowns.append(what)
            self.signs.append(sign)
            self.uses.append(set(names).union(*(self.names(f) for f in uses)))
            if what[0] in ("prime", "form"):
                self.folds.add(self.ids[what])
        return self.ids[what]

    def names(self, form: Form) -> set[str]:
        return {name for m in form for g, _ in m for name in self.uses[g]}

    def sign(self, form: Form) -> int:
        """2 if the form is surely positive, 1 if surely not negative, else 0."""
        least = [min((self.signs[g] or (1 if e.denominator == 1 and e % 2 == 0 else 0) for g, e in m), default=2)
                 for m in form]  # fmt: skip
        if all(least) and min(form.values(), default=Fraction(0)) >= 0:
            return max(least, default=1)
        low, _, never, _ = self.bounds_of(form)
        return 2 if low > 0 or (low == 0 and never) else int(low == 0)

    def bounds_of(self, form: Form) -> Interval:
        """Bounds of a form on the box."""
        total = point(0)
        try:
            for m, c in form.items():
                term = point(c)
                for g, e in m:
                    term = self.rules_of_intervals.mul(term, self.rules_of_intervals.power(self.bounds(g), e))
                total = self.rules_of_intervals.add(total, term)
        except Undefined:
            return ANY
        return total

    def bounds(self, g: int) -> Interval:
        """Bounds of an unknown on the box, rounded; raises Undefined where it need not have a value."""
        if g not in self.known_bounds:
            low, high, *flags = self._bounds(*self.unknowns[g])
            bits = self.rules_of_intervals.bits
            self.known_bounds[g] = (round_outward(low, bits, False), round_outward(high, bits, True), *flags)
        return self.known_bounds[g]

    def _bounds(self, head: str, *rest: Any) -> Interval:
        by = self.rules_of_intervals
        if head == "variable":
            # Two sums may share the name of their index, which ends with its sign: no more may be known of it.
            return self.box.get(rest[0]) or {"+": POSITIVE, "0": NOT_NEGATIVE}.get(rest[0][-1], ANY)
        if head in ("prime", "pi", "e"):
            return point(rest[0]) if rest else by.value([head])
        if head == "form":
            return self.bounds_of(dict(rest[0]))
        if head == "log":
            return by.log(self.bounds(rest[0]) if isinstance(rest[0], int) else point(rest[0][1]))
        if head == "power":
            return by.exp(by.mul(by.log(self.bounds(rest[0])), self.bounds_of({rest[1]: Fraction(1)})))
        return ANY

    # -------------------------------------------------------------------------------------------- arithmetic

    def mul(self, a: Form, b: Form) -> Form:
        self.work += len(a) * len(b)
        require(len(a) * len(b) <= LARGEST and self.work <= MOST, "an expansion has too many terms")
        total: Form = {}
        for m, c in a.items():
            for k, d in b.items():
                product = monomial_product(m, k) if m and k else m or k
                terms = (
                    self.tidy(product, c * d)
                    if self.folds.intersection(g for g, _ in product)
                    else {product: c * d}
                )
                for t, q in terms.items():
                    _add_to(total, t, q)
        return _without_zeros(total)

    def tidy(self, m: tuple, c: Fraction) -> Form:
        """A term with whole powers of primes and of sums of several terms multiplied out."""
        for i, (g, e) in enumerate(m):
            rest = (*m[:i], *m[i + 1 :])
            whole = e.numerator // e.denominator
            if self.unknowns[g][0] == "prime" and whole:
                require(abs(whole) * self.unknowns[g][1].bit_length() <= MOST_BITS, "a huge number")
                return self.tidy(
                    monomial_product(rest, ((g, e - whole),)), c * Fraction(self.unknowns[g][1]) ** whole
                )
            if g in self.parts and whole > 0:
                return self.mul(
                    self.whole_power(self.parts[g], whole), {monomial_product(rest, ((g, e - whole),)): c}
                )
        return {m: c}

    def goes_on(self, form: Form, sign: int) -> None:
        """In a proof by induction, whatever needs a sign has to have it for every n."""
        if self.steady and self.names(form) & {self.n, *(k for k, _, _ in self.ranges)}:
            require(
                self.sign(form) >= sign,
                "a proof by induction passes through something that may have no value",
            )

    def whole_power(self, form: Form, n: int) -> Form:
        if len(form) == 1:
            ((m, c),) = form.items()
            require(
                n * max(c.numerator.bit_length(), c.denominator.bit_length()) <= MOST_BITS, "a huge number"
            )
            return self.tidy(monomial_power(m, Fraction(n)), c**n)
        require(n <= LARGEST_POWER, f"the power {n} is not multiplied out")
        total = number(1)
        for _ in range(n):
            total = self.mul(total, form)
        return total

    def split(self, form: Form, whole: bool) -> tuple[Fraction, tuple, Form]:
        """(c, m, rest) with form = c m rest, c > 0 rational and m a monomial that is not negative (any, if `whole`)."""
        require(form, "a division by 0")
        c = Fraction(gcd(*(q.numerator for q in form.values())), lcm(*(q.denominator for q in form.values())))
        common: dict[int, Fraction] = {}
        for g in {g for m in form for g, _ in m}:
            if whole or self.signs[g]:
                common[g] = min(dict(m).get(g, Fraction(0)) for m in form)
        monomial = monomial_product(tuple(common.items()))
        rest = add(
            *(
                self.tidy(monomial_product(m, monomial_power(monomial, Fraction(-1))), q / c)
                for m, q in form.items()
            )
        )
        return c, monomial, rest

    def power(self, form: Form, p: Fraction) -> Form:
        whole = p.denominator == 1
        if whole and p >= 0:
            return self.whole_power(form, p.numerator)
        self.goes_on(form, 2 if p < 0 else 1)
        c, m, rest = self.split(form, whole)
        total = {monomial_power(m, p): Fraction(1)}
        if whole:
            total = scale(total, c**p.numerator)
        else:
            for prime, e in [
                *factorize(c.numerator).items(),
                *((b, -e) for b, e in factorize(c.denominator).items()),
            ]:
                total = self.mul(
                    total, self.tidy(((self.unknown_id(("prime", prime), 2), e * p),), Fraction(1))
                )
        if rest == number(1):
            return total
        if whole and min(rest.items())[1] < 0:  # of rest and -rest only one becomes an unknown
            rest, total = scale(rest, -1), scale(total, -1 if p.numerator % 2 else 1)
            if rest == number(1):
                return total
        g = self.unknown_id(("form", key(rest)), self.sign(rest), [rest])
        self.parts[g] = rest
        return self.mul(total, self.tidy(((g, p),), Fraction(1)))

    def log(self, form: Form) -> Form:
        self.goes_on(form, 2)
        c, m, rest = self.split(form, False)
        terms = []
        for n, sign in ((c.numerator, 1), (c.denominator, -1)):
            terms += [scale(self.one(("log", ("prime", b))), e * sign) for b, e in factorize(n).items()]
        for g, e in m:
            what = self.unknowns[g]
            if what[0] == "power":  # base^m
                terms.append(scale(self.mul(self.logarithm_of(what[1]), {what[2]: Fraction(1)}), e))
            else:
                terms.append(scale(self.logarithm_of(g), e))
        if rest != number(1):
            g = self.unknown_id(("form", key(rest)), self.sign(rest), [rest])
            self.parts[g] = rest
            terms.append(self.logarithm_of(g))
        return add(*terms)

    def logarithm_of(self, g: int) -> Form:
        if self.unknowns[g] == ("e",):
            return number(1)
        inner = self.unknowns[g] if self.unknowns[g][0] == "prime" else g
        try:
            low, _, never, _ = self.bounds(g)
        except Undefined:
            low, never = -inf, False
        sign = 2 if low > 1 or (low == 1 and never) else int(low == 1)
        return self.one(("log", inner), sign, names=sorted(self.uses[g]))

    def one(self, what: tuple, sign: int = 0, uses: Sequence[Form] = (), names: Sequence[str] = ()) -> Form:
        return {((self.unknown_id(what, sign, uses, names), Fraction(1)),): Fraction(1)}

    def exp(self, form: Form) -> Form:
        """e^form, where e^(c log(g) m) = (g^m)^c."""
        total = number(1)
        for m, c in form.items():
            logs = [(g, e) for g, e in m if self.unknowns[g][0] == "log" and e == 1]
            base, rest = self.unknown_id(("e",), 2), m
            if logs:
                inner = self.unknowns[logs[0][0]][1]
                base = inner if isinstance(inner, int) else self.unknown_id(inner, 2)
                rest = monomial_product(m, ((logs[0][0], Fraction(-1)),))
            if rest == CONSTANT:
                total = self.mul(total, self.tidy(((base, c),), Fraction(1)))
                continue
            names = sorted(self.uses[base].union(*(self.uses[g] for g, _ in rest)))
            g = self.unknown_id(("power", base, rest), 2, names=names)
            total = self.mul(total, {((g, c),): Fraction(1)})
        return total

    def surely_positive(self, tree: Tree) -> bool:
        """Is a tree in the variables of the box positive on all of it, by its enclosure?"""
        if not names_in(tree) <= set(self.box):
            return False
        try:
            low, _, never, _ = Enclosure(self.box).value(tree)
        except Undefined:
            return False
        return bool(low > 0 or (low == 0 and never))

    def symbolic_power(self, base: Form, p: Form, positive: bool) -> Form:
        if set(p) <= {CONSTANT}:
            return self.power(base, p.get(CONSTANT, Fraction(0)))
        if positive or self.sign(base) == 2:
            return self.exp(self.mul(p, self.log(base)))
        # (x^a)^2 need not have a value where x^(2 a) has one, and 0^2 has one that exp(2 log(0)) has not: a power of a
        # base that may not be positive is not taken apart.
        return self.one(("symbolic", key(base), key(p)), min(self.sign(base), 1), [base, p])

    # -------------------------------------------------------------------------------------------- trees

    def form(self, tree: Tree) -> Form:
        if isinstance(tree, str):
            low, open_ = self.low.get(tree, (None, False))
            sign = 0 if low is None or low < 0 else (2 if low > 0 or open_ else 1)
            return self.one(("variable", tree), sign, names=[tree])
        head, *args = tree
        if head == "q":
            return number(Fraction(args[0]))
        if head in ("pi", "e"):
            return self.one((head,), 2)
        if head in ("sum", "prod"):
            return self.series(*tree)
        if head == "at":
            return self.element(*args)
        if head == "^":
            return self.power(self.form(args[0]), Fraction(args[1]))
        if head == "call":
            forms = [self.form(a) for a in args[1:]]
            return self.one(("call", args[0], *map(key, forms)), 0, forms)
        forms = [self.form(a) for a in args]
        if head == "+":
            return add(*forms)
        if head == "*":
            total = number(1)
            for f in forms:
                total = self.mul(total, f)
            return total
        if head in ("exp", "log"):
            return self.exp(forms[0]) if head == "exp" else self.log(forms[0])
        if head == "pow":
            return self.symbolic_power(forms[0], forms[1], self.surely_positive(args[0]))
        return self.one((head, *map(key, forms)), int(head == "abs"), forms)

    def element(self, name: str, index: Tree) -> Form:
        at = self.form(index)
        for sequence, k, value in self.rules:
            if sequence == name and at == (add(self.form(self.n), number(1)) if k is None else number(k)):
                return self.form(value)
        return self.one(("at", name, key(at)), 0, [at])

    def least(self, form: Form) -> Any:
        """A lower bound of a form that is linear in indices and variables; None if there is none."""
        for index, low, high in reversed(self.ranges):
            term = ((self.unknown_id(("variable", index), names=[index]), Fraction(1)),)
            if slope := form.get(term):
                form = add(form, {term: -slope}, scale(low if slope > 0 else high, slope))
        total = form.get(CONSTANT, Fraction(0))
        for m, c in form.items():
            if m != CONSTANT:
                what = self.unknowns[m[0][0]]
                low = self.low.get(what[1], (None,))[0] if what[0] == "variable" else None
                if len(m) > 1 or m[0][1] != 1 or c < 0 or low is None:
                    return None
                total += c * low
        return total

    def series(self, head: str, index: str, low: Tree, high: Tree, body: Tree) -> Form:
        """Short sums are written out; others are made to end at an upper limit without a constant summand."""
        first, last = self.form(low), self.form(high)
        count = add(last, scale(first, -1), number(1))
        if set(count) <= {CONSTANT}:
            q = count.get(CONSTANT, Fraction(0))
            require(q.denominator == 1 and 0 <= q <= LARGEST_POWER, "a sum over no range, or a long one")
            terms = [self.form(replace(body, {index: ["+", low, ["q", str(i)]]})) for i in range(int(q))]
            return add(*terms) if head == "sum" else self.product(terms)
        shift = last.get(CONSTANT, Fraction(0))
        require(shift.denominator == 1, "a limit that is no integer")
        least = self.least(count)
        require(least is not None and least >= max(0, shift), "the upper limit may lie below the empty range")
        steps = range(int(shift)) if shift > 0 else range(int(shift), 0)
        ends = [self.form(replace(body, {index: minus(high, ["q", str(i)])})) for i in steps]
        last = add(last, number(-shift))
        # The index gets a name for its depth and sign, so that equal sums are equal unknowns.
        least = self.least(first)
        name = f"#{len(self.ranges)}{'?' if least is None or least < 0 else '+' if least > 0 else '0'}"
        self.low[name] = (least, False)
        self.form(name)
        self.ranges.append((name, first, last))
        inner = self.form(replace(body, {index: name}))
        self.ranges.pop()
        if head == "prod":
            what = ("prod", name, key(first), key(last), key(inner))
            core = self.one(
                what,
                self.sign(inner),
                names=sorted((self.names(first) | self.names(last) | self.names(inner)) - {name}),
            )
            require(
                shift > 0 or all(self.sign(e) == 2 for e in ends), "a product is divided by what may vanish"
            )
            return self.mul(
                core, self.product([e if shift > 0 else self.power(e, Fraction(-1)) for e in ends])
            )
        core = add(*(self.sum_of(name, first, last, m, c) for m, c in inner.items()))
        return add(core, *(scale(e, 1 if shift > 0 else -1) for e in ends))

    def sum_of(self, index: str, first: Form, last: Form, m: tuple, c: Fraction) -> Form:
        """The sum of one term, with the factors that do not depend on the index in front."""
        outside = tuple((g, e) for g, e in m if index not in self.uses[g])
        inside = tuple((g, e) for g, e in m if index in self.uses[g])
        core = add(last, scale(first, -1), number(1))
        if inside:
            names = self.names(first) | self.names(last) | self.names({inside: c})
            what = ("sum", index, key(first), key(last), inside)
            sign = min(1, self.sign({inside: Fraction(1)}))  # a sum over no terms is 0
            core = self.one(what, sign, names=sorted(names - {index}))
        return self.mul(core, {outside: c})

    def product(self, forms: list[Form]) -> Form:
        total = number(1)
        for f in forms:
            total = self.mul(total, f)
        return total

    # -------------------------------------------------------------------------------------------- zero

    def is_zero(self, form: Form) -> bool:
        """Multiplies with what is divided by, until no sum of several terms has a negative power."""
        while True:
            below = {g for m in form for g, e in m if g in self.parts and e < 0}
            if not below:
                return not form
            g = max(
                below
            )  # made last: no other unknown's parts contain it that are still to be multiplied out
            e = min(dict(m).get(g, Fraction(0)) for m in form)
            lift = -(e.numerator // e.denominator)
            form = add(*(self.tidy(monomial_product(m, ((g, Fraction(lift)),)), c) for m, c in form.items()))

    def same(self, a: Tree, b: Tree) -> bool:
        return self.is_zero(self.form(minus(a, b)))


def sign(tree: Tree, box: dict[str, Interval], **rest: Any) -> int:
    """2 if the tree is surely positive, by the signs of its terms, 1 if surely not negative, else 0."""
    algebra = Algebra(box, **rest)
    return algebra.sign(algebra.form(tree))


def positive(tree: Tree, box: dict[str, Interval], **rest: Any) -> bool:
    return sign(tree, box, **rest) == 2


def zero(tree: Tree, box: dict[str, Interval], **rest: Any) -> bool:
    """Is the tree zero wherever it has a value? False may also mean that the rules do not show it."""
    try:
        algebra = Algebra(box, **rest)
        return algebra.is_zero(algebra.form(tree))
    except RecursionError:
        raise Wrong("an expression is nested too deeply") from None
