"""What an optimizer keeps between iterations, as one row of numbers, and back.

A tree is made of dicts, lists, tuples, named tuples and other records; its leaves are numbers, arrays, tensors and
None. Every number up to 64 bits of a float, or 53 of an integer, is the same after the way there and back.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.engine.validate import ProblemError

CONTAINERS = "numbers, arrays, and tuples, lists, dicts and dataclasses of these"


@dataclass(frozen=True)
class Leaf:
    """path: where it stands. make: array -> the leaf in its own type. shape: of the array."""

    path: str
    shape: tuple[int, ...]
    make: Callable[[np.ndarray], Any]


def leaves(tree: Any, what: str, path: str = "") -> Iterator[tuple[Leaf, np.ndarray]]:
    """The numbers of a tree in order. what: names the optimizer in an error.

    Raises ProblemError for a leaf that is none, and for a tensor on another device than the CPU.
    """
    if tree is None or isinstance(tree, str):
        return
    for name, part in _parts(tree):
        yield from leaves(part, what, f"{path}.{name}" if path else str(name))
    if _parts(tree) or isinstance(tree, dict | list | tuple | deque):
        return
    array, make = _array(tree, what, path)
    if array.dtype.kind not in "biuf":
        raise ProblemError(
            f"{what} keeps {path or 'a state'} of type {type(tree).__name__}; wanted {CONTAINERS}", "step"
        )
    yield Leaf(path, array.shape, make), array


def flat(tree: Any, what: str) -> np.ndarray:
    """(n,) floats: all numbers of a tree."""
    arrays = [array.astype(float).reshape(-1) for _, array in leaves(tree, what)]
    return np.concatenate(arrays) if arrays else np.zeros(0)


def rebuilt(template: Any, numbers: np.ndarray, what: str) -> Any:
    """A tree like the template with other numbers, (n,). Texts and None are the template's."""
    kinds = [leaf for leaf, _ in leaves(template, what)]
    ends = np.cumsum([0, *(int(np.prod(leaf.shape)) for leaf in kinds)])
    new = iter(
        [
            leaf.make(numbers[a:b].reshape(leaf.shape))
            for leaf, a, b in zip(kinds, ends, ends[1:], strict=False)
        ]
    )
    return _with_leaves(template, new)


def shapes(tree: Any, what: str) -> dict[str, tuple[int, ...]]:
    """Path of each leaf -> its shape."""
    return {leaf.path: leaf.shape for leaf, _ in leaves(tree, what)}


def _parts(tree: Any) -> list[tuple[str, Any]]:
    """The named parts of a container; empty for a leaf."""
    if isinstance(tree, dict):
        return [(str(name), value) for name, value in tree.items()]
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return list(zip(tree._fields, tree, strict=True))
    if isinstance(tree, list | tuple | deque):
        return [(str(i), value) for i, value in enumerate(tree)]
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type):
        return [(f.name, getattr(tree, f.name)) for f in dataclasses.fields(tree)]
    return []


def _with_leaves(tree: Any, new: Iterator[Any]) -> Any:
    if tree is None or isinstance(tree, str):
        return tree
    if isinstance(tree, dict):
        return type(tree)((name, _with_leaves(value, new)) for name, value in tree.items())
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(_with_leaves(value, new) for value in tree))
    if isinstance(tree, deque):
        return deque((_with_leaves(value, new) for value in tree), tree.maxlen)
    if isinstance(tree, list | tuple):
        return type(tree)(_with_leaves(value, new) for value in tree)
    if parts := _parts(tree):
        return dataclasses.replace(tree, **{name: _with_leaves(value, new) for name, value in parts})
    return next(new)


def _array(leaf: Any, what: str, path: str) -> tuple[np.ndarray, Callable[[np.ndarray], Any]]:
    """A leaf as an array, and how it is made from one."""
    if isinstance(leaf, bool | int | float):
        kind = type(leaf)
        return np.asarray(leaf), lambda numbers: kind(numbers)
    if type(leaf).__module__.partition(".")[0] == "torch" and hasattr(leaf, "detach"):
        if leaf.device.type != "cpu":
            raise ProblemError(
                f"{what} keeps {path} on the device {leaf.device}; runs are computed on the CPU, so its state must"
                " lie there",
                "step",
            )
        like = leaf.detach()
        numbers = like.double() if like.is_floating_point() else like  # NumPy has no bfloat16
        return numbers.numpy(), lambda numbers: like.new_tensor(numbers)
    array = np.asarray(leaf)
    return array, lambda numbers: numbers.astype(array.dtype)
