"""Changes of a step in what is clipped: nothing, the gradient, the direction or the whole step; rows or coordinates.

v is clipped in ``wb.ops.into_ball(v, r, xp)``, ``xp.clip(v, -r, r)``, ``v * xp.minimum(1.0, r / norm(v))`` and
``v / xp.maximum(1.0, norm(v) / r)``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from workbench.claims.optimizers.expressions import (
    arguments_of,
    attribute,
    is_call,
    is_sample,
    movements,
    times,
    with_edits,
    with_parts,
)

Edits = list[tuple[ast.expr, ast.expr]]
Clip = Callable[[ast.expr], ast.expr]


def clippings(step: ast.FunctionDef) -> Iterator[tuple[str, Edits]]:
    clips = [
        (node, *parts) for node in ast.walk(step) if isinstance(node, ast.expr) and (parts := clip_of(node))
    ]
    for node, inner, clip in clips:
        yield "no clipping", [(node, inner)]
        inside = {id(part) for part in ast.walk(node)}
        for place, new in _places(step, clip):
            if id(place) not in inside:
                yield "clipping elsewhere", [(node, inner), (place, new)]
        for kind, other in _other_norm(node, inner):
            yield kind, [(node, other)]
    if not clips:
        for sample in filter(is_sample, ast.walk(step)):
            yield "gradient clipped to norm 1", [(sample, _by_norm(sample, ast.Constant(1.0)))]
            yield "gradient clipped to [-1, 1]", [(sample, _by_coordinate(sample, ast.Constant(1.0)))]


def clip_of(node: ast.expr) -> tuple[ast.expr, Clip] | None:
    """What is clipped, and how another expression is clipped in the same way."""
    if is_call(node, "into_ball") or is_call(node, "clip"):
        inner = arguments_of(node)[0]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
        sides = (node.left, node.right), (node.right, node.left)
        pairs = [(v, f) for v, f in sides if is_call(f, "minimum") or is_call(f, "maximum")]
        pairs = [(v, f) for v, f in pairs if any(is_norm_of(part, v) for part in ast.walk(f))]
        if not pairs:
            return None
        inner = pairs[0][0]
    else:
        return None
    text = ast.unparse(inner)
    uses = [part for part in ast.walk(node) if isinstance(part, ast.expr) and ast.unparse(part) == text]
    return inner, lambda other: with_edits(node, {id(use): other for use in uses})


def is_norm_of(node: ast.AST, v: ast.expr) -> bool:
    return is_call(node, "norm") and ast.unparse(arguments_of(node)[0]) == ast.unparse(v)


def _places(step: ast.FunctionDef, clip: Clip) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The gradient, the direction of the step, the step: each with the clipped one."""
    for node in ast.walk(step):
        if is_sample(node):
            yield node, clip(node)
    x = attribute(step.args.args[0].arg, "x")
    for target, rate, update in movements(step, x):
        for displacement in (times(rate, clip(update)), clip(times(rate, update))):
            yield target, ast.BinOp(x, ast.Sub(), displacement)


def _other_norm(node: ast.expr, inner: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The norm in place of coordinates, or the other way round, where the radius is seen."""
    if is_call(node, "into_ball"):
        yield "clipping by coordinates", _by_coordinate(inner, arguments_of(node)[1])
    elif is_call(node, "clip") and len(arguments_of(node)) > 2:
        yield "clipping by the norm", _by_norm(inner, arguments_of(node)[2])


def _by_coordinate(v: ast.expr, radius: ast.expr) -> ast.expr:
    return with_parts("xp.clip(v, -r, r)", v=v, r=radius)


def _by_norm(v: ast.expr, radius: ast.expr) -> ast.expr:
    return with_parts(
        "v / xp.maximum(xp.sqrt(xp.sum(v * v, axis=-1, keepdims=True)) / r, 1.0)", v=v, r=radius
    )
