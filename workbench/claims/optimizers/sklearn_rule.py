"""scikit-learn's SGDRegressor as an update rule, and sentences for solvers that take no gradient.

`partial_fit` with one row (g, y) moves by the rate times g where the loss has slope 1: Huber's has, far from y. So the
problem gives the gradient, and learning rate, penalty and average are scikit-learn's. No coordinate knows of another:
all runs are one long row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.claims.optimizers.hyperparameters import Hyperparameters
from workbench.claims.optimizers.torch_rule import rows_of, vector_of
from workbench.engine.validate import ProblemError
from workbench.homes.threads import one_for_blas

LARGEST = 1e145  # beyond, products of two numbers may overflow, and scikit-learn refuses all runs for one
OWN = {"loss": "huber", "epsilon": 1.0, "fit_intercept": False, "shuffle": False, "random_state": 0}
FAR = -1e300  # a label at which the loss has slope 1, whatever the prediction is
TAKEN = {
    "loss": "the problem has the loss; leave loss out",
    "epsilon": "the problem has the loss; leave epsilon out",
    "early_stopping": "how long a run is, the study says; leave early_stopping out",
}


def refuse_own_loops(what: str, optimizer: Any) -> None:
    """Raises ValueError for a solver of SciPy, and for an estimator that is not the class SGDRegressor."""
    solver = getattr(optimizer, "func", optimizer)  # of a partial
    if str(getattr(solver, "__module__", "")).partition(".")[0] == "scipy":
        raise ValueError(
            f"{getattr(solver, '__qualname__', what)} runs its own loop and asks for f where it wants to, so that no"
            " gradient can be given to it: give f at the iterates that its callback sees to wb.judge"
            " (docs/judging-a-table.md); of SciPy, updates such as scipy.optimize.BFGS fit into a function"
            " (docs/your-optimizer.md)"
        )
    kind = optimizer if isinstance(optimizer, type) else type(optimizer)
    if not (hasattr(kind, "get_params") and hasattr(kind, "fit")) or is_regressor(optimizer):
        return
    if is_regressor(kind):
        arguments = " ".join(repr(optimizer).split()).partition("(")[2].removesuffix(")")
        more = f", {arguments}" if arguments else ""
        raise ValueError(f"{what} is made already; give its class: wb.method({kind.__name__}{more})")
    raise ValueError(
        f"{what} fits rows of data in an order that it draws, so that no gradient can be given to it: of scikit-learn,"
        " SGDRegressor can be a method, whose update SGDClassifier has, too; give the loss of another one after each"
        " pass to wb.judge (docs/judging-a-table.md)"
    )


def is_regressor(value: Any) -> bool:
    """Whether it is the class SGDRegressor, or one of its subclasses."""
    return isinstance(value, type) and any(
        base.__name__ == "SGDRegressor" and base.__module__.startswith("sklearn.") for base in value.__mro__
    )


class RegressorRule:
    """output: "coef_" (the average, where `average` asks for one) or None. Raises ValueError for another one, and for
    hyperparameters that are the problem's.
    """

    cost = ""

    def __init__(self, what: str, kind: Any, fixed: dict[str, Any], names: set[str], output: Any) -> None:
        self.what, self._kind, self._fixed = what, kind, fixed
        for name in sorted(names & set(TAKEN)):
            raise ValueError(f"{what}: {TAKEN[name]}")
        if str(fixed.get("learning_rate")) in ("pa1", "pa2"):
            raise ValueError(
                f"{what}: a passive-aggressive step depends on the loss; a problem gives gradients alone"
            )
        if output not in (None, "coef_"):
            raise ValueError(
                f"{what}: output is {output!r}; wanted 'coef_', which is the average if average is given"
            )

    def begin(self, x: np.ndarray, hyper: Hyperparameters) -> np.ndarray:
        """(rows, d) zeros: the average. Raises ProblemError for hyperparameters that scikit-learn refuses."""
        for _, values in hyper.groups(len(x)):
            try:
                self._kind(**{**self._fixed, **values, **OWN}).partial_fit(np.ones((1, 1)), [FAR])
            except Exception as error:  # of a library, which may raise anything
                raise self._failure("cannot be made", error) from None
        return np.zeros_like(x)

    def update(
        self, x: np.ndarray, gradient: np.ndarray, memory: np.ndarray, t: int, hyper: Hyperparameters
    ) -> tuple[np.ndarray, np.ndarray]:
        """Runs with numbers that are NaN or very large become NaN, and the others go on."""
        new_x, average = np.full_like(x, np.nan), np.full_like(memory, np.nan)
        is_sound = (np.maximum(np.abs(x), np.abs(gradient)) < LARGEST).all(axis=1)
        for group, values in hyper.groups(len(x)):
            rows = group[is_sound[group]]
            if len(rows):
                new_x[rows], average[rows] = self._group_update(
                    x[rows], gradient[rows], memory[rows], t, values
                )
        return new_x, average

    def _group_update(
        self, x: np.ndarray, gradient: np.ndarray, memory: np.ndarray, t: int, values: dict[str, float]
    ) -> tuple[np.ndarray, np.ndarray]:
        model = self._kind(**{**self._fixed, **values, **OWN})
        point, average, nothing = vector_of(x), vector_of(memory), np.zeros(1)
        model.t_, model.coef_, model.intercept_ = float(t), point, nothing
        model._standard_coef, model._standard_intercept = point, nothing
        model._average_coef, model._average_intercept = average, nothing.copy()
        try:
            with one_for_blas():
                model.partial_fit(vector_of(gradient)[None], [FAR])  # which writes into both vectors
        except Exception as error:
            raise self._failure(f"fails at iteration {t}", error) from None
        return rows_of(point, x.shape), rows_of(average, x.shape)

    def _failure(self, how: str, error: Exception) -> ProblemError:
        return ProblemError(
            f"{self.what} {how} ({type(error).__name__}: {' '.join(str(error).split())})", "step"
        )

    def output(self, x: np.ndarray, memory: np.ndarray, t: int, hyper: Hyperparameters) -> np.ndarray:
        """As `partial_fit` leaves coef_: the average from the iteration on that `average` names, x before."""
        point = x.copy()
        for rows, values in hyper.groups(len(x)):
            first = {**self._fixed, **values}.get("average", False)
            if first and t >= first:
                point[rows] = memory[rows]
        return point
