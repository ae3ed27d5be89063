"""Changes of a step in its parameters: two exchanged, another one, another number, one added, a growing momentum."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from workbench.claims.optimizers.expressions import (
    add,
    arguments_of,
    attribute,
    beta_of,
    count_of,
    depends_on_run,
    is_call,
    is_correction,
    is_one_minus,
    is_sample,
    is_small,
    is_state,
    mentions_count,
    movements,
    times,
    with_edits,
)

Edits = list[tuple[ast.expr, ast.expr]]


def parameters(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """Name of a parameter -> where it is read, as c.eps."""
    places: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "c":
            places.setdefault(node.attr, []).append(node)
    return places


def momenta(step: ast.FunctionDef) -> list[str]:
    """Parameters that weigh averages: c.b in 1 - c.b, in c.b * s.m, in c.b ** t."""
    names: dict[str, None] = {}
    for node in ast.walk(step):
        beta = node.right if is_one_minus(node) else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and mentions_count(node.right):
            beta = node.left
        elif isinstance(node, ast.expr) and "s.x" not in ast.unparse(node):
            beta = beta or beta_of(node)
        if beta is not None:
            names |= dict.fromkeys(parameters(beta))
    return list(names)


def alternatives(
    steps: Mapping[str, float], given: Iterable[float], weights: Iterable[str]
) -> dict[str, tuple[float, ...]]:
    """Parameter -> other numbers that it may be: those given that are of its kind, a weight of an average or none.

    steps: the listing's numbers. weights: names of its `momenta`.
    """
    numbers = sorted({float(n) for n in given if n and abs(n) < float("inf")})
    weights = set(weights)
    return {
        name: tuple(n for n in numbers if n != value and (0.5 <= n < 1.0) == (name in weights))
        for name, value in steps.items()
    }


def exchanges(step: ast.FunctionDef) -> Iterator[tuple[str, Edits]]:
    """Two momenta exchanged everywhere; one in place of another in one statement."""
    names, places = momenta(step), parameters(step)
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            to_other: Edits = [(node, attribute("c", other)) for node in places[one]]
            to_one: Edits = [(node, attribute("c", one)) for node in places[other]]
            yield "exchanged parameters", to_other + to_one
    for statement in step.body:
        value: ast.expr = getattr(statement, "value", None) or ast.Constant(None)
        for one, nodes in parameters(value).items():
            for other in names:
                if one in names and one != other:
                    new = with_edits(value, {id(node): attribute("c", other) for node in nodes})
                    yield "another parameter", [(value, new)]


def other_numbers(
    step: ast.FunctionDef, numbers: Mapping[str, tuple[float, ...]]
) -> Iterator[tuple[str, Edits]]:
    """Numbers in place of parameters, by the name of the parameter."""
    places = parameters(step)
    for name, values in numbers.items():
        for value in values if name in places else ():
            yield "another number", [(node, ast.Constant(value)) for node in places[name]]


def foreign(steps: Mapping[str, float], given: Iterable[float]) -> tuple[float, ...]:
    """Numbers of the implementation, below 1/2 as eps and decays are, that the listing does not have."""
    return tuple(sorted({float(n) for n in given if 0 < n < 0.5} - set(steps.values())))


def added_numbers(step: ast.FunctionDef, numbers: Iterable[float]) -> Iterator[tuple[str, Edits]]:
    """A number beside what is divided by, inside a maximum, and as weight decay."""
    x = attribute(step.args.args[0].arg, "x")
    nodes = list(ast.walk(step))
    for number in map(ast.Constant, numbers):
        for node in nodes:
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and depends_on_run(node.right):
                if not is_correction(node.right):
                    yield "eps added", [(node.right, add(node.right, number))]
            elif is_call(node, "maximum"):
                for side in filter(depends_on_run, arguments_of(node)[:2]):
                    yield "eps inside the maximum", [(side, add(side, number))]
            elif is_sample(node):
                yield "weight decay added", [(node, add(node, times(number, x)))]
        for target, rate, update in movements(step, x):
            if not is_sample(update):
                decay = times(times(rate, number), x)
                yield "decoupled weight decay added", [(target, ast.BinOp(target, ast.Sub(), decay))]


def growing_momentum(node: ast.expr, step: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """beta (x - x_old) becomes (t - 1) / (t + 2) (x - x_old), or t / (t + 3) (x - x_old)."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult) or not is_small(node.left):
        return
    gap = node.right
    if isinstance(gap, ast.BinOp) and isinstance(gap.op, ast.Sub) and is_state(gap):
        t = count_of(step).id
        for text in (f"({t} - 1) / ({t} + 2)", f"{t} / ({t} + 3)"):
            weight = ast.parse(text, mode="eval").body
            yield "a momentum that grows", ast.BinOp(weight, ast.Mult(), gap)
