"""Optimizers in use beside the papers they come from: `python examples/optimizers/table.py` writes README.md here.

For each: the same iterates as the paper's rule, or which small change of it gives them; and, where the paper claims a
rate and it takes seconds, whether the rate survives on a witness. Needs optax, PyTorch and pytorch_optimizer;
scikit-learn comes with the workbench.
"""

import argparse
import importlib.metadata
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import jax
import listings as paper
import numpy as np
import optax
import pytorch_optimizer as more
import torch
from jax.example_libraries import optimizers as classic
from sklearn.linear_model import SGDRegressor

import workbench as wb

LIBRARIES = ("optax", "jax", "torch", "pytorch_optimizer", "scikit-learn", "numpy")
HERE = Path(__file__).parent
E2 = {"b1": 0.9, "b2": 0.99}


def inverse_root(k):
    return (k + 1.0) ** -0.5


def decreasing(optimizer):
    return torch.optim.lr_scheduler.LambdaLR(optimizer, inverse_root)


def root_rate(k):
    return 0.1 * inverse_root(k)


def jax_example(make: Callable, *args: float, **more_args: float):
    """An optimizer of jax.example_libraries, a triple of functions, with the protocol of optax."""
    begin, update, parameters = make(*args, **more_args)

    def init(x):
        return jax.numpy.zeros((), jax.numpy.int32), begin(x)

    def change(g, state, x):
        count, inner = state
        inner = update(count, g, inner)
        return parameters(inner) - x, (count + 1, inner)

    return optax.GradientTransformation(init, change)


@dataclass(frozen=True)
class Row:
    """listing: the paper's rule. name: of what is compared, as its library calls it. make: the method.

    steps: hyperparameters of the listing. witness: the method whose rate is judged, claim: that rate, metric: of what.
    """

    listing: object
    name: str
    make: Callable[[], object]
    steps: dict[str, float] | None = None
    witness: Callable[[], object] | None = None
    claim: str = "T^-1/2 or faster"
    metric: str = "grad_sq_mean"


def of(kind, *args, **settings) -> Callable[[], object]:
    return lambda: wb.method(kind, *args, **settings)


def falling(kind, **settings) -> Callable[[], object]:
    return of(kind, lr=0.1, schedule=decreasing, **settings)


def rows() -> Iterator[Row]:
    yield from of_optax()
    yield from of_torch()
    yield from of_more()
    yield from of_jax()
    yield from of_sklearn()


def of_optax() -> Iterator[Row]:
    o = optax
    slow = {"witness": of(o.adam(root_rate, **E2))}
    yield Row(paper.sgd, "optax.sgd", of(o.sgd(0.1)), witness=of(o.sgd(root_rate)))
    yield Row(
        paper.heavy_ball, "optax.sgd(momentum)", of(o.sgd(root_rate, 0.9)), witness=of(o.sgd(root_rate, 0.9))
    )
    yield Row(paper.classical_momentum, "optax.sgd(momentum)", of(o.sgd(root_rate, 0.9)))
    yield Row(
        paper.nesterov,
        "optax.sgd(nesterov)",
        of(o.sgd(0.1, 0.9, nesterov=True)),
        witness=of(o.sgd(root_rate, 0.9, nesterov=True)),
    )
    yield Row(paper.adagrad, "optax.adagrad", of(o.adagrad(0.1, eps=1e-3)), witness=of(o.adagrad(0.5)))
    yield Row(paper.rmsprop, "optax.rmsprop", of(o.rmsprop(0.1, eps=1e-3)), witness=of(o.rmsprop(root_rate)))
    yield Row(
        paper.centered_rmsprop,
        "optax.rmsprop(centered)",
        of(o.rmsprop(0.1, 0.95, eps=1e-4, centered=True)),
        witness=of(o.rmsprop(root_rate, centered=True)),
    )
    yield Row(paper.adadelta, "optax.adadelta", of(o.adadelta(1.0, eps=1e-3)))
    yield Row(paper.adam, "optax.adam", of(o.adam(0.1, **E2, eps=1e-3)), **slow)
    yield from more_of_optax()


def more_of_optax() -> Iterator[Row]:
    o = optax
    yield Row(
        paper.adamax,
        "optax.adamax",
        of(o.adamax(0.1, **E2, eps=0.0)),
        witness=of(o.adamax(root_rate, **E2)),
    )
    yield Row(
        paper.amsgrad,
        "optax.amsgrad",
        of(o.amsgrad(0.1, **E2, eps=1e-3)),
        witness=of(o.amsgrad(root_rate, **E2)),
    )
    yield Row(paper.adamw, "optax.adamw", of(o.adamw(0.1, **E2, eps=1e-3, weight_decay=0.3)))
    yield Row(
        paper.nadam,
        "optax.nadam",
        of(o.nadam(0.1, **E2, eps=1e-3)),
        witness=of(o.nadam(root_rate, **E2)),
    )
    yield Row(
        paper.radam,
        "optax.radam",
        of(o.radam(0.1, **E2, eps=1e-3)),
        witness=of(o.radam(root_rate, **E2)),
    )
    yield Row(
        paper.lion,
        "optax.lion",
        of(o.lion(0.1, **E2, weight_decay=0.3)),
        witness=of(o.lion(root_rate, **E2, weight_decay=0.0)),
    )
    yield Row(paper.sign_sgd, "optax.sign_sgd", of(o.sign_sgd(0.1)), witness=of(o.sign_sgd(root_rate)))
    yield Row(
        paper.signum,
        "optax.chain(ema, sign)",
        of(o.chain(o.ema(0.9, debias=False), o.sign_sgd(0.1))),
        witness=of(o.chain(o.ema(0.9, debias=False), o.sign_sgd(root_rate))),
    )
    yield Row(
        paper.adabelief,
        "optax.adabelief",
        of(o.adabelief(0.1, **E2, eps=1e-3, eps_root=1e-3)),
        witness=of(o.adabelief(root_rate, **E2)),
    )
    yield from layerwise_and_others()


def layerwise_and_others() -> Iterator[Row]:
    o, c = optax, optax.contrib
    yield Row(paper.yogi, "optax.yogi", of(o.yogi(0.1, **E2, eps=1e-3)), witness=of(o.yogi(root_rate, **E2)))
    yield Row(
        paper.optimistic,
        "optax.optimistic_gradient_descent",
        of(o.optimistic_gradient_descent(0.1)),
        witness=of(o.optimistic_gradient_descent(root_rate)),
    )
    yield Row(paper.lamb, "optax.lamb", of(o.lamb(0.1, **E2, eps=1e-3, weight_decay=0.3)))
    yield Row(paper.novograd, "optax.novograd", of(o.novograd(0.1, **E2, eps=1e-3, weight_decay=0.3)))
    yield Row(paper.fromage, "optax.fromage", of(o.fromage(0.1, min_norm=0.0)))
    yield Row(
        paper.adan,
        "optax.adan",
        of(o.adan(0.1, 0.98, 0.92, 0.99, eps=1e-3, eps_root=0.0)),
        witness=of(o.adan(root_rate)),
    )
    yield Row(paper.rprop, "optax.rprop", of(o.rprop(0.1)))
    yield Row(paper.cocob, "optax.contrib.cocob", of(c.cocob()))
    yield Row(paper.dog, "optax.contrib.dog", of(c.dog(init_step=("heuristic", 1e-3))))
    yield Row(paper.dowg, "optax.contrib.dowg", of(c.dowg(init_estim_sq_dist=1e-6, eps=0.0)))
    free = of(c.schedule_free_sgd(0.1, b1=0.9), output=c.schedule_free_eval_params)
    yield Row(paper.schedule_free, "optax.contrib.schedule_free_sgd", free, witness=free, metric="gap")


def of_torch() -> Iterator[Row]:
    t = torch.optim
    betas = {"betas": (0.9, 0.99)}

    momentum = falling(t.SGD, momentum=0.9)
    yield Row(paper.sgd, "torch.optim.SGD", of(t.SGD, lr=0.1), witness=falling(t.SGD))
    yield Row(paper.heavy_ball, "torch.optim.SGD(momentum)", momentum, witness=momentum)
    yield Row(paper.classical_momentum, "torch.optim.SGD(momentum)", momentum)
    yield Row(
        paper.nesterov,
        "torch.optim.SGD(nesterov)",
        of(t.SGD, lr=0.1, momentum=0.9, nesterov=True),
        witness=falling(t.SGD, momentum=0.9, nesterov=True),
    )
    yield Row(
        paper.adagrad,
        "torch.optim.Adagrad",
        of(t.Adagrad, lr=0.1, eps=1e-3),
        witness=of(t.Adagrad, lr=0.5, eps=1e-3),
    )
    yield Row(
        paper.rmsprop,
        "torch.optim.RMSprop",
        of(t.RMSprop, lr=0.1, alpha=0.9, eps=1e-3),
        witness=falling(t.RMSprop),
    )
    yield Row(
        paper.centered_rmsprop,
        "torch.optim.RMSprop(centered)",
        of(t.RMSprop, lr=0.1, alpha=0.95, eps=1e-4, centered=True),
        witness=falling(t.RMSprop, centered=True),
    )
    yield Row(paper.adadelta, "torch.optim.Adadelta", of(t.Adadelta, lr=1.0, eps=1e-3))
    yield from more_of_torch(betas)


def more_of_torch(betas: dict) -> Iterator[Row]:
    t = torch.optim

    yield Row(
        paper.adam,
        "torch.optim.Adam",
        of(t.Adam, lr=0.1, **betas, eps=1e-3),
        witness=falling(t.Adam, **betas),
    )
    yield Row(
        paper.adamax,
        "torch.optim.Adamax",
        of(t.Adamax, lr=0.1, **betas, eps=0.0),
        witness=falling(t.Adamax, **betas),
    )
    yield Row(
        paper.amsgrad,
        "torch.optim.Adam(amsgrad)",
        of(t.Adam, lr=0.1, **betas, eps=1e-3, amsgrad=True),
        witness=falling(t.Adam, **betas, amsgrad=True),
    )
    yield Row(paper.adamw, "torch.optim.AdamW", of(t.AdamW, lr=0.1, **betas, eps=1e-3, weight_decay=0.3))
    yield Row(
        paper.scheduled_nadam,
        "torch.optim.NAdam",
        of(t.NAdam, lr=0.1, **betas, eps=1e-3),
        witness=falling(t.NAdam, **betas),
    )
    yield Row(
        paper.radam,
        "torch.optim.RAdam",
        of(t.RAdam, lr=0.1, **betas, eps=1e-3),
        witness=falling(t.RAdam, **betas),
    )
    yield Row(paper.rprop, "torch.optim.Rprop", of(t.Rprop, lr=0.1))
    average = of(t.ASGD, lr=0.1, lambd=0.0, t0=0, output="ax")
    never = of(t.ASGD, lr=0.1, lambd=0.0, output="ax")
    rate = {"claim": "T^-1 or faster", "metric": "gap"}
    yield Row(paper.averaged_sgd, "torch.optim.ASGD(t0=0)", average, witness=average, **rate)
    yield Row(paper.averaged_sgd, "torch.optim.ASGD", never, witness=never, **rate)


def of_more() -> Iterator[Row]:
    betas = {"betas": (0.9, 0.99)}
    yield Row(paper.adabelief, "pytorch_optimizer.AdaBelief", of(more.AdaBelief, lr=0.1, **betas, eps=1e-3))
    yield Row(paper.yogi, "pytorch_optimizer.Yogi", of(more.Yogi, lr=0.1, **betas, eps=1e-3))
    yield Row(paper.lion, "pytorch_optimizer.Lion", of(more.Lion, lr=0.1, **betas, weight_decay=0.3))
    yield Row(paper.adan, "pytorch_optimizer.Adan", of(more.Adan, lr=0.1, betas=(0.98, 0.92, 0.99), eps=1e-3))
    lamb = of(more.Lamb, lr=0.1, **betas, eps=1e-3, weight_decay=0.3)
    yield Row(paper.lamb, "pytorch_optimizer.Lamb", lamb)
    yield Row(paper.other_lamb, "pytorch_optimizer.Lamb", lamb)
    yield Row(
        paper.novograd,
        "pytorch_optimizer.NovoGrad",
        of(more.NovoGrad, lr=0.1, **betas, eps=1e-3, weight_decay=0.3),
    )
    yield Row(paper.qhm, "pytorch_optimizer.QHM", of(more.QHM, lr=0.1, momentum=0.9, nu=0.7))
    yield Row(paper.signum, "pytorch_optimizer.SignSGD", of(more.SignSGD, lr=0.1, momentum=0.9))
    yield Row(paper.radam, "pytorch_optimizer.RAdam", of(more.RAdam, lr=0.1, **betas, eps=1e-3))
    yield Row(paper.adamax, "pytorch_optimizer.AdaMax", of(more.AdaMax, lr=0.1, **betas, eps=0.0))
    yield Row(paper.fromage, "pytorch_optimizer.Fromage", of(more.Fromage, lr=0.1))


def of_jax() -> Iterator[Row]:
    j = classic
    yield Row(
        paper.sgd,
        "jax.example_libraries sgd",
        of(jax_example(j.sgd, 0.1)),
        witness=of(jax_example(j.sgd, root_rate)),
    )
    yield Row(
        paper.heavy_ball,
        "jax.example_libraries momentum",
        of(jax_example(j.momentum, root_rate, 0.9)),
        witness=of(jax_example(j.momentum, root_rate, 0.9)),
    )
    yield Row(
        paper.classical_momentum,
        "jax.example_libraries momentum",
        of(jax_example(j.momentum, root_rate, 0.9)),
    )
    yield Row(
        paper.nesterov,
        "jax.example_libraries nesterov",
        of(jax_example(j.nesterov, 0.1, 0.9)),
        witness=of(jax_example(j.nesterov, root_rate, 0.9)),
    )
    yield Row(
        paper.adagrad,
        "jax.example_libraries adagrad",
        of(jax_example(j.adagrad, 0.1, 0.0)),
        {"eps": 0.0},
        of(jax_example(j.adagrad, 0.5, 0.0)),
    )
    yield Row(
        paper.rmsprop,
        "jax.example_libraries rmsprop",
        of(jax_example(j.rmsprop, 0.1, 0.9, 1e-3)),
        witness=of(jax_example(j.rmsprop, root_rate)),
    )
    yield Row(
        paper.adam,
        "jax.example_libraries adam",
        of(jax_example(j.adam, 0.1, 0.9, 0.99, 1e-3)),
        witness=of(jax_example(j.adam, root_rate, 0.9, 0.99)),
    )
    yield Row(
        paper.adamax,
        "jax.example_libraries adamax",
        of(jax_example(j.adamax, 0.1, 0.9, 0.99, 0.0)),
        witness=of(jax_example(j.adamax, root_rate, 0.9, 0.99)),
    )


def of_sklearn() -> Iterator[Row]:
    constant = {"learning_rate": "constant", "eta0": 0.1}
    falling_rate = of(SGDRegressor, power_t=0.5, eta0=0.1, penalty=None)
    yield Row(paper.sgd, "sklearn SGDRegressor", of(SGDRegressor, **constant))
    yield Row(
        paper.sgd,
        "sklearn SGDRegressor(penalty=None)",
        of(SGDRegressor, **constant, penalty=None),
        witness=falling_rate,
    )
    average = of(SGDRegressor, **constant, penalty=None, average=True, output="coef_")
    yield Row(
        paper.averaged_sgd,
        "sklearn SGDRegressor(average)",
        average,
        witness=average,
        claim="T^-1 or faster",
        metric="gap",
    )


def compared(row: Row) -> str:
    """One cell: the same iterates, or the changes of the paper's rule that give the implementation's."""
    try:
        outcome = wb.same_iterates(row.listing, row.make(), steps=row.listing.Steps(**(row.steps or {})))
    except ValueError as error:
        return f"cannot be run: {error}"
    if outcome.same:
        return "same"
    if not outcome.explanations:
        return f"other from iteration {outcome.iteration} on; no known change explains it"
    several = "; **or** ".join(
        ", ".join(f"{kind}: `{a}` becomes `{b}`" for kind, a, b in e.changes)
        for e in outcome.explanations[:3]
    )
    rest = len(outcome.explanations) - 3
    return several + (f"; **or** {rest} more" if rest > 0 else "")


def judged(row: Row) -> str:
    """One cell: whether the claimed rate survives on a quadratic with noise; "" where none is judged."""
    if row.witness is None:
        return ""
    method = row.witness()
    problem = wb.problems.Quadratic(wb.Gaussian(1.0))
    start = {"x": np.full((256, 20), 0.1)}
    marks = np.unique(np.round(np.geomspace(16, 4096, 25))).astype(int)
    result = wb.simulate(wb.Problem(method, problem, method.Steps(), start), wb.Run(marks, seed=1))
    found = wb.judge(result.table(row.metric), marks, row.claim, running_mean=row.metric.endswith("_mean"))
    low, high = found.interval
    return f"{row.claim}: {found.verdict} [{low:.3f}, {high:.3f}]"


HEAD = """# Optimizers in use, beside the papers they come from

Made by `python examples/optimizers/table.py` with {versions}.
`listings.py` has the rules as they are printed, `table.py` the hyperparameters, which are the same on both sides.

*Iterates*: 30 iterations of four runs on a quadratic in three coordinates, in 64 bits, on the same noise; *same* is up
to 1e-9 of the largest |x|. Otherwise the smallest changes of the paper's rule, singly or in pairs among the known
kinds, that give the implementation's iterates: candidates, which agree on these iterations. *Rate*: the exponent on a
quadratic with noise (20 coordinates, 256 runs, T = 4096, interval of 99 %), of the mean of |grad f|^2 with a rate of
order t^-1/2 (Adagrad: constant), of the gap of the average for averaging methods. T^-1/2 is what papers on SGD, Adam
and their kin claim of such rates; where a paper has no rate of its own, it is asked whether that one survives. Empty
where it would take minutes, or the rate of the method is not its step's. What packages of bilevel optimization make of
hypergradients is in [another table](hypergradients.md).

| implementation | paper | iterates | rate |
|---|---|---|---|
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--iterates", action="store_true", help="leave the rates out")
    options.add_argument("names", nargs="*", help="only what has one of these in its name")
    asked = options.parse_args()
    lines, begin = [], time.perf_counter()
    for row in rows():
        if asked.names and not any(name in row.name for name in asked.names):
            continue
        rate = "" if asked.iterates else judged(row)
        cells = row.name, f"{row.listing.name} ({row.listing.paper})", compared(row), rate
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
        print(f"{time.perf_counter() - begin:5.0f} s {lines[-1]}", flush=True)
    if not asked.names and not asked.iterates:
        (HERE / "README.md").write_text(page(lines))


def page(lines: list[str]) -> str:
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES)
    same = sum("| same |" in line for line in lines)
    table = "\n".join(lines)
    return f"{HEAD.format(versions=versions)}{table}\n\n{len(lines)} comparisons: {same} have the paper's iterates.\n"


if __name__ == "__main__":
    main()
