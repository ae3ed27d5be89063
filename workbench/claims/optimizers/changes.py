"""Small changes of a step: the kinds in which implementations are known to differ from what a paper prints.

A change is an edit of the syntax tree of ``step``, or another first state. Kinds: where eps stands; bias correction
left out, added, or inside a maximum; the average with or without 1 - beta, or with beta in its place; Nesterov's
look-ahead, and Nadam's; the rate before or after the momentum; the previous accumulator in place of the new one; weight
decay in the gradient or decoupled, with the rate or without; counting from another number; another threshold, and
no step below it; the order of projection and step; a maximum or an average left out; the first accumulator; a sign;
what is clipped (`clipping`); what is squared (`squares`); parameters exchanged, other numbers, and numbers that only
the implementation has (`parameters`).
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from workbench.claims.optimizers.clipping import clippings
from workbench.claims.optimizers.expressions import (
    add,
    arguments_of,
    attribute,
    averages,
    beta_of,
    call_like,
    count_of,
    factor_of,
    factors_of,
    is_call,
    is_corrected,
    is_corrected_value,
    is_name,
    is_one_minus,
    is_small,
    is_state,
    mentions_count,
    mentions_state,
    movements,
    next_or_last,
    one_minus,
    over,
    product_without,
    sides_of_sum,
    targets,
    times,
    uses_of,
    with_edits,
)
from workbench.claims.optimizers.parameters import added_numbers, exchanges, growing_momentum, other_numbers
from workbench.claims.optimizers.squares import other_squares

FIRST = ("1e-06", "0.1", "1.0", "g", "g * g", "abs(g)")  # in place of zeros; g: the first gradient


@dataclass(frozen=True)
class Variant:
    """A step with some changes. step: its definition. first: field of the state -> its first value, as a text.

    changes: (kind, before, after) of each.
    """

    step: ast.FunctionDef
    first: tuple[tuple[str, str], ...] = ()
    changes: tuple[tuple[str, str, str], ...] = ()

    @cached_property
    def source(self) -> str:
        body = "\n".join(map(_text_of, self.step.body))
        return f"def step({ast.unparse(self.step.args)}):\n{textwrap.indent(body, '    ')}"

    @cached_property
    def text(self) -> str:
        """By which two variants are the same."""
        return f"{self.source}\n{sorted(self.first)}"


def neighbours(
    variant: Variant,
    zeros: tuple[str, ...],
    numbers: Mapping[str, tuple[float, ...]] | None = None,
    more: tuple[float, ...] = (),
) -> Iterator[Variant]:
    """Every variant that is one change away.

    zeros: fields of the state that begin with zeros. numbers: parameter -> what it may be instead. more: numbers that
    may be added somewhere.
    """
    texts = {variant.text}
    for new in _all(variant, zeros, numbers or {}, more):
        if new.text not in texts:
            texts.add(new.text)
            yield new


def _all(
    variant: Variant,
    zeros: tuple[str, ...],
    numbers: Mapping[str, tuple[float, ...]],
    more: tuple[float, ...],
) -> Iterator[Variant]:
    for kind, node, new in _local_edits(variant.step):
        yield _with(variant, _copy_with(variant.step, {id(node): new}), kind, node, new)
    of_numbers = (*other_numbers(variant.step, numbers), *added_numbers(variant.step, more))
    for kind, edits in (*_joint_edits(variant.step), *of_numbers):
        (node, new), *_ = edits
        yield _with(variant, _copy_with(variant.step, {id(n): x for n, x in edits}), kind, node, new)
    free = tuple(name for name in zeros if name not in dict(variant.first))
    for names in [(name,) for name in free] + ([free] if len(free) > 1 else []):
        for value in FIRST:
            change = ("initial state", f"{', '.join(names)} = 0", f"{', '.join(names)} = {value}")
            first = (*variant.first, *((name, value) for name in names))
            yield Variant(variant.step, first, (*variant.changes, change))


def rescalings(variant: Variant, factor: float) -> Iterator[Variant]:
    """The variant with a step as long as ``factor`` times its own."""
    for new in _new_points(variant.step):
        x = attribute(variant.step.args.args[0].arg, "x")
        displacement = ast.BinOp(new, ast.Sub(), x)
        longer = add(x, times(ast.Constant(factor), displacement))
        step = _copy_with(variant.step, {id(new): longer})
        yield Variant(
            step,
            variant.first,
            (*variant.changes, ("another rate", ast.unparse(displacement), f"{factor:g} times as much")),
        )


def _new_points(step: ast.FunctionDef) -> Iterator[ast.expr]:
    """What stands for x in the state that is returned."""
    for statement in step.body:
        call = statement.value if isinstance(statement, ast.Return) else None
        if isinstance(call, ast.Call):
            keywords = [keyword.value for keyword in call.keywords if keyword.arg == "x"]
            yield from keywords or call.args[:1]


def _with(variant: Variant, step: ast.FunctionDef, kind: str, node: ast.AST, new: ast.AST) -> Variant:
    return Variant(step, variant.first, (*variant.changes, (kind, ast.unparse(node), ast.unparse(new))))


def _copy_with(step: ast.FunctionDef, edits: dict[int, ast.expr]) -> ast.FunctionDef:
    body = [with_edits(part, edits) if edits.keys() & _nodes_of(part) else part for part in step.body]
    return ast.FunctionDef(step.name, step.args, body, [])


# Variants share the statements in which they do not differ, so that each is read once.
@lru_cache(maxsize=10_000)
def _nodes_of(statement: ast.stmt) -> frozenset[int]:
    return frozenset(map(id, ast.walk(statement)))


@lru_cache(maxsize=10_000)
def _text_of(statement: ast.stmt) -> str:
    return ast.unparse(statement)


# ----------------------------------------------------------------------------------------- edits of one expression


def _local_edits(step: ast.FunctionDef) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """(kind, expression, what stands in its place)."""
    local = {name for statement in step.body for name in targets(statement)}
    for node in ast.walk(step):
        if isinstance(node, ast.expr):
            for rule in LOCAL:
                for kind, new in rule(node):
                    yield kind, node, new
            for kind, new in _look_ahead_left_out(node, local):
                yield kind, node, new
            for rule_of_step in (
                _count,
                _nadam,
                _decay_times_rate,
                _displacement,
                _sign_kept,
                growing_momentum,
            ):
                for kind, new in rule_of_step(node, step):
                    yield kind, node, new
    yield from _previous(step, local)


def _eps(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    for root, eps in sides_of_sum(node):
        if is_call(root, "sqrt") and is_small(eps):
            (inner,) = arguments_of(root)
            yield "eps inside the root", call_like(root, add(inner, eps))
            yield "eps squared inside the root", call_like(root, add(inner, times(eps, eps)))
            yield "no eps", root
            if is_corrected_value(inner):
                divisor = call_like(root, inner.right)
                yield (
                    "eps before the bias correction",
                    over(add(call_like(root, inner.left), eps), divisor),
                )
    if is_call(node, "sqrt"):
        for inner, eps in sides_of_sum(arguments_of(node)[0]):
            if is_small(eps):
                yield "eps outside the root", add(call_like(node, inner), eps)
                yield "no eps", call_like(node, inner)


def _bias_correction(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if is_corrected_value(node):
        yield "no bias correction", node.left


def _nadam(node: ast.expr, step: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """m / (1 - beta^t) becomes beta m / (1 - beta^(t + 1)) + (1 - beta) g / (1 - beta^t)."""
    if not is_corrected_value(node):
        return
    for name, beta, new in averages(step):
        if is_name(node.left, name):
            later = ast.BinOp(count_of(step), ast.Add(), ast.Constant(1))
            ahead = over(times(beta, node.left), one_minus(ast.BinOp(beta, ast.Pow(), later)))
            yield "Nadam's look-ahead", add(ahead, over(new, node.right))


def _average(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    for memory, new in sides_of_sum(node):
        beta = beta_of(memory)
        if beta is None:
            continue
        plain = product_without(one_minus(beta), new)
        if plain is not None:
            yield "sum in place of average", add(memory, plain)
        elif not is_state(new):
            yield "average in place of sum", add(memory, times(one_minus(beta), new))


def _look_ahead_left_out(node: ast.expr, local: set[str]) -> Iterator[tuple[str, ast.expr]]:
    for memory, _ in sides_of_sum(node):
        if isinstance(memory, ast.BinOp) and isinstance(memory.op, ast.Mult):
            for side in (memory.left, memory.right):
                if isinstance(side, ast.Name) and side.id in local:
                    yield "no look-ahead", side


def _sign(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """a + b becomes a - b, and the other way round; not 1 - beta, root + eps, t - 1."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub):
        return
    if not any(is_small(side) for side in (node.left, node.right)):
        other: ast.operator = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        yield "the other sign", ast.BinOp(node.left, other, node.right)


def _complement(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if is_one_minus(node):
        yield "beta in place of 1 - beta", node.right


def _projection(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Call) and "project" in ast.unparse(node.func):
        point = node.args[0]
        if isinstance(point, ast.BinOp) and isinstance(point.op, ast.Sub):
            before = ast.BinOp(call_like(node, point.left), ast.Sub(), point.right)
            yield "projection before the step", before
        yield "no projection", point
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and is_call(node.left, "project"):
        point = arguments_of(node.left)[0]
        yield "projection after the step", call_like(node.left, ast.BinOp(point, ast.Sub(), node.right))


def _maximum(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    is_clip = any(is_call(part, "norm") for part in ast.walk(node))
    if (is_call(node, "maximum") or is_call(node, "minimum")) and not is_clip:
        for side in arguments_of(node)[:2]:
            yield "no maximum", side


def _count(node: ast.expr, step: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    if is_name(node, count_of(step).id):
        yield "counted from 0", next_or_last(node, ast.Sub())
        yield "counted from 2", next_or_last(node, ast.Add())
        largest = ast.parse(f"xp.maximum({node.id} - 1, 1.0)", mode="eval").body
        yield "counted from 0, by 1 at least", largest


def _decay_times_rate(node: ast.expr, step: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """lambda x, multiplied by another parameter; rate lambda x without one of both."""
    decay = factor_of(node, attribute("s", "x"))
    if decay is None or not is_small(decay):
        return
    if isinstance(decay, ast.BinOp) and isinstance(decay.op, ast.Mult):
        for side in (decay.left, decay.right):
            yield "weight decay without the rate", times(side, attribute("s", "x"))
    for other in _other_factors(step, decay):
        yield "weight decay times the rate", times(other, attribute("s", "x"))


def _other_factors(step: ast.FunctionDef, decay: ast.expr) -> Iterator[ast.expr]:
    """A factor of x multiplied by each parameter that is not in it."""
    names = {ast.unparse(n) for n in ast.walk(step) if isinstance(n, ast.Attribute) and is_small(n)}
    for name in sorted(names):
        if name not in ast.unparse(decay):
            yield times(ast.parse(name, mode="eval").body, decay)


def _threshold(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if (
        isinstance(node, ast.Compare)
        and isinstance(node.comparators[0], ast.Constant)
        and not mentions_count(node)
    ):
        number = node.comparators[0].value
        for other in (number - 1, number + 1) if isinstance(number, int | float) else ():
            yield "another threshold", ast.Compare(node.left, node.ops, [ast.Constant(other)])


def _no_average(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """z + (x - z) / t becomes x."""
    for mean, change in sides_of_sum(node):
        if isinstance(change, ast.BinOp) and isinstance(change.op, ast.Div | ast.Mult):
            for gap in (change.left, change.right):
                is_gap = isinstance(gap, ast.BinOp) and isinstance(gap.op, ast.Sub)
                if is_gap and ast.unparse(gap.right) == ast.unparse(mean):  # type: ignore[attr-defined]
                    yield "no average", gap.left  # type: ignore[attr-defined]


def _below_threshold(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """where(rho > 4, r, 1.0) becomes where(rho > 4, r, 0.0)."""
    if is_call(node, "where") and len(arguments_of(node)) == 3:
        condition, value, other = arguments_of(node)
        if isinstance(other, ast.Constant) and other.value:
            assert isinstance(node, ast.Call)
            yield (
                "no step below the threshold",
                ast.Call(node.func, [condition, value, ast.Constant(0.0)], []),
            )


LOCAL = (
    _eps,
    _bias_correction,
    _average,
    _projection,
    _maximum,
    _threshold,
    _complement,
    _sign,
    _no_average,
    _below_threshold,
    other_squares,
)


def _sign_kept(node: ast.expr, step: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """sign(g) becomes 0 where a condition of the step, as g_old g > 0, does not hold, or one like g_old g < 0 does."""
    if is_call(node, "sign"):
        where, zero = ast.parse("xp.where", mode="eval").body, ast.Constant(0.0)
        for condition in ast.walk(step):
            if isinstance(condition, ast.Compare) and ast.unparse(condition).endswith("> 0"):
                yield "no step unless", ast.Call(where, [condition, node, zero], [])
            elif isinstance(condition, ast.Compare) and ast.unparse(condition).endswith("< 0"):
                yield "no step if", ast.Call(where, [condition, zero, node], [])


def _step_before(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    """What x becomes, with values of the state before the step in place of the new ones."""
    state = step.args.args[0].arg
    for new in _new_points(step):
        uses = [n for n in ast.walk(new) if isinstance(n, ast.Name) and mentions_state(step, n.id)]
        if uses:
            yield "the value before this step", [(n, attribute(state, n.id)) for n in uses]


def _displacement(node: ast.expr, step: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """beta (x - x_old) of a method with a rate a_t becomes (a_t / a_(t-1)) beta (x - x_old): that of gradients."""
    x, count = attribute(step.args.args[0].arg, "x"), count_of(step)
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return
    gap = node.right
    if isinstance(gap, ast.BinOp) and isinstance(gap.op, ast.Sub) and ast.unparse(gap.left) == ast.unparse(x):
        for _, rate, _ in movements(step, x):
            if mentions_count(rate):
                nodes = [n for n in ast.walk(rate) if is_name(n, count.id)]
                last = with_edits(rate, {id(n): next_or_last(n, ast.Sub()) for n in nodes})
                yield "the rate after the momentum", times(over(rate, last), node)


def _previous(step: ast.FunctionDef, local: set[str]) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """In one statement, a new value in place of that of the state before, or the other way round."""
    earlier: set[str] = set()
    state = step.args.args[0].arg
    for statement in step.body:
        own = set(targets(statement))
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in earlier - own:
                if not isinstance(statement, ast.Return) and mentions_state(step, node.id):
                    yield "the value before this step", node, attribute(state, node.id)
            elif (
                isinstance(node, ast.Attribute) and is_name(node.value, state) and node.attr in earlier - own
            ):
                yield "the value after this step", node, ast.Name(node.attr, ast.Load())
        earlier |= own


# ------------------------------------------------------------------------------------- edits of several expressions


def _joint_edits(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    """(kind, [(expression, what stands in its place), ...]); the first one is shown."""
    for rule in JOINT:
        yield from rule(step)
    corrections = [
        (n, new) for n in ast.walk(step) if isinstance(n, ast.expr) for _, new in _bias_correction(n)
    ]
    if len(corrections) > 1:
        yield "no bias correction at all", corrections
    counts = [n for n in ast.walk(step) if isinstance(n, ast.expr) and is_name(n, count_of(step).id)]
    if len(counts) > 1:
        yield "counted from 0 everywhere", [(n, next_or_last(n, ast.Sub())) for n in counts]
        yield "counted from 2 everywhere", [(n, next_or_last(n, ast.Add())) for n in counts]
    if counts:
        yield "not counted", [(n, ast.Constant(1.0)) for n in counts]


def _correction_added(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    everywhere: list[tuple[ast.expr, ast.expr]] = []
    for name, beta in _decays(step).items():
        uses = [use for use in uses_of(step, name) if not is_corrected(step, use)]
        power = ast.BinOp(beta, ast.Pow(), count_of(step))
        edits: list[tuple[ast.expr, ast.expr]] = [
            (use, over(ast.Name(name, ast.Load()), one_minus(power))) for use in uses
        ]
        if edits:
            yield "bias correction", edits
            everywhere += edits
    if len(everywhere) > 1:
        yield "bias correction everywhere", everywhere


def _decays(step: ast.FunctionDef) -> dict[str, ast.expr]:
    """beta of each accumulator, and of each maximum of some."""
    decays = {name: beta for name, beta, _ in averages(step)}
    for statement in step.body:
        value: ast.expr = getattr(statement, "value", None) or ast.Constant(None)
        for name in targets(statement):
            if is_call(value, "maximum"):
                inside = [decays[n.id] for n in ast.walk(value) if isinstance(n, ast.Name) and n.id in decays]
            else:  # 1 - beta, with the accumulator before
                has_memory = any(isinstance(n, ast.Attribute) and n.attr == name for n in ast.walk(value))
                inside = [n.right for n in ast.walk(value) if has_memory and is_one_minus(n)]
            if inside and name not in decays:
                decays[name] = inside[-1]
    return decays


def _look_ahead(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    for name, beta, new in averages(step):
        uses = list(uses_of(step, name))
        ahead = add(times(beta, ast.Name(name, ast.Load())), new)
        if uses:
            yield "Nesterov's look-ahead", [(use, ahead) for use in uses]


def _rate_inside(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    """x - rate m with m = beta m + g: the rate at g."""
    for name, _, new in averages(step):
        for node in ast.walk(step):
            for rate in factors_of(node, name):
                yield (
                    "the rate before the momentum",
                    [
                        (new, times(rate, new)),
                        (node, ast.Name(name, ast.Load())),  # type: ignore[list-item]
                    ],
                )


def _rate_outside(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    """m = beta m + rate g with x - m: the rate at m."""
    for name, _, new in averages(step):
        if isinstance(new, ast.BinOp) and isinstance(new.op, ast.Mult) and not is_state(new.left):
            uses = list(uses_of(step, name))
            after = times(new.left, ast.Name(name, ast.Load()))
            yield "the rate after the momentum", [(new, new.right), *((use, after) for use in uses)]


def _decay(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    """lambda x in the gradient, or in the step."""
    gradient = next(
        (n for n in ast.walk(step) if isinstance(n, ast.Call) and "oracle." in ast.unparse(n.func)), None
    )
    if gradient is None:
        return
    x = attribute(step.args.args[0].arg, "x")
    for node in ast.walk(step):
        if not isinstance(node, ast.expr):
            continue
        is_minus = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
        pairs = [(node.left, node.right)] if is_minus else sides_of_sum(node)  # type: ignore[attr-defined]
        for rest, term in pairs:
            factor = factor_of(term, x)
            if factor is None or not is_small(factor):
                continue
            if is_minus or ast.unparse(rest) != ast.unparse(gradient):
                both = [factor.left, factor.right] if isinstance(factor, ast.BinOp) else []
                for decay in (factor, *both):
                    inside = add(gradient, times(decay, x))
                    yield "weight decay in the gradient", [(gradient, inside), (node, rest)]
            else:
                for target, rate, update in movements(step, x):
                    inside = add(update, term)
                    step_x = ast.BinOp(x, ast.Sub(), times(rate, inside))
                    yield "decoupled weight decay", [(node, rest), (target, step_x)]
                    apart = ast.BinOp(target, ast.Sub(), term)
                    yield "decoupled weight decay without the rate", [(node, rest), (target, apart)]
            if is_minus:
                yield "weight decay after the step", [(term, times(factor, rest))]
                for other in _other_factors(step, factor):
                    yield "weight decay after the step, times the rate", [(term, times(other, rest))]


def _correction_of_maximum(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    """The bias correction inside the maximum of accumulators, or after it."""
    for statement in step.body:
        names, value = targets(statement), getattr(statement, "value", None)
        if len(names) != 1 or value is None or not is_call(value, "maximum"):
            continue
        new = arguments_of(value)[1]
        use = ast.Name(names[0], ast.Load())
        if is_corrected_value(new):
            after = over(use, new.right)
            edits: list[tuple[ast.expr, ast.expr]] = [(new, new.left)]
            yield "bias correction after the maximum", edits + [(u, after) for u in uses_of(step, names[0])]
        for node in ast.walk(step):
            if is_corrected_value(node) and is_name(node.left, names[0]):
                yield "bias correction inside the maximum", [(new, over(new, node.right)), (node, use)]


def _eps_of_maximum(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    """u = max(a, b), used as u + eps, becomes max(a, b + eps), used as u; or the other way round."""
    for statement in step.body:
        names, value = targets(statement), getattr(statement, "value", None)
        if len(names) != 1 or value is None or not is_call(value, "maximum"):
            continue
        uses = list(uses_of(step, names[0]))
        for side in arguments_of(value)[:2]:
            for node in ast.walk(step):
                for use, eps in sides_of_sum(node):
                    if is_name(use, names[0]) and is_small(eps):
                        yield "eps inside the maximum", [(node, use), (side, add(side, eps))]  # type: ignore[list-item]
            for inner, eps in sides_of_sum(side):
                if is_small(eps):
                    yield "eps outside the maximum", [(side, inner), *((use, add(use, eps)) for use in uses)]


JOINT = (
    _correction_added,
    _look_ahead,
    _rate_inside,
    _rate_outside,
    _decay,
    _correction_of_maximum,
    _eps_of_maximum,
    _step_before,
    exchanges,
    clippings,
)
