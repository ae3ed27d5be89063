"""`check_hypergradient`: each known hypergradient is recognized and no other; a function that is none is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import workbench as wb

LINE, SPACE = wb.problems.ScalarBilevel(a=1.5, h=2.0), wb.problems.VectorBilevel()


def parts(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """grad_x f, grad_y f and H of `VectorBilevel` at vectors x and y, by its formulas."""
    p, away = SPACE, y - SPACE.b[0]
    curvature = p.h + p.s * np.cos(p.Q @ y)
    return p.r * x, away / np.sqrt(1 + away**2), p.Q.T @ np.diag(curvature) @ p.Q


def solved(solve: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[..., np.ndarray]:
    """grad_x f - J q with q = solve(H, grad_y f); J = -A^T."""

    def function(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        f_x, f_y, hessian = parts(x, y)
        return f_x + SPACE.A.T @ solve(hessian, f_y)

    return function


def by_krylov(steps: int) -> Any:
    """Iterate k of conjugate gradients: the minimizer of the energy in the Krylov space, made by a basis of it."""

    def solve(hessian: np.ndarray, b: np.ndarray) -> np.ndarray:
        powers = [np.linalg.matrix_power(hessian, k) @ b for k in range(steps)]
        basis = np.linalg.qr(np.stack(powers, axis=1))[0]
        return basis @ np.linalg.solve(basis.T @ hessian @ basis, basis.T @ b)

    return solve


def by_series(terms: int, rate: float) -> Any:
    def solve(hessian: np.ndarray, b: np.ndarray) -> np.ndarray:
        factor = np.eye(3) - rate * hessian
        return rate * sum(np.linalg.matrix_power(factor, k) @ b for k in range(terms))

    return solve


def in_reverse(steps: int, rate: float) -> Any:
    """Reverse mode through gradient descent on y from the given y, by the formulas of `VectorBilevel`."""

    def function(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        p, path = SPACE, [y]
        for _ in range(steps):
            u = p.Q @ path[-1]
            path.append(path[-1] - rate * (p.Q.T @ (p.h * u + p.s * np.sin(u)) - p.A @ x))
        total, adjoint, _ = parts(x, path[-1])
        for before in reversed(path[:-1]):
            total = total + rate * p.A.T @ adjoint
            adjoint = adjoint - rate * parts(x, before)[2] @ adjoint
        return total

    return function


KNOWN = {
    "direct part only, grad_x f": solved(lambda hessian, b: 0 * b),
    "sum of both parts in place of their difference": solved(lambda hessian, b: -np.linalg.solve(hessian, b)),
    "conjugate gradients, 1 step": solved(by_krylov(1)),
    "conjugate gradients, 2 steps": solved(by_krylov(2)),
    "Neumann, 1 term, rate 0.25": solved(by_series(1, 0.25)),
    "Neumann, 5 terms, rate 0.25": solved(by_series(5, 0.25)),
    "Neumann, 6 terms, rate 0.25": solved(by_series(6, 0.25)),
    "Neumann, 7 terms, rate 1": solved(by_series(7, 1.0)),  # which diverges
    "differentiated through 1 step on y, rate 0.25": in_reverse(1, 0.25),
    "differentiated through 6 steps on y, rate 0.25": in_reverse(6, 0.25),
}


@pytest.mark.parametrize("answer", KNOWN)
@pytest.mark.parametrize("seed", [0, 1])
def test_each_known_hypergradient_is_recognized_and_no_other(answer: str, seed: int) -> None:
    check = SPACE.check_hypergradient(KNOWN[answer], rates=(0.25, 1.0), seed=seed)
    assert check.answer == answer
    assert not check.is_exact
    assert len(check.agreeing) == 1
    assert check.agreeing[0].error < 1e-11


def test_many_steps_on_y_are_the_hypergradient_at_the_solution() -> None:
    check = SPACE.check_hypergradient(lambda x, y: SPACE.grad_phi(x[None], np)[0], rates=(0.25,), terms=40)
    first, second = check.answer.split("; or ")
    assert first == "exact, at y*(x) in place of y"
    assert second.startswith("differentiated through ")
    assert second.endswith(" to 40 steps on y, rate 0.25")


def test_several_candidates_stay_several() -> None:
    check = SPACE.check_hypergradient(solved(np.linalg.solve), rates=(0.4,), terms=40)
    assert check.is_exact
    kinds = [c.name for c in check.agreeing if c.kind != "neumann"]
    assert kinds == ["exact", "conjugate gradients, 3 steps"]
    series = [c.size for c in check.agreeing if c.kind == "neumann"]
    assert series == list(range(series[0], 41))
    assert f"Neumann, {series[0]} to 40 terms, rate 0.4" in check.answer
    assert "by the function" not in str(check)


def test_directions_from_the_residual_before_are_recognized() -> None:
    def solve(hessian: np.ndarray, b: np.ndarray) -> np.ndarray:
        q, r, p = 0 * b, b, b
        for _ in range(3):
            step = r @ r / (p @ hessian @ p)
            q, new = q + step * p, r - step * hessian @ p
            p, r = r + new @ new / (r @ r) * p, new
        return q

    answer = SPACE.check_hypergradient(solved(solve)).answer
    assert answer == "conjugate gradients, 3 steps, directions from the residual before"


def test_on_the_line_one_step_is_exact_and_a_number_may_come_back() -> None:
    def exact(x: np.ndarray, y: np.ndarray) -> float:
        away = float(y[0]) - LINE.b
        return LINE.r * float(x[0]) + LINE.a * away / np.sqrt(1 + away**2)

    check = LINE.check_hypergradient(exact)
    assert check.answer.startswith("exact; or conjugate gradients, 1 step; or Neumann")
    direct = LINE.check_hypergradient(lambda x, y: [LINE.r * x[0]], rates=(0.3,))
    assert direct.answer == "direct part only, grad_x f"
    assert float(direct.value[0]) == pytest.approx(LINE.r * float(direct.x[0]))
    assert float(direct.exact[0]) == pytest.approx(exact(direct.x, direct.y))
    assert "by the function" in str(direct)


def test_a_series_whose_terms_cancel_is_the_direct_part() -> None:
    """With rate 2/h the factor 1 - rate h is -1, and every second partial sum is 0."""
    answer = LINE.check_hypergradient(lambda x, y: LINE.r * x, rates=(1.0,), terms=9).answer
    series = (
        "Neumann, 2, 4, 6, ..., 8 terms, rate 1; or differentiated through 2, 4, 6, ..., 8 steps on y, rate 1"
    )
    assert answer == f"direct part only, grad_x f; or {series}"


def test_the_noise_of_the_problem_is_left_out() -> None:
    noisy = wb.problems.VectorBilevel(wb.Sphere(2.0), wb.Sphere(2.0), hessian_noise=0.3)
    assert noisy.check_hypergradient(solved(np.linalg.solve)).is_exact


def test_what_no_candidate_gives_is_said_with_a_place() -> None:
    check = SPACE.check_hypergradient(lambda x, y: 7 * x)
    assert check.answer == "none of the known hypergradients"
    assert "at x = (" in str(check)
    single = SPACE.check_hypergradient(
        lambda x, y: solved(np.linalg.solve)(x, y).astype(np.float32), tol=1e-5
    )
    assert single.is_exact


CALLS = iter(range(1000))


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (lambda x, y: 3.0, "gives 1 number for 2 coordinates of x"),
        (lambda x, y: x * np.nan, r"gives \(nan, nan\) at x = \("),
        (lambda x, y: x + next(CALLS), "keeps something between two calls, or draws random numbers"),
        (lambda x, y: np.add(x, 1, out=x), "changes x or y in place"),
        (lambda x: x, "the function fails .TypeError"),
        (lambda x, y: None, "returns NoneType, not real numbers"),
        (lambda x, y: x + 1j, "not real numbers"),
        (7, "'int' object is not callable"),
    ],
)
def test_what_is_no_such_function_is_said(function: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        SPACE.check_hypergradient(function)


@pytest.mark.parametrize(
    "wrong",
    [{"points": 0}, {"terms": 2.5}, {"terms": 10**7}, {"rates": 0.3}, {"rates": (-1.0,)}, {"rates": ("a",)}],
)
def test_wrong_numbers_are_said(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(ValueError, match=f"^{name} is .*; wanted"):
        SPACE.check_hypergradient(lambda x, y: x, **wrong)
