"""Small changes of a step: the kinds in which implementations are known to differ from what a paper prints.

A change is an edit of the syntax tree of ``step``, or another first state. Kinds: where eps stands; bias correction
left out, added, or inside a maximum; the average with or without 1 - beta, or with beta in its place; Nesterov's
look-ahead, and Nadam's; the rate before or after the momentum; the previous accumulator in place of the new one; weight
decay in the gradient or decoupled, with the rate or without; counting from another number; another threshold; the order
of projection and step; a maximum left out; the first accumulator.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

FIRST = ("1e-06", "0.1", "1.0", "g", "g * g", "abs(g)")  # in place of zeros; g: the first gradient


@dataclass(frozen=True)
class Variant:
    """A step with some changes. step: its definition. first: field of the state -> its first value, as a text.

    changes: (kind, before, after) of each.
    """

    step: ast.FunctionDef
    first: tuple[tuple[str, str], ...] = ()
    changes: tuple[tuple[str, str, str], ...] = ()

    @property
    def text(self) -> str:
        return f"{ast.unparse(self.step)}\n{sorted(self.first)}"


def neighbours(variant: Variant, zeros: tuple[str, ...]) -> Iterator[Variant]:
    """Every variant that is one change away. zeros: fields of the state that begin with zeros."""
    texts = {variant.text}
    for new in _all(variant, zeros):
        if new.text not in texts:
            texts.add(new.text)
            yield new


def _all(variant: Variant, zeros: tuple[str, ...]) -> Iterator[Variant]:
    for kind, node, new in _local_edits(variant.step):
        yield _with(variant, _copy_with(variant.step, {id(node): new}), kind, node, new)
    for kind, edits in _joint_edits(variant.step):
        (node, new), *_ = edits
        yield _with(variant, _copy_with(variant.step, {id(n): x for n, x in edits}), kind, node, new)
    free = tuple(name for name in zeros if name not in dict(variant.first))
    for names in [(name,) for name in free] + ([free] if len(free) > 1 else []):
        for value in FIRST:
            change = ("initial state", f"{', '.join(names)} = 0", f"{', '.join(names)} = {value}")
            first = (*variant.first, *((name, value) for name in names))
            yield Variant(variant.step, first, (*variant.changes, change))


def _with(variant: Variant, step: ast.FunctionDef, kind: str, node: ast.AST, new: ast.AST) -> Variant:
    return Variant(step, variant.first, (*variant.changes, (kind, ast.unparse(node), ast.unparse(new))))


def _copy_with(step: ast.FunctionDef, edits: dict[int, ast.expr]) -> ast.FunctionDef:
    """A copy of the tree in which some nodes, by identity, are others."""

    class Replace(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return copy.deepcopy(edits[id(node)]) if id(node) in edits else self.generic_visit(node)

    # The transformer changes trees in place, so the old nodes are found in the original by walking both.
    twin = copy.deepcopy(step)
    pairs = zip(ast.walk(step), ast.walk(twin), strict=True)
    edits = {id(b): edits[id(a)] for a, b in pairs if id(a) in edits}
    new = Replace().visit(twin)
    assert isinstance(new, ast.FunctionDef)
    return new


# ----------------------------------------------------------------------------------------- edits of one expression


def _local_edits(step: ast.FunctionDef) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """(kind, expression, what stands in its place)."""
    local = {name for statement in step.body for name in _targets(statement)}
    for node in ast.walk(step):
        if isinstance(node, ast.expr):
            for rule in (_eps, _bias_correction, _average, _projection, _maximum, _threshold, _complement):
                for kind, new in rule(node):
                    yield kind, node, new
            for kind, new in _look_ahead_left_out(node, local):
                yield kind, node, new
            for rule_of_step in (_count, _nadam, _decay_times_rate):
                for kind, new in rule_of_step(node, step):
                    yield kind, node, new
    yield from _previous(step, local)


def _eps(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    for root, eps in _sum(node):
        if _is_call(root, "sqrt") and _is_small(eps):
            (inner,) = _arguments(root)
            yield "eps inside the root", _call_like(root, _add(inner, eps))
            yield "eps squared inside the root", _call_like(root, _add(inner, _times(eps, eps)))
            yield "no eps", root
            if _is_corrected_value(inner):
                divisor = _call_like(root, inner.right)
                yield (
                    "eps before the bias correction",
                    _over(_add(_call_like(root, inner.left), eps), divisor),
                )
    if _is_call(node, "sqrt"):
        for inner, eps in _sum(_arguments(node)[0]):
            if _is_small(eps):
                yield "eps outside the root", _add(_call_like(node, inner), eps)
                yield "no eps", _call_like(node, inner)


def _bias_correction(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if _is_corrected_value(node):
        yield "no bias correction", node.left


def _nadam(node: ast.expr, step: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """m / (1 - beta^t) becomes beta m / (1 - beta^(t + 1)) + (1 - beta) g / (1 - beta^t)."""
    if not _is_corrected_value(node):
        return
    for name, beta, new in _averages(step):
        if _is_name(node.left, name):
            later = ast.BinOp(_count_of(step), ast.Add(), ast.Constant(1))
            ahead = _over(_times(beta, node.left), _one_minus(ast.BinOp(beta, ast.Pow(), later)))
            yield "Nadam's look-ahead", _add(ahead, _over(new, node.right))


def _average(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    for memory, new in _sum(node):
        beta = _beta_of(memory)
        if beta is None:
            continue
        plain = _without(_one_minus(beta), new)
        if plain is not None:
            yield "sum in place of average", _add(memory, plain)
        elif not _is_state(new):
            yield "average in place of sum", _add(memory, _times(_one_minus(beta), new))


def _look_ahead_left_out(node: ast.expr, local: set[str]) -> Iterator[tuple[str, ast.expr]]:
    for memory, _ in _sum(node):
        if isinstance(memory, ast.BinOp) and isinstance(memory.op, ast.Mult):
            for side in (memory.left, memory.right):
                if isinstance(side, ast.Name) and side.id in local:
                    yield "no look-ahead", side


def _complement(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if _is_one_minus(node):
        yield "beta in place of 1 - beta", node.right


def _projection(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Call) and "project" in ast.unparse(node.func):
        point = node.args[0]
        if isinstance(point, ast.BinOp) and isinstance(point.op, ast.Sub):
            before = ast.BinOp(_call_like(node, point.left), ast.Sub(), point.right)
            yield "projection before the step", before
        yield "no projection", point
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and _is_call(node.left, "project"):
        point = _arguments(node.left)[0]
        yield "projection after the step", _call_like(node.left, ast.BinOp(point, ast.Sub(), node.right))


def _maximum(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if _is_call(node, "maximum") or _is_call(node, "minimum"):
        for side in _arguments(node)[:2]:
            yield "no maximum", side


def _count(node: ast.expr, step: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    if _is_name(node, _count_of(step).id):
        yield "counted from 0", _next_or_last(node, ast.Sub())
        yield "counted from 2", _next_or_last(node, ast.Add())
        largest = ast.parse(f"xp.maximum({node.id} - 1, 1.0)", mode="eval").body
        yield "counted from 0, by 1 at least", largest


def _decay_times_rate(node: ast.expr, step: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """lambda x, multiplied by another parameter; rate lambda x without one of both."""
    decay = _factor(node, _attribute("s", "x"))
    if decay is None or not _is_small(decay):
        return
    if isinstance(decay, ast.BinOp) and isinstance(decay.op, ast.Mult):
        for side in (decay.left, decay.right):
            yield "weight decay without the rate", _times(side, _attribute("s", "x"))
    for name in sorted(
        {ast.unparse(n) for n in ast.walk(step) if isinstance(n, ast.Attribute) and _is_small(n)}
    ):
        if name not in ast.unparse(decay):
            yield "weight decay times the rate", _times(ast.parse(name, mode="eval").body, node)


def _threshold(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if (
        isinstance(node, ast.Compare)
        and isinstance(node.comparators[0], ast.Constant)
        and not _mentions_count(node)
    ):
        number = node.comparators[0].value
        for other in (number - 1, number + 1) if isinstance(number, int | float) else ():
            yield "another threshold", ast.Compare(node.left, node.ops, [ast.Constant(other)])


def _previous(step: ast.FunctionDef, local: set[str]) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """In one statement, a new value in place of that of the state before, or the other way round."""
    earlier: set[str] = set()
    state = step.args.args[0].arg
    for statement in step.body:
        own = set(_targets(statement))
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in earlier - own:
                if not isinstance(statement, ast.Return) and _mentions_state(step, node.id):
                    yield "the value before this step", node, _attribute(state, node.id)
            elif (
                isinstance(node, ast.Attribute) and _is_name(node.value, state) and node.attr in earlier - own
            ):
                yield "the value after this step", node, ast.Name(node.attr, ast.Load())
        earlier |= own


# ------------------------------------------------------------------------------------- edits of several expressions


def _joint_edits(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    """(kind, [(expression, what stands in its place), ...]); the first one is shown."""
    for rule in (_correction_added, _look_ahead, _rate_inside, _rate_outside, _decay, _correction_of_maximum):
        yield from rule(step)
    corrections = [
        (n, new) for n in ast.walk(step) if isinstance(n, ast.expr) for _, new in _bias_correction(n)
    ]
    if len(corrections) > 1:
        yield "no bias correction at all", corrections
    counts = [n for n in ast.walk(step) if isinstance(n, ast.expr) and _is_name(n, _count_of(step).id)]
    if len(counts) > 1:
        yield "counted from 0 everywhere", [(n, _next_or_last(n, ast.Sub())) for n in counts]
        yield "counted from 2 everywhere", [(n, _next_or_last(n, ast.Add())) for n in counts]


def _correction_added(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    everywhere: list[tuple[ast.expr, ast.expr]] = []
    for name, beta in _decays(step).items():
        uses = [use for use in _uses(step, name) if not _is_corrected(step, use)]
        power = ast.BinOp(beta, ast.Pow(), _count_of(step))
        edits: list[tuple[ast.expr, ast.expr]] = [
            (use, _over(ast.Name(name, ast.Load()), _one_minus(power))) for use in uses
        ]
        if edits:
            yield "bias correction", edits
            everywhere += edits
    if len(everywhere) > 1:
        yield "bias correction everywhere", everywhere


def _decays(step: ast.FunctionDef) -> dict[str, ast.expr]:
    """beta of each accumulator, and of each maximum of some."""
    decays = {name: beta for name, beta, _ in _averages(step)}
    for statement in step.body:
        value: ast.expr = getattr(statement, "value", None) or ast.Constant(None)
        for name in _targets(statement):
            if _is_call(value, "maximum"):
                inside = [decays[n.id] for n in ast.walk(value) if isinstance(n, ast.Name) and n.id in decays]
            else:  # 1 - beta, with the accumulator before
                has_memory = any(isinstance(n, ast.Attribute) and n.attr == name for n in ast.walk(value))
                inside = [n.right for n in ast.walk(value) if has_memory and _is_one_minus(n)]
            if inside and name not in decays:
                decays[name] = inside[-1]
    return decays


def _look_ahead(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    for name, beta, new in _averages(step):
        uses = list(_uses(step, name))
        ahead = _add(_times(beta, ast.Name(name, ast.Load())), new)
        if uses:
            yield "Nesterov's look-ahead", [(use, ahead) for use in uses]


def _rate_inside(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    """x - rate m with m = beta m + g: the rate at g."""
    for name, _, new in _averages(step):
        for node in ast.walk(step):
            for rate in _factors_of(node, name):
                yield (
                    "the rate before the momentum",
                    [
                        (new, _times(rate, new)),
                        (node, ast.Name(name, ast.Load())),  # type: ignore[list-item]
                    ],
                )


def _rate_outside(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    """m = beta m + rate g with x - m: the rate at m."""
    for name, _, new in _averages(step):
        if isinstance(new, ast.BinOp) and isinstance(new.op, ast.Mult) and not _is_state(new.left):
            uses = list(_uses(step, name))
            after = _times(new.left, ast.Name(name, ast.Load()))
            yield "the rate after the momentum", [(new, new.right), *((use, after) for use in uses)]


def _decay(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    """lambda x in the gradient, or in the step."""
    gradient = next(
        (n for n in ast.walk(step) if isinstance(n, ast.Call) and "oracle." in ast.unparse(n.func)), None
    )
    if gradient is None:
        return
    x = _attribute(step.args.args[0].arg, "x")
    for node in ast.walk(step):
        if not isinstance(node, ast.expr):
            continue
        for rest, term in _sum(node):
            factor = _factor(term, x)
            if factor is None or not _is_small(factor):
                continue
            if ast.unparse(rest) == ast.unparse(gradient):
                for target, rate, update in _movements(step, x):
                    inside = _add(update, term)
                    step_x = ast.BinOp(x, ast.Sub(), _times(rate, inside))
                    yield "decoupled weight decay", [(node, rest), (target, step_x)]
                    apart = ast.BinOp(target, ast.Sub(), term)
                    yield "decoupled weight decay without the rate", [(node, rest), (target, apart)]
            else:
                yield "weight decay in the gradient", [(node, rest), (gradient, _add(gradient, term))]


def _correction_of_maximum(step: ast.FunctionDef) -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    """The bias correction inside the maximum of accumulators, or after it."""
    for statement in step.body:
        names, value = _targets(statement), getattr(statement, "value", None)
        if len(names) != 1 or value is None or not _is_call(value, "maximum"):
            continue
        new = _arguments(value)[1]
        use = ast.Name(names[0], ast.Load())
        if _is_corrected_value(new):
            after = _over(use, new.right)
            edits: list[tuple[ast.expr, ast.expr]] = [(new, new.left)]
            yield "bias correction after the maximum", edits + [(u, after) for u in _uses(step, names[0])]
        for node in ast.walk(step):
            if _is_corrected_value(node) and _is_name(node.left, names[0]):
                yield "bias correction inside the maximum", [(new, _over(new, node.right)), (node, use)]


# -------------------------------------------------------------------------------------------------- what a node is


def _sum(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The two sides of a sum, in both orders."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield node.left, node.right
        yield node.right, node.left


def _is_call(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == name


def _arguments(node: ast.AST) -> list[ast.expr]:
    return node.args if isinstance(node, ast.Call) else []


def _call_like(call: ast.AST, argument: ast.expr) -> ast.expr:
    assert isinstance(call, ast.Call)
    return ast.Call(call.func, [argument, *call.args[1:]], call.keywords)


def _is_small(node: ast.expr) -> bool:
    """Whether an expression is a number or a parameter, as c.eps: no state, no sample, no local name."""
    text = ast.unparse(node)
    names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
    return "(" not in text and (isinstance(node, ast.Constant) or set(names) == {"c"})


def _is_state(node: ast.expr) -> bool:
    return any(isinstance(n, ast.Attribute) and _is_name(n.value, "s") for n in ast.walk(node))


def _is_name(node: ast.AST, name: str) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and node.id == name


def _is_correction(node: ast.expr) -> bool:
    """1 - beta ** t, in any spelling of the power."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub):
        return False
    return ast.unparse(node.left) in ("1", "1.0") and _mentions_count(node.right)


def _is_corrected_value(node: ast.AST) -> TypeGuard[ast.BinOp]:
    """m / (1 - beta ** t)"""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and _is_correction(node.right)


def _is_one_minus(node: ast.AST) -> TypeGuard[ast.BinOp]:
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub):
        return False
    return ast.unparse(node.left) in ("1", "1.0") and _is_small(node.right)


def _mentions_count(node: ast.AST) -> bool:
    return any(_is_name(n, "t") for n in ast.walk(node))


def _one_minus(beta: ast.expr) -> ast.expr:
    return ast.BinOp(ast.Constant(1), ast.Sub(), beta)


def _beta_of(node: ast.expr) -> ast.expr | None:
    """beta of beta * s.m."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for beta, state in ((node.left, node.right), (node.right, node.left)):
            if isinstance(state, ast.Attribute) and _is_name(state.value, "s") and not _is_state(beta):
                return beta
    return None


def _without(factor: ast.expr, product: ast.expr) -> ast.expr | None:
    """The product without a factor; None if it does not have it. Products are grouped from the left."""
    text = ast.unparse(factor).replace("1.0", "1")
    if isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult):
        if ast.unparse(product.left).replace("1.0", "1") == text:
            return product.right
        if ast.unparse(product.right).replace("1.0", "1") == text:
            return product.left
        inner = _without(factor, product.left)
        return None if inner is None else ast.BinOp(inner, ast.Mult(), product.right)
    return None


def _factor(term: ast.expr, of: ast.expr) -> ast.expr | None:
    """lambda of lambda * x."""
    if isinstance(term, ast.BinOp) and isinstance(term.op, ast.Mult):
        for factor, x in ((term.left, term.right), (term.right, term.left)):
            if ast.unparse(x) == ast.unparse(of):
                return factor
    return None


def _factors_of(node: ast.AST, name: str) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for rate, m in ((node.left, node.right), (node.right, node.left)):
            if _is_name(m, name) and not _is_state(rate):
                yield rate


def _movements(step: ast.FunctionDef, x: ast.expr) -> Iterator[tuple[ast.expr, ast.expr, ast.expr]]:
    """(x - rate * update, rate, update), also of x - rate * m / v."""
    for node in ast.walk(step):
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Sub)
            and ast.unparse(node.left) == ast.unparse(x)
        ):
            quotient = node.right
            is_quotient = isinstance(quotient, ast.BinOp) and isinstance(quotient.op, ast.Div)
            product = quotient.left if is_quotient else quotient  # type: ignore[attr-defined]
            if isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult):
                update = product.right
                yield node, product.left, _over(update, quotient.right) if is_quotient else update  # type: ignore[attr-defined]


def _averages(step: ast.FunctionDef) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """(name, beta, what is added) of the statements m = beta * s.m + ..."""
    for statement in step.body:
        names, value = _targets(statement), getattr(statement, "value", None)
        if len(names) == 1 and value is not None:
            for memory, new in _sum(value):
                if (beta := _beta_of(memory)) is not None:
                    yield names[0], beta, new


def _targets(statement: ast.stmt) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _uses(step: ast.FunctionDef, name: str) -> Iterator[ast.expr]:
    """Where a local name is read, but for the state that is returned."""
    for statement in step.body:
        if isinstance(statement, ast.Return):
            value = statement.value
            top = [*_arguments(value), *(k.value for k in getattr(value, "keywords", []))] if value else []
            results = {id(node) for node in top if isinstance(node, ast.Name)}
        else:
            results = set()
        for node in ast.walk(statement):
            if _is_name(node, name) and isinstance(node.ctx, ast.Load) and id(node) not in results:
                yield node


def _is_corrected(step: ast.FunctionDef, use: ast.expr) -> bool:
    return any(_is_corrected_value(n) and n.left is use for n in ast.walk(step))


def _mentions_state(step: ast.FunctionDef, name: str) -> bool:
    return any(
        isinstance(n, ast.Attribute) and n.attr == name and _is_name(n.value, "s") for n in ast.walk(step)
    )


# ------------------------------------------------------------------------------------------------ how one is made


def _add(a: ast.expr, b: ast.expr) -> ast.expr:
    return ast.BinOp(a, ast.Add(), b)


def _times(a: ast.expr, b: ast.expr) -> ast.expr:
    return ast.BinOp(a, ast.Mult(), b)


def _over(a: ast.expr, b: ast.expr) -> ast.expr:
    return ast.BinOp(a, ast.Div(), b)


def _count_of(step: ast.FunctionDef) -> ast.Name:
    """t, by the name that the step gives it."""
    return ast.Name(step.args.args[1].arg, ast.Load())


def _attribute(of: str, name: str) -> ast.expr:
    return ast.Attribute(ast.Name(of, ast.Load()), name, ast.Load())


def _next_or_last(node: ast.expr, by: ast.operator) -> ast.expr:
    return ast.BinOp(node, by, ast.Constant(1))
