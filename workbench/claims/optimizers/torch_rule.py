"""Optimizers of PyTorch's protocol: classes whose objects have `step`, `zero_grad` and `param_groups`.

`torch.optim`'s elementwise optimizers get all runs as one vector, since no coordinate knows of another. Vectorized
loops of PyTorch end in a scalar remainder, which may round otherwise: vectors are filled up to a multiple of `VECTOR`,
and a step has one thread, among which nothing is divided. (With two, and another process on their cores, the root of
5,000 numbers took 43 ms.) Any other class gets one run at a time (`SingleRule`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from numbers import Real
from types import SimpleNamespace
from typing import Any

import numpy as np

from workbench.claims.optimizers import trees
from workbench.claims.optimizers.hyperparameters import Hyperparameters
from workbench.claims.optimizers.libraries import library
from workbench.claims.optimizers.single_rule import SingleRule
from workbench.engine.validate import ProblemError

VECTOR = 64
ELEMENTWISE = "ASGD Adadelta Adagrad Adam AdamW Adamax NAdam RAdam RMSprop Rprop SGD"
CHECKED = 20  # iterations in which an optimizer is compared with one that is made anew for each
NO_LOSS = "needs a closure that evaluates the loss; a problem of the workbench gives gradients alone"
Schedule = Callable[[Any], Any]  # optimizer -> scheduler, as partial(StepLR, step_size=30)


def is_optimizer(value: Any) -> bool:
    return isinstance(value, type) and hasattr(value, "step") and hasattr(value, "zero_grad")


def is_of_torch(kind: type) -> bool:
    return any(base.__module__.partition(".")[0] == "torch" for base in kind.__mro__)


def torch_rule(what: str, kind: Any, fixed: dict[str, Any], schedule: Schedule | None, output: Any) -> Any:
    """The rule that calls a class. Raises ValueError for one whose step needs a closure."""
    closure = inspect.signature(kind.step).parameters.get("closure")
    if closure is not None and closure.default is inspect.Parameter.empty:
        raise ValueError(f"{what} {NO_LOSS}")
    make = _Maker(what, kind, fixed, schedule)
    elementwise = kind.__module__.startswith("torch.optim.") and kind.__name__ in ELEMENTWISE.split()
    if elementwise and not callable(output):
        return VectorRule(what, make, output)
    return SingleRule(what, _OneRun(make), output)


class _Maker:
    """Makes optimizers of a class, with its hyperparameters and the schedule's."""

    def __init__(self, what: str, kind: Any, fixed: dict[str, Any], schedule: Schedule | None) -> None:
        self.what, self._kind, self._fixed, self._schedule = what, kind, fixed, schedule
        self.is_torch = is_of_torch(kind)
        self._schedulers: dict[tuple[Any, ...], _Scheduler] = {}

    def parameter(self, x: np.ndarray) -> Any:
        """What an optimizer is made for; without PyTorch an object with ``data`` and ``grad``."""
        if self.is_torch:
            torch = library("torch")
            return torch.nn.Parameter(torch.tensor(x, dtype=torch.float64))
        return SimpleParameter(data=np.array(x, float), grad=None)

    def optimizer(self, parameters: list[Any], values: dict[str, float]) -> Any:
        try:
            optimizer = self._kind(parameters, **values, **self._fixed)
        except Exception as error:  # of a library, which may raise anything
            raise _failure(self.what, "cannot be made for a vector of parameters", error) from None
        if callable(getattr(optimizer, "train", None)):  # schedule-free optimizers refuse to step before
            optimizer.train()
        return optimizer

    def at(self, t: int, values: dict[str, float]) -> dict[str, Any]:
        """What the schedule sets for iteration t."""
        if self._schedule is None:
            return {}
        key = tuple(sorted(values.items()))
        if key not in self._schedulers:
            schedule = self._schedule
            self._schedulers[key] = _Scheduler(
                self.what, lambda: self.optimizer([self.parameter(np.zeros(1))], values), schedule
            )
        return self._schedulers[key].at(t)


class SimpleParameter(SimpleNamespace):
    """A parameter of an optimizer that does without PyTorch."""

    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__


class _Scheduler:
    """The hyperparameters that a scheduler of the library sets, which depend on t alone: it runs beside an optimizer
    whose parameter has no gradient."""

    def __init__(self, what: str, make: Callable[[], Any], schedule: Schedule) -> None:
        self._what, self._make, self._schedule = what, make, schedule
        self._begin()

    def _begin(self) -> None:
        self._t, self._optimizer = 1, self._make()
        try:
            self._scheduler = self._schedule(self._optimizer)
        except Exception as error:  # of a user's function or a library, which may raise anything
            raise _failure(self._what, "cannot be given its schedule", error) from None
        if not callable(getattr(self._scheduler, "step", None)):
            raise ProblemError(
                f"{self._what}: the schedule gives {type(self._scheduler).__name__}; wanted a scheduler, as"
                " partial(StepLR, step_size=30) makes one",
                "step",
            )
        needs = [
            p.name
            for p in inspect.signature(self._scheduler.step).parameters.values()
            if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD
        ]
        if needs:
            raise ProblemError(
                f"{self._what}: {type(self._scheduler).__name__} needs {', '.join(needs)} at each step; a schedule"
                " of a study depends on t alone",
                "step",
            )

    def at(self, t: int) -> dict[str, Any]:
        if t < self._t:
            self._begin()
        while self._t < t:
            self._optimizer.step()
            try:
                self._scheduler.step()
            except Exception as error:  # of a library, which may raise anything
                what = f"has a schedule that fails at iteration {self._t + 1}"
                raise _failure(self._what, what, error) from None
            self._t += 1
        group = self._optimizer.param_groups[0]
        return {name: value for name, value in group.items() if _is_number(value) or name == "betas"}


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


class _OneRun:
    """The update of one run by an optimizer of its own: a `single_rule.One`.

    The state is what the optimizer has in ``state``, for the parameter and for names, and the numbers and tensors in
    its group and in its attributes.
    """

    def __init__(self, make: _Maker) -> None:
        self._make, self._is_checked = make, False

    def __call__(
        self, x: np.ndarray, gradient: np.ndarray, state: Any, t: int, values: dict[str, float]
    ) -> tuple[np.ndarray, Any]:
        if not self._is_checked:
            self._check_memory(x, gradient, values)
            self._is_checked = True
        return self._update(x, gradient, state, t, values)

    def _update(
        self, x: np.ndarray, gradient: np.ndarray, state: Any, t: int, values: dict[str, float]
    ) -> tuple[np.ndarray, Any]:
        parameter = self._make.parameter(x)
        optimizer = self._make.optimizer([parameter], values)
        group = optimizer.param_groups[0]
        if state is not None:
            optimizer.state.update(state["shared"])
            optimizer.state[parameter] = state["state"]
            group.update(state["group"])
            vars(optimizer).update(state["own"])
        group.update(self._make.at(t, values))
        parameter.grad = self._make.parameter(gradient).data
        _step(self._make, optimizer)
        memory = {
            "state": dict(optimizer.state.get(parameter, {})),
            "group": {n: v for n, v in group.items() if n != "params" and _is_data(v)},
            "own": {n: v for n, v in vars(optimizer).items() if _is_data(v)},
            "shared": {n: v for n, v in optimizer.state.items() if n is not parameter},
        }
        return np.array(_numpy(parameter)), memory

    def _check_memory(self, x: np.ndarray, gradient: np.ndarray, values: dict[str, float]) -> None:
        """Raises ProblemError where an optimizer that goes on moves otherwise than one that is made anew each time."""
        parameter = self._make.parameter(x)
        optimizer = self._make.optimizer([parameter], values)
        state = None
        for t in range(1, CHECKED + 1):
            g = gradient * (-1.5) ** t
            optimizer.param_groups[0].update(self._make.at(t, values))
            parameter.grad = self._make.parameter(g).data
            _step(self._make, optimizer)
            x, state = self._update(x, g, state, t, values)
            if not np.array_equal(x, _numpy(parameter), equal_nan=True):
                raise ProblemError(
                    f"{self._make.what} keeps numbers elsewhere than in its state, its groups and its attributes, or"
                    " draws random ones, so that no run can be repeated; write its update as a function (parameters,"
                    " gradient, state) -> (new parameters, new state)",
                    "step",
                )


def _is_data(value: Any) -> bool:
    """Numbers and tensors, and tuples and lists of them."""
    if isinstance(value, tuple | list):
        return all(map(_is_data, value))
    return isinstance(value, Real | np.ndarray) or hasattr(value, "detach")


def _numpy(parameter: Any) -> np.ndarray:
    return parameter.detach().numpy() if hasattr(parameter, "detach") else np.asarray(parameter.data)


def _step(make: _Maker, optimizer: Any) -> None:
    """Raises ProblemError where the step draws random numbers."""
    what = make.what
    if not make.is_torch:
        _call_step(what, optimizer)
        return
    torch = library("torch")
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        _call_step(what, optimizer)
    finally:
        torch.set_num_threads(threads)
    if not torch.equal(before, torch.get_rng_state()):
        torch.set_rng_state(before)
        raise ProblemError(
            f"{what} draws random numbers of its own, which no seed of the workbench determines; leave its noise out"
            " and take that of the problem, or write the rule with draw",
            "step",
        )


def _call_step(what: str, optimizer: Any) -> None:
    try:
        optimizer.step()
    except Exception as error:  # of a library, which may raise anything
        if isinstance(error, TypeError) and "'NoneType' object is not callable" in str(error):
            raise ProblemError(f"{what} {NO_LOSS}", "step") from None
        raise _failure(what, "fails in its step", error) from None


def _failure(what: str, how: str, error: Exception) -> ProblemError:
    text = " ".join(str(error).split("\n")[0].split())
    return ProblemError(f"{what} {how} ({type(error).__name__}: {text})", "step")


class VectorRule:
    """Elementwise optimizers of PyTorch, with the rows of the same hyperparameters in one parameter group.

    output: the name of an entry of the state, as "ax" of ASGD, or None.
    """

    cost = ""

    def __init__(self, what: str, make: _Maker, output: str | None) -> None:
        self.what, self._make, self._output = what, make, output
        self._layout: dict[str, Any] | None = None

    def begin(self, x: np.ndarray, hyper: Hyperparameters) -> np.ndarray:
        if self._layout is None:
            self._layout = self._entries(next(hyper.groups(len(x)))[1])
        d = x.shape[1]
        return np.zeros((len(x), sum(d if each else 1 for each, _ in self._layout.values())))

    def _entries(self, values: dict[str, float]) -> dict[str, tuple[bool, Any]]:
        """Name in the state -> whether it has a number per coordinate, and how it is made from an array."""
        parameter = self._make.parameter(np.zeros(VECTOR))
        optimizer = self._make.optimizer([parameter], values)
        parameter.grad = self._make.parameter(np.ones(VECTOR)).data
        _step(self._make, optimizer)
        entries = {}
        for leaf, array in trees.leaves(dict(optimizer.state[parameter]), self.what):
            entries[leaf.path] = array.size == VECTOR, leaf.make
        if self._output is not None and not entries.get(self._output, (False,))[0]:
            raise ProblemError(
                f"{self.what}: the output {self._output!r} is no vector of its state, which has {', '.join(entries)}",
                "step",
            )
        return entries

    def update(
        self, x: np.ndarray, gradient: np.ndarray, memory: np.ndarray, t: int, hyper: Hyperparameters
    ) -> tuple[np.ndarray, np.ndarray]:
        new_x, new_memory = np.empty_like(x), np.empty_like(memory)
        for rows, values in hyper.groups(len(x)):
            parts = x[rows], gradient[rows], memory[rows]
            new_x[rows], new_memory[rows] = self._group_update(*parts, t, values)
        return new_x, new_memory

    def _group_update(
        self, x: np.ndarray, gradient: np.ndarray, memory: np.ndarray, t: int, values: dict[str, float]
    ) -> tuple[np.ndarray, np.ndarray]:
        assert self._layout is not None
        parameter = self._make.parameter(vector_of(x))
        optimizer = self._make.optimizer([parameter], values)
        if t > 1:
            optimizer.state[parameter] = dict(self._state(memory, x.shape[1]))
        optimizer.param_groups[0].update(self._make.at(t, values))
        parameter.grad = self._make.parameter(vector_of(gradient)).data
        _step(self._make, optimizer)
        columns = [np.zeros((len(x), 0))]
        for name, (each, _) in self._layout.items():
            value = optimizer.state[parameter][name]
            array = value.detach().numpy() if hasattr(value, "detach") else np.asarray(value)
            columns.append(rows_of(array, x.shape) if each else np.full((len(x), 1), float(array)))
        return rows_of(_numpy(parameter), x.shape), np.concatenate(columns, axis=1)

    def _state(self, memory: np.ndarray, d: int) -> Iterator[tuple[str, Any]]:
        assert self._layout is not None
        first = 0
        for name, (each, make) in self._layout.items():
            size = d if each else 1
            part = memory[:, first : first + size]
            yield name, make(vector_of(part) if each else part[0, 0])
            first += size

    def output(self, x: np.ndarray, memory: np.ndarray, t: int, hyper: Hyperparameters) -> np.ndarray:
        assert self._layout is not None
        assert self._output is not None
        if t < 1:
            return x
        names = list(self._layout)
        before = [self._layout[name][0] for name in names[: names.index(self._output)]]
        first = sum(x.shape[1] if each else 1 for each in before)
        return np.array(memory[:, first : first + x.shape[1]])


def vector_of(array: np.ndarray) -> np.ndarray:
    """All entries as one vector, filled up with zeros."""
    vector = np.zeros(-(-array.size // VECTOR) * VECTOR)
    vector[: array.size] = array.reshape(-1)
    return vector


def rows_of(vector: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    return np.array(vector[: shape[0] * shape[1]].reshape(shape), float)
