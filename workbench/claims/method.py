"""What a method is made of besides its ``step``: the tuples of its state and of its step sizes, and where it begins."""

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

from workbench.theory.record import Theorem


def state(*names: str) -> Any:
    """The type of a method's state: what one iteration hands to the next, each (runs, d) or (runs, 1).

    It is to be called ``State``: `State = wb.state("x", "v")`. A file without a function ``init`` begins with the
    starting points of these names. Raises ValueError for a name that is no identifier.
    """
    return namedtuple("State", names, module=_caller())


def steps(*names: str, **defaults: Any) -> Any:
    """The type of a method's step sizes and other parameters: `Steps = wb.steps("eta")`, made by `Steps(eta=0.1)`.

    defaults: further ones with the values that they have unless given: `wb.steps("eta", decay=0.5)`.

    `Steps.of(THEOREM, eta=0.3)` takes them from the schedule of a theorem, at the constants of each problem, and at the
    values that are free. Raises ValueError for a name that is no identifier.
    """
    kind: Any = namedtuple("Steps", (*names, *defaults), defaults=defaults.values(), module=_caller())  # type: ignore[misc]
    setattr(kind, "of", classmethod(Scheduled))  # noqa: B010 (mypy knows a class's own attributes only)
    return kind


NO_STEPS: Any = namedtuple("Steps", ())()  # of a method without parameters


def _caller() -> str:
    return str(sys._getframe(2).f_globals.get("__name__", "__main__"))


@dataclass(frozen=True, init=False)
class Scheduled:
    """Step sizes that a theorem prescribes: they are known when problem, start and grid are.

    free: parameters that the theorem leaves open. form: of the theorem, whose schedule is taken.
    """

    kind: Any
    theorem: Theorem
    form: str = ""
    free: Mapping[str, Any] = field(default_factory=dict)

    def __init__(self, kind: Any, theorem: Theorem, form: str = "", **free: Any) -> None:
        for name, value in {"kind": kind, "theorem": theorem, "form": form, "free": free}.items():
            object.__setattr__(self, name, value)

    def __call__(self, problem: Any, start: Mapping[str, Any], grid: Any) -> Any:
        """The `Steps` at the constants of a problem, the parameters of the grid and the free values.

        Raises TypeError for a constant of the schedule that none of them has, ValueError where a condition of the
        theorem fails.
        """
        columns = {name: grid[name] for name in grid.params}
        horizon = {"T": grid["until"]} if "until" in grid.params else {}
        constants = problem.constants(start) if hasattr(problem, "constants") else {}
        values = {**horizon, **constants, **columns, **self.free}
        return self.kind(**self.theorem.steps(*filter(None, [self.form]), **values))


def given_values(simulation: Any, theorem: Any) -> Mapping[str, Any]:
    """The values that ``Steps.of(theorem, eta=0.3)`` gives in a simulation to what the theorem leaves free, by name.

    T is none of them: a bound or a level is read at every T.
    """
    steps = getattr(simulation.make, "steps", None)
    if not isinstance(steps, Scheduled) or steps.theorem.key != getattr(theorem, "key", theorem):
        return {}
    return {name: value for name, value in steps.free.items() if name != "T"}


def complete(module: ModuleType | SimpleNamespace) -> Any:
    """The method in a module; one without ``init`` begins with the starting points that its State names."""
    if hasattr(module, "init") or not hasattr(module, "State"):
        return module
    State = module.State

    def init(start: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> Any:
        return State(*(start[name] for name in State._fields))

    own = {name: value for name, value in vars(module).items() if not name.startswith("__")}
    return SimpleNamespace(**own, init=init)
