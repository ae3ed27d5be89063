"""Changes of a step in its squares: over all coordinates in place of each, sizes in place of squares, no root."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from workbench.claims.optimizers.expressions import arguments_of, depends_on_run, is_call, times, with_parts

OVER_ALL = ("sum", "mean", "rowsum")


def other_squares(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """(1 - b) g g becomes (1 - b) mean(g g), (1 - b) sum(g g) and (1 - b) |g|; sums over coordinates the terms."""
    for factor, value in _square(node):
        for kind, text in (
            ("mean over the coordinates", "xp.mean(v * v, axis=-1, keepdims=True)"),
            ("sum over the coordinates", "xp.sum(v * v, axis=-1, keepdims=True)"),
            ("sizes in place of squares", "xp.abs(v)"),
        ):
            other = with_parts(text, v=value)
            yield kind, other if factor is None else times(factor, other)
    if is_call(node, "sq"):
        yield "each coordinate", with_parts("v * v", v=arguments_of(node)[0])
    elif any(is_call(node, name) for name in OVER_ALL):
        yield "each coordinate", arguments_of(node)[0]
    elif is_call(node, "sqrt") and depends_on_run(node):
        yield "no root", arguments_of(node)[0]


def _square(node: ast.expr) -> Iterator[tuple[ast.expr | None, ast.expr]]:
    """(factor, g) of factor * g * g, grouped from the left; factor None of g * g and g ** 2."""
    if not isinstance(node, ast.BinOp) or not depends_on_run(node.left):
        return
    right, before = ast.unparse(node.right), node.left
    if isinstance(node.op, ast.Pow) and right in ("2", "2.0"):
        yield None, before
    if not isinstance(node.op, ast.Mult) or not depends_on_run(node.right):
        return
    if ast.unparse(before) == right:
        yield None, before
    elif (
        isinstance(before, ast.BinOp)
        and isinstance(before.op, ast.Mult)
        and ast.unparse(before.right) == right
    ):
        yield before.left, node.right
