"""Optimizers with `init` and `update` written in JAX, as those of optax: all runs at once, by `vmap`.

A row's bits may depend on how many rows are beside it: XLA compiles another program for another shape, with other
fused operations. So rows are computed in blocks of `BLOCK`, one after the other; the last block is filled up with
copies of the last row. The number of blocks is an argument of the program, and there is room for two at least: a loop
whose length XLA knows it may unroll, and a block that is all there is it does not cut out; either way it fuses other
operations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from workbench.claims.optimizers.hyperparameters import Hyperparameters
from workbench.claims.optimizers.libraries import float64
from workbench.engine.validate import ProblemError

BLOCK = 32
_RANDOM = re.compile(
    r"\b(random_bits|random_wrap|random_unwrap|threefry2x32|rng_bit_generator|rng_uniform)\b"
)


class JaxRule:
    """make: hyperparameters -> an object with ``init`` and ``update``. output: (state, parameters) -> point."""

    cost = ""

    def __init__(self, what: str, make: Callable[..., Any], output: Callable[..., Any] | None) -> None:
        self.what, self._make, self._output = what, make, output
        self._kernel = cache(self._functions)

    def begin(self, x: np.ndarray, hyper: Hyperparameters) -> np.ndarray:
        return self._on_rows("init", hyper, x)

    def update(
        self, x: np.ndarray, gradient: np.ndarray, memory: np.ndarray, t: int, hyper: Hyperparameters
    ) -> tuple[np.ndarray, np.ndarray]:
        x, memory = self._on_rows("update", hyper, x, gradient, memory)
        return x, memory

    def output(self, x: np.ndarray, memory: np.ndarray, t: int, hyper: Hyperparameters) -> np.ndarray:
        return self._on_rows("output", hyper, x, memory)

    def _on_rows(self, function: str, hyper: Hyperparameters, x: np.ndarray, *more: np.ndarray) -> Any:
        rows = len(x)
        blocks = -(-rows // BLOCK)
        columns = np.stack([*hyper.columns.values(), np.zeros(rows)], axis=1)
        rest = max(2, blocks) * BLOCK - rows
        arrays = [np.concatenate([a, np.repeat(a[-1:], rest, axis=0)]) for a in (x, columns, *more)]
        with float64():
            kernel = self._kernel(x.shape[1], tuple(hyper.common.items()), tuple(hyper.columns))
            new = kernel[function](blocks, *arrays)
            return tuple(np.array(a)[:rows] for a in new) if isinstance(new, tuple) else np.array(new)[:rows]

    def _functions(
        self, d: int, common: tuple[tuple[str, float], ...], names: tuple[str, ...]
    ) -> dict[str, Any]:
        """The functions of a batch: (rows, d) parameters, (rows, n) hyperparameters, (rows, k) memory."""
        with float64() as jax:
            run = _Run(jax, self, dict(common), names, d)
            if draws_of_its_own(jax, run):
                raise _draws_its_own(self.what)
            return {
                "init": run.on_rows(run.init),
                "update": run.on_rows(run.update),
                "output": run.on_rows(run.output),
            }


class _Run:
    """One run: the optimizer's functions on vectors, its state packed into one.

    Raises ProblemError for a state that is no tree of arrays, or that changes its shape, and for an optimizer that asks
    for more than a gradient.
    """

    def __init__(
        self, jax: Any, rule: JaxRule, common: dict[str, float], names: tuple[str, ...], d: int
    ) -> None:
        self._jax, self._rule, self._common, self._names = jax, rule, common, names
        x, columns = np.zeros(d), np.zeros(len(names) + 1)
        try:
            self._leaves, self._tree = jax.tree.flatten(jax.eval_shape(self._initial, x, columns))
        except Exception as error:  # of a library, which may raise anything
            raise _failure(rule.what, "init", error) from None
        for leaf in self._leaves:
            if jax.numpy.issubdtype(leaf.dtype, jax.dtypes.prng_key):
                raise _draws_its_own(rule.what)
            if not jax.numpy.isrealobj(jax.numpy.zeros((), leaf.dtype)):
                raise ProblemError(
                    f"{rule.what} keeps a state of type {leaf.dtype}; wanted real numbers", "init"
                )
        size = sum(int(np.prod(leaf.shape)) for leaf in self._leaves)
        self.example = x, columns, x, np.zeros(size)

    def _optimizer(self, columns: Any) -> Any:
        return self._rule._make(**self._common, **dict(zip(self._names, columns, strict=False)))

    def _initial(self, x: Any, columns: Any) -> Any:
        return self._optimizer(columns).init(x)

    def init(self, x: Any, columns: Any) -> Any:
        return self._vector_of(self._initial(x, columns))

    def update(self, x: Any, columns: Any, gradient: Any, memory: Any) -> Any:
        try:
            change, state = self._optimizer(columns).update(gradient, self._tree_of(memory), x)
        except TypeError as error:
            if missing := re.search(r"missing \d+ required .*argument.*", str(error)):
                raise ProblemError(
                    f"{self._rule.what} needs more than a gradient ({missing[0]}), as a loss value or a function for a"
                    " line search; a problem of the workbench gives gradients alone",
                    "step",
                ) from None
            raise _failure(self._rule.what, "update", error) from None
        except Exception as error:  # of a library, which may raise anything
            raise _failure(self._rule.what, "update", error) from None
        if [(leaf.shape, leaf.dtype) for leaf in self._jax.tree.leaves(state)] != [
            (leaf.shape, leaf.dtype) for leaf in self._leaves
        ]:
            raise ProblemError(f"{self._rule.what}: its state changes its shape or type at a step", "step")
        if getattr(change, "shape", None) != x.shape:
            shape = getattr(change, "shape", type(change).__name__)
            raise ProblemError(f"{self._rule.what} gives a change of shape {shape}; wanted {x.shape}", "step")
        return x + change, self._vector_of(state)

    def output(self, x: Any, columns: Any, memory: Any) -> Any:
        function = self._rule._output
        return x if function is None else function(self._tree_of(memory), x)

    def _vector_of(self, state: Any) -> Any:
        jnp = self._jax.numpy
        parts = [jnp.ravel(leaf).astype(float) for leaf in self._jax.tree.leaves(state)]
        return jnp.concatenate([jnp.zeros(0), *parts])

    def _tree_of(self, memory: Any) -> Any:
        parts, first = [], 0
        for leaf in self._leaves:
            size = int(np.prod(leaf.shape))
            parts.append(memory[first : first + size].reshape(leaf.shape).astype(leaf.dtype))
            first += size
        return self._jax.tree.unflatten(self._tree, parts)

    def on_rows(self, function: Callable[..., Any]) -> Any:
        """The function of a batch: (number of blocks, arrays with this many times `BLOCK` rows)."""
        jax = self._jax
        of_block = jax.vmap(function)

        def whole(blocks: Any, *arrays: Any) -> Any:
            def block(i: Any) -> Any:
                return of_block(*(jax.lax.dynamic_slice_in_dim(a, i * BLOCK, BLOCK) for a in arrays))

            def body(i: Any, new: Any) -> Any:
                return jax.tree.map(
                    lambda whole, part: jax.lax.dynamic_update_slice_in_dim(whole, part, i * BLOCK, axis=0),
                    new,
                    block(i),
                )

            shapes = jax.eval_shape(block, 0)
            rows = len(arrays[0])
            empty = jax.tree.map(lambda a: jax.numpy.zeros((rows, *a.shape[1:]), a.dtype), shapes)
            return jax.lax.fori_loop(0, blocks, body, empty)

        return jax.jit(whole)


def one_run(jax: Any, rule: JaxRule, hyper: Hyperparameters, d: int) -> _Run:
    """The functions of one run of an optimizer, on vectors of d coordinates."""
    return _Run(jax, rule, hyper.common, tuple(hyper.columns), d)


def draws_of_its_own(jax: Any, run: _Run) -> bool:
    """Whether an update draws random numbers: JAX's, or other ones, which are constants of the program that is traced
    and differ at the next time."""
    first, second = (jax.make_jaxpr(run.update)(*run.example) for _ in range(2))
    if _RANDOM.search(str(first)) or str(first) != str(second):
        return True
    pairs = zip(first.consts, second.consts, strict=True)
    return any(not np.array_equal(a, b, equal_nan=True) for a, b in pairs)


def calls_back(jax: Any, run: _Run) -> bool:
    """Whether an update calls Python while it runs."""
    return "callback" in str(jax.make_jaxpr(run.update)(*run.example))


def _failure(what: str, function: str, error: Exception) -> ProblemError:
    text = str(error).split("\n")[0]
    part = "init" if function == "init" else "step"
    return ProblemError(
        f"{what}: its {function} fails on a vector of parameters ({type(error).__name__}: {text})", part
    )


def _draws_its_own(what: str) -> ProblemError:
    return ProblemError(
        f"{what} draws random numbers of its own, the same ones in every run; leave its noise out and take that of the"
        " problem, or write the rule with draw",
        "step",
    )
