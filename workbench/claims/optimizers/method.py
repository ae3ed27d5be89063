"""`wb.method`: an optimizer as the method of a study."""

from __future__ import annotations

import inspect
import sys
import types
from collections import namedtuple
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import Any, Protocol

import numpy as np

from workbench.arrays import backends
from workbench.claims.method import Scheduled
from workbench.claims.optimizers import jax_engine
from workbench.claims.optimizers.hyperparameters import Hyperparameters
from workbench.claims.optimizers.identity import identity
from workbench.claims.optimizers.jax_rule import JaxRule
from workbench.claims.optimizers.libraries import version
from workbench.claims.optimizers.single_rule import SingleRule
from workbench.claims.optimizers.sklearn_rule import RegressorRule, is_regressor, refuse_own_loops
from workbench.claims.optimizers.torch_rule import is_of_torch, is_optimizer, torch_rule
from workbench.engine.records import Problem, Result, Run
from workbench.engine.refusal import TraceError
from workbench.engine.traced_array import Traced
from workbench.engine.validate import ProblemError
from workbench.homes.records import Record

State = namedtuple("State", "x memory")
Averaging = namedtuple("Averaging", "x memory z")


class Rule(Protocol):
    """How an optimizer is called. memory: (rows, k), what it keeps; the first update has t = 1.

    cost: in words, if it is called once per run; "" if it takes all rows at once.
    """

    @property
    def cost(self) -> str: ...

    def begin(self, x: np.ndarray, hyper: Hyperparameters) -> np.ndarray: ...

    def update(
        self, x: np.ndarray, gradient: np.ndarray, memory: np.ndarray, t: int, hyper: Hyperparameters
    ) -> tuple[np.ndarray, np.ndarray]: ...

    def output(self, x: np.ndarray, memory: np.ndarray, t: int, hyper: Hyperparameters) -> np.ndarray: ...


@dataclass(frozen=True, eq=False)
class Method(Record):
    """An optimizer with the four names of a method. made_of: all that its iterates depend on, for `identity`.

    versions: of its libraries, as "torch 2.13.0". gradient: (oracle, x, t, draw) -> (rows, d). module: where it was
    made.
    """

    title: str
    Steps: Any
    rule: Rule = field(repr=False)
    gradient: Callable[..., Any] | None
    averaging: bool
    made_of: Any = field(repr=False)
    versions: tuple[str, ...]
    module: str

    @property
    def State(self) -> Any:
        return Averaging if self.averaging else State

    @cached_property
    def identity(self) -> Any:
        """What it is made of, as plain data (`workbench.claims.optimizers.identity`)."""
        return identity(self.made_of)

    def init(self, start: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> Any:
        """Raises ProblemError for a start that is not {"x": (rows, d)}, and where it is unclear what a gradient is."""
        if set(start) != {"x"} or start["x"].ndim != 2:
            shapes = ", ".join(f"{name!r} {tuple(value.shape)}" for name, value in start.items())
            raise ProblemError(
                f"{self.title} moves one vector x of shape (rows, d); the start has {shapes}", "init"
            )
        if self.gradient is None and not hasattr(oracle, "grad"):
            raise ProblemError(
                f"{self.title} needs a problem with grad(x, sample); for another one say how a gradient is made:"
                " wb.method(..., gradient=lambda oracle, x, t, draw: ...)",
                "init",
            )
        x = backends.to_host(start["x"])
        hyper = Hyperparameters.of(c, len(x))
        return self._state(x, self.rule.begin(x, hyper), 0, hyper, xp)

    def step(self, s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> Any:
        """Raises TraceError where it is to be compiled: an optimizer of a library runs as it is."""
        if isinstance(s.x, Traced):
            raise TraceError(
                self.rule.cost or f"{self.title} runs as it is", "" if self.rule.cost else __file__
            )
        gradient = oracle.grad(s.x, draw(0)) if self.gradient is None else self.gradient(oracle, s.x, t, draw)
        x, g, memory = (backends.to_host(a) for a in (s.x, gradient, s.memory))
        if g.shape != x.shape:
            raise ProblemError(
                f"{self.title}: the gradient has shape {g.shape}; wanted that of x, {x.shape}", "step"
            )
        hyper = Hyperparameters.of(c, len(x))
        x, memory = self.rule.update(x, g, memory[:, 1:], int(t), hyper)
        return self._state(x, memory, int(t), hyper, xp)

    def library_engine(self, problem: Problem, run: Run) -> Result | None:
        """The result on the engine of JAX; None for another library's optimizer, and where that does not fit."""
        return jax_engine.simulate(problem, run) if isinstance(self.rule, JaxRule) else None

    def _state(self, x: np.ndarray, memory: np.ndarray, t: int, hyper: Hyperparameters, xp: Any) -> Any:
        """With a column of zeros before the memory: an optimizer may keep nothing."""
        z = [self.rule.output(x, memory, t, hyper)] if self.averaging else []
        wide = np.concatenate([np.zeros((len(x), 1)), memory], axis=1)
        return self.State(*(xp.asarray(a) for a in (x, wide, *z)))


def method(
    optimizer: Any,
    /,
    *,
    gradient: Callable[..., Any] | None = None,
    output: Callable[..., Any] | str | None = None,
    schedule: Callable[[Any], Any] | None = None,
    **hyperparameters: Any,
) -> Method:
    """An optimizer as the method of a study: ``STUDY.simulation(wb.method(optax.adam(1e-3)), problem=..., ...)``.

    optimizer: an object with ``init`` and ``update``, as optax makes them, or the function that makes one; a class
    of PyTorch's kind, as torch.optim.Adam; scikit-learn's class SGDRegressor, whose loss is the problem's; or a
    function (parameters, gradient, state, **hyperparameters) -> (new parameters, new state) of one run, whose state
    is None at first. hyperparameters: those of the class or the function. Numbers among them are fields of the
    method's `Steps`: the ``steps`` of a simulation may give others, a column of the grid or the schedule of a
    theorem. gradient: (oracle, x, t, draw) -> (rows, d), by default ``oracle.grad(x, draw(0))``. output: what the
    method gives in place of its last parameters, as an average: the name of a vector of its state ("coef_": the
    average of SGDRegressor), or a function (state, parameters) -> point; the problem's `gap` is then read at it.
    schedule: for PyTorch: optimizer -> scheduler, as ``functools.partial(StepLR, step_size=30)``.

    Raises ValueError for what is no optimizer, for one that runs its own loop or needs a closure, and for a
    hyperparameter that is missing; what only its run shows (random numbers of its own, a state on another device)
    is an error of the simulation.
    """
    _check_functions(gradient, schedule)
    numbers = {
        n: _number(v) for n, v in hyperparameters.items() if isinstance(v, Real) and not isinstance(v, bool)
    }
    fixed = {n: v for n, v in hyperparameters.items() if n not in numbers}
    what = _name(optimizer)
    rule = _rule(what, optimizer, numbers, fixed, schedule, output)
    steps: Any = namedtuple("Steps", numbers, defaults=numbers.values(), module=__name__)  # type: ignore[misc]
    setattr(steps, "of", classmethod(Scheduled))  # noqa: B010 (mypy knows a class's own attributes only)
    versions = _versions(optimizer, rule)
    return Method(
        title=f"{what}({', '.join(f'{n}={_text(v)}' for n, v in hyperparameters.items())})"
        if hyperparameters
        else what,
        Steps=steps,
        rule=rule,
        gradient=gradient,
        averaging=output is not None,
        made_of=(optimizer, fixed, gradient, output, schedule, versions),
        versions=versions,
        module=str(sys._getframe(1).f_globals.get("__name__", "__main__")),
    )


def _rule(
    what: str, optimizer: Any, numbers: dict[str, Any], fixed: dict[str, Any], schedule: Any, output: Any
) -> Rule:
    if is_optimizer(optimizer):
        return torch_rule(what, optimizer, fixed, schedule, output)
    refuse_own_loops(what, optimizer)
    if schedule is not None:
        raise ValueError(
            f"{what}: a schedule is for optimizers of PyTorch; give another one to the optimizer itself"
        )
    if is_regressor(optimizer):
        return RegressorRule(what, optimizer, fixed, {*numbers, *fixed}, output)
    if hasattr(optimizer, "param_groups"):
        raise ValueError(
            f"{what} is made for parameters of its own; give its class: wb.method({type(optimizer).__name__}, lr=...)"
        )
    if _is_transformation(optimizer):
        if numbers or fixed:
            raise ValueError(
                f"{what} is made already and takes no {', '.join([*numbers, *fixed])}; give the function that makes it,"
                " as wb.method(optax.adam, learning_rate=1e-3)"
            )
        return _by_protocol(what, lambda: optimizer, output, _is_jax(optimizer.update))
    if not callable(optimizer):
        raise ValueError(
            f"a {type(optimizer).__name__} is no optimizer; wanted one with init and update, a class of PyTorch's kind,"
            " or a function (parameters, gradient, state) -> (new parameters, new state)"
        )
    if _takes(optimizer, 0, {**numbers, **fixed}):
        first = optimizer(**numbers, **fixed)
        if not _is_transformation(first):
            raise ValueError(
                f"{what} makes a {type(first).__name__}, which is no optimizer with init and update; write its update"
                " as a function (parameters, gradient, state) -> (new parameters, new state)"
            )
        return _by_protocol(what, lambda **given: optimizer(**given, **fixed), output, _is_jax(first.update))
    if _takes(optimizer, 3, {**numbers, **fixed}):
        return SingleRule(
            what, lambda x, g, state, t, given: optimizer(x, g, state, **given, **fixed), output
        )
    given = ", ".join([*numbers, *fixed]) or "nothing"
    raise ValueError(
        f"{what}{_signature(optimizer)} can be called neither with {given} nor with (parameters, gradient,"
        " state) besides"
    )


def _by_protocol(what: str, make: Callable[..., Any], output: Any, is_jax: bool) -> Rule:
    """By `vmap` if the optimizer is written in JAX; else run by run."""
    if isinstance(output, str):
        raise ValueError(f"{what}: output is {output!r}; wanted a function (state, parameters) -> point")
    if is_jax:
        return JaxRule(what, make, output)

    def one(x: np.ndarray, g: np.ndarray, state: Any, t: int, given: dict[str, float]) -> tuple[Any, Any]:
        optimizer = make(**given)
        change, state = optimizer.update(g, optimizer.init(x) if state is None else state, x)
        return x + change, state

    return SingleRule(what, one, output)


def _is_transformation(value: Any) -> bool:
    return (
        not isinstance(value, type)
        and callable(getattr(value, "init", None))
        and callable(getattr(value, "update", None))
    )


def _takes(function: Any, positional: int, keywords: dict[str, Any]) -> bool:
    try:
        inspect.signature(function).bind(*[None] * positional, **keywords)
    except (TypeError, ValueError):  # ValueError: a class that is written in C has no signature
        return False
    return True


def _signature(function: Any) -> str:
    try:
        return str(inspect.signature(function))
    except (TypeError, ValueError):
        return ""


def _check_functions(gradient: Any, schedule: Any) -> None:
    for name, value in (("gradient", gradient), ("schedule", schedule)):
        if value is not None and not callable(value):
            raise ValueError(f"{name} is a {type(value).__name__}; wanted a function")


def _text(value: Any) -> str:
    """A function by its name: its address in memory is another one in each process."""
    return str(getattr(value, "__qualname__", value))


def _number(value: Any) -> Any:
    return value if isinstance(value, int) else float(value)


def _name(optimizer: Any) -> str:
    """ "torch.optim.Adam", "my_rule"; an object of optax by its parts: "optax: scale_by_adam, scale"."""
    if _is_transformation(optimizer):
        parts = dict.fromkeys(_parts(optimizer.update))
        return f"{_top(optimizer.update)}: {', '.join(parts)}" if parts else type(optimizer).__qualname__
    name = getattr(optimizer, "__qualname__", type(optimizer).__qualname__)
    top = _top(optimizer)
    top = "torch.optim" if f"{getattr(optimizer, '__module__', '')}.".startswith("torch.optim.") else top
    return f"{top}.{name}" if version(top.partition(".")[0]) else name


def _top(value: Any) -> str:
    return str(getattr(value, "__module__", "")).partition(".")[0]


def _parts(value: Any) -> Iterator[str]:
    """The functions that made what an ``update`` is inner_ones of, but for those that only compose."""
    if isinstance(value, tuple | list):
        for part in value:
            yield from _parts(part)
    if not isinstance(value, types.FunctionType):
        return
    maker, _, inner = value.__qualname__.partition(".<locals>.")
    cells = [cell.cell_contents for cell in value.__closure__ or ()]
    inner_ones = [cell for cell in cells if isinstance(cell, tuple | list) or _is_transformation(cell)]
    if "update" in inner and not inner_ones:
        yield maker
    for cell in inner_ones:
        yield from _parts(cell)


def _versions(optimizer: Any, rule: Rule) -> tuple[str, ...]:
    """Of the libraries that compute an optimizer's numbers, as "torch 2.13.0"."""
    of = optimizer.update if _is_transformation(optimizer) else optimizer
    tops = {_top(of)}
    if isinstance(rule, JaxRule):
        tops |= {"jax", "jaxlib"}
    if is_optimizer(optimizer) and is_of_torch(optimizer):
        tops.add("torch")
    return tuple(f"{top} {number}" for top in sorted(tops) if (number := version(top)))


def _is_jax(update: Any) -> bool:
    """Whether a function is one of JAX or optax, or stands in a file that imports one of them."""
    function = inspect.unwrap(update) if callable(update) else update
    function = getattr(function, "__func__", function)
    modules = [
        getattr(value, "__name__", "")
        for value in getattr(function, "__globals__", {}).values()
        if isinstance(value, types.ModuleType)
    ]
    names = [str(getattr(function, "__module__", "")), *modules]
    return any(str(name).partition(".")[0] in ("jax", "optax") for name in names)
