"""Optimizers of libraries as methods: the bridge on small optimizers of the same protocols, and on the real ones."""

from __future__ import annotations

import importlib.util
from collections import deque, namedtuple
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.optimize
from sklearn.linear_model import LogisticRegression, SGDClassifier, SGDRegressor

import workbench as wb
from workbench.claims.optimizers import trees
from workbench.claims.optimizers.hyperparameters import Hyperparameters
from workbench.claims.optimizers.identity import identity
from workbench.claims.optimizers.libraries import MissingLibrary, lookup
from workbench.engine.rows import cut_problem
from workbench.engine.validate import ProblemError
from workbench.run.store.content import content_hash

BOWL = wb.problems.Quadratic(wb.Sphere(0.5))
INSTALLED = {name: importlib.util.find_spec(name) is not None for name in ("optax", "torch")}
with_optax = pytest.mark.skipif(
    not INSTALLED["optax"], reason="optax is not installed: pip install '.[optimizers]'"
)
with_torch = pytest.mark.skipif(
    not INSTALLED["torch"], reason="PyTorch is not installed: pip install '.[optimizers]'"
)

Moments = namedtuple("Moments", "count m")
Pair = namedtuple("Pair", "init update")


def momentum(rate: float, decay: float = 0.9) -> Pair:
    """A pair of optax's protocol, in NumPy: m = decay m + g, x = x - rate m, with a count in its state."""

    def init(x):
        return {"inner": Moments(0, np.zeros_like(x))}

    def update(g, state, x):
        count, m = state["inner"]
        m = decay * m + g
        return -rate * m, {"inner": Moments(count + 1, m)}

    return Pair(init, update)


class Momentum:
    """The same of PyTorch's protocol, which writes into parameters and keeps a count in its group."""

    def __init__(self, parameters: Any, lr: float, decay: float = 0.9) -> None:
        self.param_groups = [{"params": list(parameters), "lr": lr, "decay": decay, "k": 0}]
        self.state: dict[Any, Any] = {}

    def zero_grad(self) -> None:
        for parameter in self.param_groups[0]["params"]:
            parameter.grad = None

    def step(self, closure=None) -> None:
        group = self.param_groups[0]
        group["k"] += 1
        for parameter in group["params"]:
            if parameter.grad is None:
                continue
            state = self.state.setdefault(parameter, {"m": np.zeros_like(parameter.data)})
            state["m"] = group["decay"] * state["m"] + parameter.grad
            parameter.data = parameter.data - group["lr"] * state["m"]


def rule(x, g, state, rate, decay=0.9):
    """The same as a function."""
    m = g if state is None else decay * state + g
    return x - rate * m, m


class Listing:
    """The same as a step."""

    State = wb.state("x", "m")
    Steps = wb.steps("rate", "decay")

    @staticmethod
    def init(start, c, oracle, draw, xp):
        return Listing.State(start["x"], xp.zeros_like(start["x"]))

    @staticmethod
    def step(s, t, c, oracle, draw, xp):
        m = c.decay * s.m + oracle.grad(s.x, draw(0))
        return Listing.State(s.x - c.rate * m, m)


class SGD:
    """The same without momentum."""

    State, Steps = wb.state("x"), wb.steps(rate=0.1)

    @staticmethod
    def step(s, t, c, oracle, draw, xp):
        return SGD.State(s.x - c.rate * oracle.grad(s.x, draw(0)))


FAKES = {
    "pair": lambda: wb.method(momentum(0.1)),
    "made": lambda: wb.method(momentum, rate=0.1),
    "class": lambda: wb.method(Momentum, lr=0.1),
    "function": lambda: wb.method(rule, rate=0.1),
}


def problem(method: Any, rows: int = 5, steps: Any = None, d: int = 3, instance: Any = BOWL) -> wb.Problem:
    start = {"x": np.linspace(0.5, 1.5, rows * d).reshape(rows, d)}
    return wb.Problem(method, instance, method.Steps() if steps is None else steps, start)


def simulated(method: Any, T: int = 12, **more: Any) -> wb.Result:
    return wb.simulate(problem(method, **more), wb.Run(np.arange(1, T + 1), seed=3))


def refusal(method: Any, **more: Any) -> str:
    with pytest.raises(ProblemError) as caught:
        simulated(method, **more)
    return str(caught.value)


# ---------------------------------------------------------------------------------------------- the same iterates


@pytest.mark.parametrize("name", FAKES)
def test_each_protocol_gives_the_iterates_of_the_step(name: str) -> None:
    theirs = simulated(FAKES[name]())
    ours = simulated(Listing, steps=Listing.Steps(0.1, 0.9))
    np.testing.assert_allclose(theirs.table("grad_norm"), ours.table("grad_norm"), rtol=1e-12)
    assert theirs.calls["gradient"][0, -1] == 12


@pytest.mark.parametrize("name", FAKES)
def test_a_run_alone_and_a_later_part_have_the_same_bits(name: str) -> None:
    whole = wb.simulate(problem(FAKES[name](), 40), run := wb.Run(np.arange(1, 9), seed=3))
    for row in (0, 17, 39):
        alone = wb.simulate(cut_problem(problem(FAKES[name](), 40), slice(row, row + 1)), run)
        assert np.array_equal(alone.table("gap")[0], whole.table("gap")[row])


@pytest.mark.parametrize("name", ["made", "class", "function"])
def test_a_hyperparameter_may_differ_from_run_to_run(name: str) -> None:
    method = FAKES[name]()
    rates = np.array([[0.1], [0.2], [0.1], [0.3], [0.2]])
    field = method.Steps._fields[0]
    mixed = simulated(method, steps=method.Steps(**{field: rates}))
    for row, rate in enumerate(rates[:, 0]):
        same = simulated(method, steps=method.Steps(**{field: float(rate)}))
        assert np.array_equal(same.table("gap")[row], mixed.table("gap")[row])


def test_a_theorem_prescribes_the_hyperparameters() -> None:
    paper = wb.Paper("p", "p", "a", "s")
    v = wb.vocabulary
    theorem = paper.theorem(
        "t",
        statement="s",
        metric="m",
        bound=1 / v.T,
        exponent=-1,
        schedule={"rate": 1 / (2 * v.L)},
        generic={v.L: 1},
    )
    method = wb.method(rule, rate=0.1)
    study = wb.Study(paper, metric="gap")
    sim = study.simulation(
        method, method.Steps.of(theorem), problem=BOWL, start={"x": 1.0}, horizon=10, runs=4
    )
    assert sim.make(10, 4).steps == (0.5,)


def test_the_gradient_may_be_another_one() -> None:
    online = wb.problems.DriftingQuadratic(wb.Sphere(0.5))
    method = wb.method(rule, rate=0.1, gradient=lambda oracle, x, t, draw: oracle.grad_at(t, x, draw(0)))
    assert simulated(method, instance=online).table("regret").shape == (5, 12)
    assert "say how a gradient is made" in refusal(wb.method(rule, rate=0.1), instance=online)


def test_the_output_is_what_the_gap_is_read_at() -> None:
    plain = simulated(wb.method(rule, rate=0.1))
    halved = simulated(wb.method(rule, rate=0.1, output=lambda state, x: x / 2))
    np.testing.assert_allclose(halved.table("gap")[:, 1:], plain.table("gap")[:, 1:] / 4)
    named_one = simulated(wb.method(Momentum, lr=0.1, output="m"))
    assert not np.allclose(named_one.table("gap")[:, 1:], plain.table("gap")[:, 1:])


class Halving:
    """A schedule of PyTorch's protocol."""

    def __init__(self, optimizer: Any, every: int) -> None:
        self.optimizer, self.every, self.t = optimizer, every, 0

    def step(self) -> None:
        self.t += 1
        if self.t % self.every == 0:
            self.optimizer.param_groups[0]["lr"] *= 0.5


def test_a_schedule_depends_on_t_alone() -> None:
    method = wb.method(Momentum, lr=0.4, decay=0.0, schedule=partial(Halving, every=3))
    still = wb.problems.Quadratic()
    gap = np.sqrt(simulated(method, instance=still).table("gap"))
    np.testing.assert_allclose(
        gap[:, 1:] / gap[:, :-1], np.repeat([0.6, 0.8, 0.9, 0.95], 3)[None, :11].repeat(5, 0)
    )

    class Plateau(Halving):
        def step(self, metrics) -> None:  # type: ignore[override]
            pass

    needy = wb.method(Momentum, lr=0.4, schedule=partial(Plateau, every=3))
    assert "Plateau needs metrics at each step" in refusal(needy)


def test_a_schedule_that_fails_is_said_in_a_sentence() -> None:
    class Short(Halving):
        def step(self) -> None:
            super().step()
            if self.t > 5:
                raise ValueError("only 5 steps")

    def refused(schedule: Any) -> str:
        return refusal(wb.method(Momentum, lr=0.4, schedule=schedule))

    assert "fails at iteration 7 (ValueError: only 5 steps)" in refused(partial(Short, every=3))
    assert "the schedule gives NoneType; wanted a scheduler" in refused(lambda optimizer: None)
    assert "cannot be given its schedule (TypeError: " in refused(Halving)


# ------------------------------------------------------------------------------------------------------- mistakes


def raises_value_error(make: Any) -> str:
    with pytest.raises(ValueError, match=" ") as caught:
        make()
    return str(caught.value)


def test_what_is_no_optimizer_is_said() -> None:
    assert "a float is no optimizer" in raises_value_error(lambda: wb.method(3.0))
    assert "is made already and takes no rate" in raises_value_error(
        lambda: wb.method(momentum(0.1), rate=0.2)
    )
    made = Momentum([SimpleNamespace(grad=None, data=1.0)], 0.1)
    assert "give its class: wb.method(Momentum, lr=...)" in raises_value_error(lambda: wb.method(made))
    assert "makes a int, which is no optimizer" in raises_value_error(lambda: wb.method(lambda: 3))
    assert "can be called neither with beta" in raises_value_error(lambda: wb.method(rule, beta=0.1))
    assert "dict can be called neither with nothing" in raises_value_error(lambda: wb.method(dict))
    assert "gradient is a int" in raises_value_error(lambda: wb.method(rule, rate=0.1, gradient=3))
    assert "schedule is for optimizers of PyTorch" in raises_value_error(
        lambda: wb.method(rule, rate=1, schedule=Halving)
    )
    assert "wanted a function (state, parameters)" in raises_value_error(
        lambda: wb.method(momentum(0.1), output="m")
    )


class NeedsClosure(Momentum):
    def step(self, closure) -> None:  # type: ignore[override]
        closure()


class KeepsObjects(Momentum):
    def step(self, closure=None) -> None:
        super().step()
        for parameter in self.param_groups[0]["params"]:
            self.state[parameter]["log"] = object()


class OfAllRuns(Momentum):
    steps = 0

    def step(self, closure=None) -> None:
        type(self).steps += 1
        self.param_groups[0]["lr"] = 1 / type(self).steps
        super().step()


class Breaks(Momentum):
    def step(self, closure=None) -> None:
        raise RuntimeError("no dense gradients\nat all")


def test_what_cannot_be_a_method_is_refused_in_a_sentence() -> None:
    assert "needs a closure that evaluates the loss" in raises_value_error(
        lambda: wb.method(NeedsClosure, lr=0.1)
    )
    assert "CallsLoss needs a closure" in refusal(wb.method(CallsLoss, lr=0.1))
    assert "keeps state.log of type object; wanted numbers" in refusal(wb.method(KeepsObjects, lr=0.1))
    assert "or draws random ones, so that no run can be repeated" in refusal(wb.method(OfAllRuns, lr=0.1))
    assert "Breaks fails in its step (RuntimeError: no dense gradients)" in refusal(wb.method(Breaks, lr=0.1))
    assert "cannot be made" in refusal(wb.method(Momentum, rate=0.1))


class CountsForAll(Momentum):
    """Keeps its count under a name, as MADGRAD does, a memory in its group, as Prodigy does, and one of its own."""

    def __init__(self, parameters: Any, lr: float) -> None:
        super().__init__(parameters, lr)
        self.last, self.is_late = np.zeros(1), False
        self.param_groups[0]["total"] = np.zeros(1)

    def step(self, closure=None) -> None:
        self.state["k"] = self.state.get("k", 0) + 1
        group = self.param_groups[0]
        (parameter,) = group["params"]
        self.last = self.last / 2 + float(parameter.grad.sum())
        group["total"] = group["total"] + abs(float(self.last[0]))
        rate = group["lr"] / (self.state["k"] + float(group["total"][0]) + self.is_late)
        self.is_late = self.state["k"] > 2
        parameter.data = parameter.data - rate * parameter.grad


class KeepsElsewhere(Momentum):
    """Keeps its count in an object."""

    def __init__(self, parameters: Any, lr: float) -> None:
        super().__init__(parameters, lr)
        self.counter = SimpleNamespace(k=0)

    def step(self, closure=None) -> None:
        self.counter.k += 1
        (parameter,) = self.param_groups[0]["params"]
        parameter.data = parameter.data - self.param_groups[0]["lr"] / self.counter.k * parameter.grad


def test_all_that_an_optimizer_keeps_is_kept() -> None:
    x, gradients = np.array([0.5, -0.7, 0.9]), np.random.default_rng(0).normal(size=(12, 3))
    parameter = SimpleNamespace(data=x, grad=None)
    goes_on, method = CountsForAll([parameter], 0.1), wb.method(CountsForAll, lr=0.1)
    hyper = Hyperparameters({"lr": 0.1}, {})
    ours, memory = x[None], method.rule.begin(x[None], hyper)
    for t, gradient in enumerate(gradients, start=1):
        parameter.grad = gradient
        goes_on.step()
        ours, memory = method.rule.update(ours, gradient[None], memory, t, hyper)
        assert np.array_equal(ours[0], parameter.data)


def test_what_keeps_numbers_elsewhere_is_refused() -> None:
    said = refusal(wb.method(KeepsElsewhere, lr=0.1))
    assert "KeepsElsewhere keeps numbers elsewhere than in its state, its groups and its attributes" in said


def test_a_function_is_named_in_a_title() -> None:
    assert wb.method(rule, rate=1.0, decay=rule).title == "rule(rate=1.0, decay=rule)"


def in_place(x, g, state):
    x -= g
    return x, None


def breaks_later(x, g, state):
    if state == 3:
        raise KeyError("no m")
    return x - g, (state or 0) + 1


class CallsLoss(Momentum):
    def step(self, closure=None) -> None:
        closure()


def test_a_rule_that_breaks_its_contract_is_refused() -> None:
    assert "returns NoneType; wanted (new parameters, new state)" in refusal(wb.method(lambda x, g, s: None))
    assert "returns parameters of shape ()" in refusal(wb.method(lambda x, g, s: (x.sum(), None)))
    growing = wb.method(lambda x, g, s: (x - g, [*(s or []), 1.0]))
    assert "changes its size at iteration 2, from 1 numbers to 2" in refusal(growing)
    noisy = wb.method(lambda x, g, s: (x + np.random.normal(size=3), None))  # noqa: NPY002
    assert "draw noise from `draw`" in refusal(noisy)
    assert "makes an optimizer and lacks an argument" in refusal(wb.method(lambda x, g, s: momentum(0.1)))
    assert "in_place writes into the parameters or the gradient that it is given" in refusal(
        wb.method(in_place)
    )
    assert "breaks_later fails at iteration 4 (KeyError: 'no m')" in refusal(wb.method(breaks_later))
    lost = simulated(wb.method(lambda x, g, s: (x * np.nan, None)))
    assert (lost.status == 1).all()
    two = wb.problems.QuadraticSaddle(wb.Sphere(0.1), wb.Sphere(0.1))
    start = {"x": np.ones((4, 3)), "y": np.ones((4, 3))}
    method = wb.method(rule, rate=0.1)
    with pytest.raises(ProblemError, match=r"moves one vector x .* the start has 'x' \(4, 3\), 'y' \(4, 3\)"):
        wb.simulate(wb.Problem(method, two, method.Steps(), start), wb.Run(np.array([4])))


def test_a_missing_library_is_named_with_what_installs_it() -> None:
    with pytest.raises(MissingLibrary, match=r"nowhere cannot be imported .*: is it installed here\?"):
        lookup("nowhere.optim.Adam")
    if not INSTALLED["optax"]:
        with pytest.raises(MissingLibrary, match=r"pip install 'theorem-workbench\[optimizers\]'"):
            lookup("optax.adam")
    with pytest.raises(ValueError, match="json has no 'adam'"):
        lookup("json.adam")
    with pytest.raises(ValueError, match="names no optimizer"):
        lookup("adam")


# ----------------------------------------------------------------------------------------- keys of stored results


def key(method: Any) -> str:
    return content_hash(method.identity)


def test_optimizers_that_differ_in_anything_have_other_keys() -> None:
    def scheduled(every: int) -> Any:
        return wb.method(Momentum, lr=0.1, schedule=partial(Halving, every=every))

    def closing_over(values: Any) -> Any:
        return wb.method(lambda x, g, s: (x - values["rate"] * g, None))

    pairs = [
        (wb.method(momentum(0.1)), wb.method(momentum(0.1)), wb.method(momentum(0.2))),
        (wb.method(momentum(0.1)), wb.method(momentum(0.1, 0.9)), wb.method(momentum(0.1, 0.8))),
        (scheduled(3), scheduled(3), scheduled(4)),
        (closing_over({"rate": 0.1}), closing_over({"rate": 0.1}), closing_over({"rate": 0.2})),
        (
            closing_over({"rate": np.ones(2)}),
            closing_over({"rate": np.ones(2)}),
            closing_over({"rate": np.ones(3)}),
        ),
        (
            wb.method(rule, rate=1, decay=0.5),
            wb.method(rule, rate=1, decay=0.5),
            wb.method(rule, rate=1, output=rule),
        ),
    ]
    for one, same, other in pairs:
        assert key(one) == key(same) != key(other)
    assert wb.method(rule, rate=0.1).Steps() != wb.method(rule, rate=0.2).Steps()


def test_the_description_ends_in_a_circle_and_is_refused_where_nothing_is_known() -> None:
    circle: list[Any] = [1.0]
    circle.append(circle)
    assert content_hash(identity(circle)) == content_hash(identity(circle))
    with pytest.raises(ValueError, match="cannot be told from another one"):
        identity(iter([1]))


def test_a_study_names_the_optimizer_in_its_results(tmp_path: Any) -> None:
    study = wb.Study("p", metric="gap")
    parts = {"problem": BOWL, "start": {"x": 1.0}, "horizon": 10, "runs": 4}
    one = study.simulation(wb.method(momentum(0.1)), name="one", **parts)
    assert one.method.State._fields == ("x", "memory")
    with pytest.raises(ValueError, match="the mutation 'm' needs a step of its own"):
        study.simulation(wb.method(rule, rate=1.0), name="two", mutation=wb.Mutation("m", "x", "y"), **parts)


# ---------------------------------------------------------------------------------------------------------- trees


def test_a_tree_is_the_same_after_the_way_there_and_back() -> None:
    tree = {"a": (1, 2.5, None, True, "text"), "b": [np.arange(3, dtype=np.int32), Moments(7, np.eye(2))]}
    numbers = trees.flat(tree, "it")
    again = trees.rebuilt(tree, numbers, "it")
    assert repr(again) == repr(tree)
    assert [type(part) for part in again["a"]] == [int, float, type(None), bool, str]
    assert trees.flat(None, "it").shape == (0,)
    latest = trees.rebuilt(deque([1.0, 2.0], 3), np.array([3.0, 4.0]), "it")
    assert (latest, latest.maxlen) == (deque([3.0, 4.0]), 3)


@with_torch
def test_a_tensor_of_16_bits_is_the_same_after_the_way_there_and_back() -> None:
    import torch

    tree = {"v": torch.tensor([0.1, 3.0], dtype=torch.bfloat16)}
    again = trees.rebuilt(tree, trees.flat(tree, "it"), "it")
    assert again["v"].dtype == torch.bfloat16
    assert torch.equal(again["v"], tree["v"])


# ---------------------------------------------------------------------------------------- scikit-learn and SciPy


class Averaged:
    """SGD with a rate of order t^-1/4, decay and an average, which begins at the third iterate."""

    State, Steps = wb.state("x", "z"), wb.steps(eta=0.1, lam=0.3)

    @staticmethod
    def init(start, c, oracle, draw, xp):
        return Averaged.State(start["x"], start["x"])

    @staticmethod
    def step(s, t, c, oracle, draw, xp):
        eta = c.eta / t**0.25
        x = (1 - eta * c.lam) * s.x - eta * oracle.grad(s.x, draw(0))
        z = xp.where(t >= 3.0, s.z + (x - s.z) / xp.maximum(t - 2.0, 1.0), x)
        return Averaged.State(x, z)


def test_a_regressor_of_scikit_learn_gives_the_iterates_of_the_step() -> None:
    plain = wb.method(SGDRegressor, learning_rate="constant", eta0=0.1, penalty=None)
    assert wb.same_iterates(SGD, plain, tol=1e-14).same
    average = wb.method(SGDRegressor, eta0=0.1, alpha=0.3, average=3, output="coef_")
    assert wb.same_iterates(Averaged, average, tol=1e-12).same
    of_part = wb.method(SGDRegressor, eta0=0.1, alpha=0.3, average=3)
    assert wb.same_iterates(Averaged, of_part, tol=1e-12).same
    another = wb.method(SGDRegressor, eta0=0.1, alpha=0.3, average=2, output="coef_")
    assert not wb.same_iterates(Averaged, another, explain=False).same


def test_a_run_of_a_regressor_alone_has_the_same_bits() -> None:
    method = wb.method(SGDRegressor, penalty="elasticnet", alpha=0.1, eta0=0.1, average=True, output="coef_")
    run = wb.Run(np.arange(1, 9), seed=3)
    mixed = problem(method, 700, method.Steps(eta0=np.linspace(0.1, 0.2, 700)[:, None] // 0.01 / 100))
    whole, state = wb.simulate(mixed, run), np.random.get_state()[1].copy()  # noqa: NPY002
    for row in (0, 333, 699):
        alone = wb.simulate(cut_problem(mixed, slice(row, row + 1)), run)
        assert np.array_equal(alone.table("gap")[0], whole.table("gap")[row])
    assert np.array_equal(state, np.random.get_state()[1])  # noqa: NPY002


def test_a_regressor_that_diverges_ends_its_run_and_no_other() -> None:
    method = wb.method(SGDRegressor, learning_rate="constant", eta0=0.1)
    rates = np.array([[0.1], [1e60], [0.1], [0.2], [0.1]])
    mixed = simulated(method, steps=method.Steps(eta0=rates))
    assert mixed.status.tolist() == [0, 1, 0, 0, 0]
    same = simulated(method, steps=method.Steps(eta0=0.1))
    assert np.array_equal(mixed.table("gap")[0], same.table("gap")[0])


def test_what_a_regressor_cannot_do_here_is_refused() -> None:
    def refused(**settings: Any) -> str:
        return raises_value_error(lambda: wb.method(SGDRegressor, **settings))

    made = SGDRegressor(eta0=0.1, penalty=None)
    assert "give its class: wb.method(SGDRegressor, eta0=0.1, penalty=None)" in raises_value_error(
        lambda: wb.method(made)
    )
    assert "the problem has the loss; leave loss out" in refused(loss="huber")
    assert "leave early_stopping out" in refused(early_stopping=True)
    assert "a passive-aggressive step depends on the loss" in refused(learning_rate="pa1")
    assert "wanted 'coef_'" in refused(output="ax")
    assert "must be a float in the range (0.0, inf). Got -1.0" in refusal(wb.method(SGDRegressor, eta0=-1.0))
    assert "unexpected keyword argument 'rate'" in refusal(wb.method(SGDRegressor, rate=0.1))


@pytest.mark.parametrize("solver", [SGDClassifier, LogisticRegression()], ids=["class", "made"])
def test_another_estimator_is_refused_with_what_to_do_instead(solver: Any) -> None:
    said = raises_value_error(lambda: wb.method(solver))
    assert "fits rows of data in an order that it draws" in said
    assert "give the loss of another one after each pass to wb.judge" in said


@pytest.mark.parametrize(
    "solver",
    [
        scipy.optimize.minimize,
        partial(scipy.optimize.minimize, method="CG"),
        scipy.optimize.differential_evolution,
        scipy.optimize.BFGS(),
    ],
    ids=["minimize", "partial", "random", "update"],
)
def test_a_solver_of_scipy_is_refused_with_what_to_do_instead(solver: Any) -> None:
    said = raises_value_error(lambda: wb.method(solver, maxiter=3))
    assert "runs its own loop and asks for f where it wants to" in said
    assert "give f at the iterates that its callback sees to wb.judge" in said


def quasi_newton(x, gradient, state, rate=1.0):
    """A step with SciPy's update of the inverse Hessian, as docs/your-optimizer.md has it."""
    H = np.eye(len(x))
    if state is not None:
        update = scipy.optimize.BFGS(init_scale=state[0])
        update.initialize(len(x), "inv_hess")
        update.update(x - state[1], gradient - state[2])
        H = update.get_matrix()
    return x - rate * H @ gradient, (H, x, gradient)


@pytest.mark.filterwarnings(
    "ignore::workbench.engine.choice.Uncompiled"
)  # its cost is told where a call is slow
def test_an_update_of_scipy_is_a_method() -> None:
    """With the rate 1/2 the gap falls by 1/4 an iteration once the inverse Hessian is known."""
    still = wb.problems.DiagonalQuadratic(mu=0.2)
    gap = simulated(wb.method(quasi_newton, rate=0.5), T=30, instance=still).table("gap")
    np.testing.assert_allclose(gap[:, -1] / gap[:, -2], 0.25, rtol=1e-2)


# ------------------------------------------------------------------------------------------------- real libraries


@with_optax
def test_optax_gives_the_iterates_of_the_step_with_the_same_bits_alone() -> None:
    import jax
    import optax

    method = wb.method(optax.sgd(0.1, momentum=0.9))
    whole = simulated(method, rows=70)
    ours = simulated(Listing, rows=70, steps=Listing.Steps(0.1, 0.9))
    np.testing.assert_allclose(whole.table("gap"), ours.table("gap"), rtol=1e-11)
    many = wb.method(optax.adam, learning_rate=0.1)
    mixed = problem(many, 70, many.Steps(np.linspace(0.1, 0.2, 70)[:, None]))
    whole, run = wb.simulate(mixed, wb.Run(np.arange(1, 9))), wb.Run(np.arange(1, 9))
    for row in (0, 33, 69):
        alone = wb.simulate(cut_problem(mixed, slice(row, row + 1)), run)
        assert np.array_equal(alone.table("gap")[0], whole.table("gap")[row])
    assert jax.numpy.zeros(1).dtype == np.float32  # the user's own setting is left alone
    assert method.versions[-1].startswith("optax ")
    assert method.title == "optax: trace, scale"


@with_optax
def test_what_optax_cannot_do_here_is_refused() -> None:
    import jax
    import optax

    assert "draws random numbers of its own" in refusal(
        wb.method(optax.noisy_sgd(0.1, 0.1, 0, key=jax.random.key(1)))
    )
    assert "draws random numbers of its own" in refusal(wb.method(optax.noisy_sgd(0.1, 0.1, 0, key=3)))
    assert "needs more than a gradient" in refusal(wb.method(optax.polyak_sgd()))
    assert "fails on a vector" in refusal(wb.method(optax.lookahead(optax.sgd(0.1), 5, 0.5)))
    assert "write wb.method(optax.adam, name=number)" in refusal(wb.method(optax.adam))
    scheduled = wb.method(optax.sgd(optax.piecewise_constant_schedule(0.1, {2: 0.5})))
    gap = np.sqrt(simulated(scheduled, instance=wb.problems.Quadratic()).table("gap"))
    np.testing.assert_allclose(gap[:, 1:] / gap[:, :-1], [[0.9, 0.9, *[0.95] * 9]] * 5)
    assert key(scheduled) != key(wb.method(optax.sgd(optax.piecewise_constant_schedule(0.1, {3: 0.5}))))


@with_optax
def test_what_is_no_transformation_of_a_vector_is_refused() -> None:
    import jax
    import optax

    def of(update: Any) -> Any:
        first = optax.GradientTransformation(lambda x: (), update)
        return wb.method(optax.chain(first, optax.scale(1.0)))

    assert "gives a change of shape (2,); wanted (3,)" in refusal(of(lambda g, s, p: (g[:2], s)))
    assert "gives a change of shape NoneType" in refusal(of(lambda g, s, p: (None, s)))
    assert "ZeroDivisionError" in refusal(of(lambda g, s, p: 1 / 0))
    noisy = of(lambda g, s, p: (g * jax.numpy.asarray(np.random.normal()), s))  # noqa: NPY002
    assert "draws random numbers of its own" in refusal(noisy)
    lost = simulated(of(lambda g, s, p: (g * jax.numpy.nan, s)))
    assert (lost.status == 1).all()


@with_torch
def test_torch_gives_the_iterates_of_the_step_with_the_same_bits_alone() -> None:
    import torch

    run = wb.Run(np.arange(1, 9))
    ours = wb.simulate(problem(Listing, 70, Listing.Steps(0.1, 0.9)), run)
    for kind, settings in ((torch.optim.SGD, {"momentum": 0.9}), (torch.optim.Adafactor, {})):
        method = wb.method(kind, lr=0.1, **settings)
        whole = wb.simulate(problem(method, 70), run)
        if kind is torch.optim.SGD:
            np.testing.assert_allclose(whole.table("gap"), ours.table("gap"), rtol=1e-11)
        for row in (0, 33, 69):
            alone = wb.simulate(cut_problem(problem(method, 70), slice(row, row + 1)), run)
            assert np.array_equal(alone.table("gap")[0], whole.table("gap")[row])


@with_torch
def test_vectors_and_single_runs_of_torch_agree() -> None:
    import torch

    from workbench.claims.optimizers import torch_rule

    for name in torch_rule.ELEMENTWISE.split():
        kind = getattr(torch.optim, name)
        single = wb.method(type(name, (kind,), {"__module__": "elsewhere"}), lr=0.1)
        together = wb.method(kind, lr=0.1)
        assert type(single.rule).__name__ == "SingleRule"
        assert type(together.rule).__name__ == "VectorRule"
        np.testing.assert_allclose(
            simulated(together).table("gap"), simulated(single).table("gap"), rtol=1e-10, err_msg=name
        )


@with_torch
def test_what_torch_cannot_do_here_is_refused() -> None:
    import torch

    class Noisy(torch.optim.SGD):
        def step(self, closure=None):
            for p in self.param_groups[0]["params"]:
                p.grad.add_(torch.randn_like(p))
            super().step()

    class LateNoise(torch.optim.SGD):
        def step(self, closure=None):
            super().step()
            for p in self.param_groups[0]["params"]:
                seen = self.state[p].get("seen", 0)
                self.state[p]["seen"] = seen + 1
                if seen == 5:
                    p.data.add_(torch.randn_like(p))

    class Far(torch.optim.SGD):
        def step(self, closure=None):
            super().step()
            for p in self.param_groups[0]["params"]:
                self.state[p]["far"] = torch.zeros(3, device="meta")

    assert "draws random numbers of its own" in refusal(wb.method(Noisy, lr=0.1))
    assert "draws random numbers of its own" in refusal(wb.method(LateNoise, lr=0.1))
    assert "on the device meta" in refusal(wb.method(Far, lr=0.1))
    assert "needs a closure" in raises_value_error(lambda: wb.method(torch.optim.LBFGS, lr=0.1))
    graph = wb.method(lambda x, g, s: (torch.tensor(x, requires_grad=True) - torch.tensor(g), None))
    assert not simulated(graph).status.any()
    average = wb.method(torch.optim.ASGD, lr=0.1, t0=0, output="ax")
    assert simulated(average).table("gap").shape == (5, 12)
    assert "the output 'eta' is no vector" in refusal(wb.method(torch.optim.ASGD, lr=0.1, output="eta"))
