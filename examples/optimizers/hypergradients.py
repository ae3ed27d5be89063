"""Hypergradients of packages beside the known ones: `python examples/optimizers/hypergradients.py`.

Writes hypergradients.md here. Needs torch, boat-torch 1.1.1, hypergrad 0.0.1 and torchopt 0.7.3, in an environment of
its own: boat-torch asks for an older NumPy than the workbench (and runs with a newer one), so that it is installed with
`--no-deps`, beside higher, which it imports.
"""

import importlib.metadata
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from boat_torch.utils import op_utils as boat
from hypergrad import approx_hypergrad
from torchopt import linalg

import workbench as wb

HERE = Path(__file__).parent
LIBRARIES = ("boat-torch", "hypergrad", "torchopt", "torch")
RATE = 0.3  # of the lower level's gradient step, and of Neumann's series
LINE, SPACE = wb.problems.ScalarBilevel(), wb.problems.VectorBilevel()


def upper(problem, x, y):
    """f of both problems."""
    return torch.sqrt(1 + (y - torch.tensor(problem.b)) ** 2).sum() + problem.r / 2 * (x**2).sum()


def lower(problem, x, y):
    """g, as it is printed in the reference of `problems`."""
    if problem is LINE:
        return problem.h / 2 * ((y - problem.a * x) ** 2).sum()
    u = torch.tensor(problem.Q) @ y
    bowl = (problem.h / 2 * u**2 - problem.s * torch.cos(u)).sum()
    return bowl - (torch.tensor(problem.A) @ x) @ y


def of_boat(solver: Callable, steps: int):
    """boat_torch's solvers get the map y -> y - RATE grad g and both losses."""

    def on(problem):
        def function(x, y):
            x, y = (torch.tensor(v, requires_grad=True) for v in (x, y))

            def step(parameters, loss):
                (gradient,) = torch.autograd.grad(loss, parameters, create_graph=True)
                return [parameters[0] - RATE * gradient]

            losses = upper(problem, x, y), lower(problem, x, y)
            return solver([y], [x], *losses, steps, step)[0]

        return function

    return on


def of_hypergrad(solver: Callable, steps: int, rate: float):
    def on(problem):
        def function(x, y):
            levels = [lambda inner, outer, f=f: f(problem, outer[0], inner[0]) for f in (lower, upper)]
            return solver(*levels, (torch.tensor(y),), (torch.tensor(x),), steps, rate)[0]

        return function

    return on


def of_torchopt(solve: Callable):
    """torchopt solves H q = grad_y f; the rest of the formula is written here."""

    def on(problem):
        def function(x, y):
            x, y = (torch.tensor(v, requires_grad=True) for v in (x, y))
            f_x, f_y = torch.autograd.grad(upper(problem, x, y), (x, y))
            hessian = torch.autograd.functional.hessian(lambda y: lower(problem, x, y), y).detach()
            q = solve(hessian, f_y)
            (slope,) = torch.autograd.grad(lower(problem, x, y), y, create_graph=True)
            (indirect,) = torch.autograd.grad(slope, x, q)
            return f_x - indirect

        return function

    return on


def cases() -> Iterator[tuple[str, Callable]]:
    """(what is called, problem -> function)."""
    for steps in (1, 2, 3):
        yield f"boat_torch conjugate_gradient, K = {steps}", of_boat(boat.conjugate_gradient, steps)
    yield "boat_torch neumann, k = 5", of_boat(boat.neumann, 5)
    for rate in (1.0, RATE):
        for steps in (1, 2, 3):
            name = f"hypergrad conjugate_gradient, num_iters = {steps}, lr = {rate:g}"
            yield name, of_hypergrad(approx_hypergrad.conjugate_gradient, steps, rate)
    yield "hypergrad neumann, num_iters = 5", of_hypergrad(approx_hypergrad.neumann, 5, RATE)
    yield (
        "torchopt.linalg.cg, maxiter = 3",
        of_torchopt(lambda A, b: linalg.cg(lambda v: A @ v, b, maxiter=3, rtol=0.0)),
    )
    yield (
        "torchopt.linalg.ns, maxiter = 5",
        of_torchopt(lambda A, b: linalg.ns(lambda v: A @ v, b, maxiter=5, alpha=RATE)),
    )
    yield (
        "torchopt.linalg.ns_inv, maxiter = 5",
        of_torchopt(lambda A, b: linalg.ns_inv(A, maxiter=5, alpha=RATE) @ b),
    )


def cell(problem, function: Callable) -> tuple[str, str]:
    """What it agrees with, and the error beside the exact hypergradient."""
    try:
        check = problem.check_hypergradient(function, rates=(RATE,))
    except ValueError as error:
        return str(error), ""
    return check.answer, f"{check.candidates[0].error:.2g}"


HEAD = """# Hypergradients of packages, beside the known ones

Made by `python examples/optimizers/hypergradients.py` with {versions}.
`check_hypergradient` compares a function (x, y) -> hypergradient with those that the problem knows: *error* is the
largest difference from the exact one at 8 points, in units of its largest component. The lower level has one variable
in `ScalarBilevel`, three in `VectorBilevel`, so that 1 and 3 steps of conjugate gradients are exact. The rate of
Neumann's series is {rate}.

| called | `ScalarBilevel`: agrees with | error | `VectorBilevel`: agrees with | error |
|---|---|---|---|---|
"""


def main() -> None:
    lines = []
    for name, on in cases():
        row = [name]
        for problem in (LINE, SPACE):
            row += cell(problem, on(problem))
        lines.append(f"| {' | '.join(row)} |")
        print(lines[-1], flush=True)
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES)
    (HERE / "hypergradients.md").write_text(
        HEAD.format(versions=versions, rate=RATE) + "\n".join(lines) + "\n"
    )


if __name__ == "__main__":
    main()
