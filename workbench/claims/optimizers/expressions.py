"""Expressions of a step: what a node of its syntax tree is, and how another one is made.

The step has its arguments by the names s, t, c, oracle, draw and xp, so that ``c.eps`` is a parameter, ``s.m`` a part
of the state, and ``t`` the count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, TypeGuard


def sides_of_sum(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The two sides of a sum, in both orders."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield node.left, node.right
        yield node.right, node.left


def is_call(node: ast.AST, name: str) -> bool:
    if not isinstance(node, ast.Call):
        return False
    return name == getattr(node.func, "attr", getattr(node.func, "id", None))


def arguments_of(node: ast.AST) -> list[ast.expr]:
    return node.args if isinstance(node, ast.Call) else []


def call_like(call: ast.AST, argument: ast.expr) -> ast.expr:
    assert isinstance(call, ast.Call)
    return ast.Call(call.func, [argument, *call.args[1:]], call.keywords)


def is_small(node: ast.expr) -> bool:
    """Whether an expression is a number or a parameter, as c.eps: no state, no sample, no local name."""
    text = ast.unparse(node)
    names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
    return "(" not in text and (isinstance(node, ast.Constant) or set(names) == {"c"})


def is_state(node: ast.AST) -> bool:
    """Whether a part of the state is read, but for the point of a sample: oracle.grad(s.x, ...) is none."""
    if isinstance(node, ast.Attribute) and is_name(node.value, "s"):
        return True
    return not is_sample(node) and any(is_state(part) for part in ast.iter_child_nodes(node))


def is_sample(node: ast.AST) -> TypeGuard[ast.Call]:
    """oracle.grad(...)"""
    function = node.func if isinstance(node, ast.Call) else None
    return isinstance(function, ast.Attribute) and is_name(function.value, "oracle")


def is_name(node: ast.AST, name: str) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and node.id == name


def is_correction(node: ast.expr) -> bool:
    """1 - beta ** t, in any spelling of the power."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub):
        return False
    return ast.unparse(node.left) in ("1", "1.0") and mentions_count(node.right)


def is_corrected_value(node: ast.AST) -> TypeGuard[ast.BinOp]:
    """m / (1 - beta ** t)"""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and is_correction(node.right)


def is_one_minus(node: ast.AST) -> TypeGuard[ast.BinOp]:
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub):
        return False
    return ast.unparse(node.left) in ("1", "1.0") and is_small(node.right)


def mentions_count(node: ast.AST) -> bool:
    return any(is_name(n, "t") for n in ast.walk(node))


def one_minus(beta: ast.expr) -> ast.expr:
    return ast.BinOp(ast.Constant(1), ast.Sub(), beta)


def beta_of(node: ast.expr) -> ast.expr | None:
    """beta of beta * s.m."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for beta, state in ((node.left, node.right), (node.right, node.left)):
            if isinstance(state, ast.Attribute) and is_name(state.value, "s") and not is_state(beta):
                return beta
    return None


def product_without(factor: ast.expr, product: ast.expr) -> ast.expr | None:
    """The product without a factor; None if it does not have it. Products are grouped from the left."""
    text = ast.unparse(factor).replace("1.0", "1")
    if isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult):
        if ast.unparse(product.left).replace("1.0", "1") == text:
            return product.right
        if ast.unparse(product.right).replace("1.0", "1") == text:
            return product.left
        inner = product_without(factor, product.left)
        return None if inner is None else ast.BinOp(inner, ast.Mult(), product.right)
    return None


def factor_of(term: ast.expr, of: ast.expr) -> ast.expr | None:
    """lambda of lambda * x."""
    if isinstance(term, ast.BinOp) and isinstance(term.op, ast.Mult):
        for factor, x in ((term.left, term.right), (term.right, term.left)):
            if ast.unparse(x) == ast.unparse(of):
                return factor
    return None


def factors_of(node: ast.AST, name: str) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for rate, m in ((node.left, node.right), (node.right, node.left)):
            if is_name(m, name) and not is_state(rate):
                yield rate


def movements(step: ast.FunctionDef, x: ast.expr) -> Iterator[tuple[ast.expr, ast.expr, ast.expr]]:
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
                yield node, product.left, over(update, quotient.right) if is_quotient else update  # type: ignore[attr-defined]


def averages(step: ast.FunctionDef) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """(name, beta, what is added) of the statements m = beta * s.m + ..."""
    for statement in step.body:
        names, value = targets(statement), getattr(statement, "value", None)
        if len(names) == 1 and value is not None:
            for memory, new in sides_of_sum(value):
                if (beta := beta_of(memory)) is not None:
                    yield names[0], beta, new


def targets(statement: ast.stmt) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def uses_of(step: ast.FunctionDef, name: str) -> Iterator[ast.expr]:
    """Where a local name is read, but for the state that is returned."""
    for statement in step.body:
        if isinstance(statement, ast.Return):
            value = statement.value
            top = [*arguments_of(value), *(k.value for k in getattr(value, "keywords", []))] if value else []
            results = {id(node) for node in top if isinstance(node, ast.Name)}
        else:
            results = set()
        for node in ast.walk(statement):
            if is_name(node, name) and isinstance(node.ctx, ast.Load) and id(node) not in results:
                yield node


def is_corrected(step: ast.FunctionDef, use: ast.expr) -> bool:
    return any(is_corrected_value(n) and n.left is use for n in ast.walk(step))


def mentions_state(step: ast.FunctionDef, name: str) -> bool:
    return any(
        isinstance(n, ast.Attribute) and n.attr == name and is_name(n.value, "s") for n in ast.walk(step)
    )


def add(a: ast.expr, b: ast.expr) -> ast.expr:
    return ast.BinOp(a, ast.Add(), b)


def times(a: ast.expr, b: ast.expr) -> ast.expr:
    return ast.BinOp(a, ast.Mult(), b)


def over(a: ast.expr, b: ast.expr) -> ast.expr:
    return ast.BinOp(a, ast.Div(), b)


def count_of(step: ast.FunctionDef) -> ast.Name:
    """t, by the name that the step gives it."""
    return ast.Name(step.args.args[1].arg, ast.Load())


def attribute(of: str, name: str) -> ast.expr:
    return ast.Attribute(ast.Name(of, ast.Load()), name, ast.Load())


def with_parts(text: str, **parts: ast.expr) -> ast.expr:
    """An expression in which names stand for others: with_parts("v * v", v=g) is g * g."""
    tree: ast.expr = ast.parse(text, mode="eval").body
    return with_edits(
        tree, {id(n): parts[n.id] for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in parts}
    )


def depends_on_run(node: ast.AST) -> bool:
    """Whether it has more in it than the count and parameters: a sample, a part of the state, a local name."""
    return any(isinstance(n, ast.Name) and n.id not in ("c", "t", "xp", "wb") for n in ast.walk(node))


def next_or_last(node: ast.expr, by: ast.operator) -> ast.expr:
    return ast.BinOp(node, by, ast.Constant(1))


def with_edits(node: Any, edits: dict[int, ast.expr]) -> Any:
    """A tree with other nodes in place of some, by identity, also inside of what is put in.

    What has not changed is shared between both trees: no tree is ever changed in place. What is new is copied, since a
    node may stand in it twice, and must be two to be edited.
    """
    if isinstance(node, list):
        parts = [with_edits(part, edits) for part in node]
        return node if all(a is b for a, b in zip(parts, node, strict=True)) else parts
    if not isinstance(node, ast.AST):
        return node
    if id(node) in edits:
        return copy_of(
            with_edits(edits[id(node)], {key: new for key, new in edits.items() if key != id(node)})
        )
    fields = {name: with_edits(value, edits) for name, value in ast.iter_fields(node)}
    if all(new is getattr(node, name) for name, new in fields.items()):
        return node
    return ast.copy_location(type(node)(**fields), node)


def copy_of(node: Any) -> Any:
    if isinstance(node, list):
        return [copy_of(part) for part in node]
    if not isinstance(node, ast.AST):
        return node
    return type(node)(**{name: copy_of(value) for name, value in ast.iter_fields(node)})
