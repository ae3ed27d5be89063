"""Kinds of claims by the door: verdicts, negative twins, refuted statements, exact curves, sizes, pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import flint
import numpy as np
import pytest
from sympy import sqrt
from typer.testing import CliRunner

import workbench as wb
from workbench import evidence
from workbench.claims.exact_claims import as_text
from workbench.cli.app import app
from workbench.engine.marks import log_marks
from workbench.evidence.verdicts import decide

v = wb.vocabulary
PAGE = Path(__file__).parents[1] / "docs/reference.md"
RANDOM = """
import workbench as wb

State, Steps = wb.state("x"), wb.steps("eta")

def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.eta * oracle.grad(s.x, draw(0)))

STUDY = wb.Study(__name__, "SGD", metric="grad_sq_mean", view=wb.as_recorded)
SGD = STUDY.simulation(
    step, Steps(eta=0.2), problem=lambda g: wb.problems.Quadratic(wb.Sphere(g["sigma"])),
    start={"x": lambda g: g.random_start(0.2, 0.4)},
    grid={"sigma": [1, 2, 4, 8, 16]}, horizon=20_000, runs=512,
)
LAST = STUDY.reading("last", SGD, sigma=1.0)
CLAIMS = (
    LAST.bounded(),
    LAST.limit(to=1 / 9, within=0.01),
    LAST.misses(to=0.3),
    LAST.limit(to=0.3).caught(),
    LAST.diverges().caught(),
    LAST.limit(to=1.0, refutes="A. Author, Theorem 1"),
    STUDY.along("sigma", SGD, "noise", claimed=2).tight(),
)
"""
EXACT = """
import workbench as wb
from fractions import Fraction

def halves(T, q):
    x = Fraction(1)
    while True:
        yield x
        x *= q

STUDY = wb.Study(__name__, "Halving")
HALF = STUDY.exact_curve(halves, horizon=200, grid={"q": [Fraction(1, 2)]}, name="half")
LINE = STUDY.exact_curve(lambda n: Fraction(n, 1 + n), at=[2**k for k in range(12)], name="line", metric="share")
X = STUDY.reading("halves", HALF, q=0.5)
Y = STUDY.reading("line", LINE)
"""


def called(*words: str) -> Any:
    return CliRunner().invoke(app, [*words, "--profile", "quick", "--jobs", "1", "--store", "store"])


def verified(folder: Path, name: str, text: str) -> tuple[str, int, list[dict[str, Any]]]:
    """What is printed, the exit status and the claims of `workbench verify` on a file."""
    (folder / f"{name}.py").write_text(text)
    done = called("verify", f"./{name}.py", "--json", "out.json")
    claims = json.loads(Path("out.json").read_text())["claims"] if done.exit_code < 2 else []
    return done.output, done.exit_code, claims


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_kinds_on_runs(tmp_path: Path) -> None:
    printed, status, claims = verified(tmp_path, "noisy", RANDOM)
    assert (status, {(c["verdict"] == c["expected"]) for c in claims}) == (0, {True}), printed
    assert {c["evidence"] for c in claims} == {"bounded", "limit", "falsifier", "tight"}
    assert [c["refutes"] for c in claims if c["refutes"]] == ["A. Author, Theorem 1"]
    assert "refuted" in printed
    assert "Refuted: A. Author, Theorem 1" in printed
    done = called("figures", "./noisy.py", "--out", "out")
    assert done.exit_code == 0, done.output
    caption = " ".join(Path("out/noisy-fig-main.txt").read_text().split())
    assert "Measured: bounded at sigma = 1" in caption
    done = called("report", "./noisy.py", "--out", "pages")
    assert done.exit_code == 0, done.output
    assert any("refuted" in page.read_text() for page in Path("pages").glob("*.html"))


def test_an_exact_curve_has_verdicts_without_runs(tmp_path: Path) -> None:
    claims = """
CLAIMS = (
    X.geometric(factor=0.5), X.geometric(factor=0.49).caught(), X.limit(to=0, within=1e-6),
    X.equals(lambda T, q: Fraction(1, 2) ** (T - 1), "(1/2)^(T - 1)"),
    X.at_most(2 / wb.vocabulary.T),
    X.at_most(1 / wb.vocabulary.T**2, "T^-2", refutes="Nobody, Lemma 3"),
    Y.limit(to=1), Y.bounded(), Y.misses(to=0.9),
)
"""
    printed, status, records = verified(tmp_path, "precise", EXACT + claims)
    assert status == 0, printed
    assert {c["runs"] for c in records} == {0}
    assert "counter-example, in fractions: at t = 2 the value is 1/2, the formula 1/4" in " ".join(
        printed.split()
    )
    assert "runs" not in printed.split("claims:")[0]


WRONG: dict[str, tuple[str, str]] = {
    "a running mean is not geometric": (
        "STUDY.reading('x', HALF, q=0.5, metric='value_mean').geometric(0.5)",
        "does not fit a running mean or sum",
    ),
    "a factor above 1": ("X.geometric(factor=1.5)", "has a factor between 0 and 1, not 1.5"),
    "no factor that could be smaller": ("X.geometric(or_faster=True)", "has none that could be smaller"),
    "a limit without its number": ("X.limit()", "needs the number that is tended to: limit(to=0.5)"),
    "a limit of 0": ("X.limit(0)", "say how near counts as reached"),
    "no logarithm": ("X.logarithmic(0, 0)", "has a positive number of them, not 0"),
    "an exponent that nobody claims": ("X.rate()", "needs a case, a law or `claimed`"),
    "a bound with a root": ("X.at_most(wb.vocabulary.T ** 0.5)", "is not rational in T"),
    "one size": (
        "STUDY.exact_curve(lambda n: n, at=[5], name='one')",
        "two or more that increase from 1 on, not [5]",
    ),
    "neither horizon nor sizes": ("STUDY.exact_curve(halves, name='none')", "either a horizon, or the sizes"),
    "a function without the parameter": (
        "STUDY.exact_curve(lambda T: [0] * T, horizon=3, grid={'q': [1]}, name='p')",
        "values takes no 'q'",
    ),
    "few simulations": (
        "STUDY.along('d', {2: HALF}, 'd', q=0.5, claimed=1)",
        "an exponent in d needs 5 sizes, there is 1",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_one_sentence_where_it_is_written(name: str, tmp_path: Path) -> None:
    code, sentence = WRONG[name]
    printed, status, _ = verified(tmp_path, "mistaken", f"{EXACT}\nCLAIMS = ({code},)\n")
    assert status == 2, printed
    assert sentence in " ".join(printed.split())
    assert "Traceback" not in printed


LATER: dict[str, tuple[str, str]] = {
    "an irrational step": (
        "STUDY.reading('r', STUDY.exact_curve(lambda T: [2.0**0.5] * T, horizon=9, name='r')).at_most(wb.vocabulary.T)",
        "a root, a decimal or a float in the step is not rational",
    ),
    "too few numbers": (
        "STUDY.reading('r', STUDY.exact_curve(lambda T: [1] * (T - 1), horizon=9, name='r')).bounded()",
        "gives 8 numbers; wanted one for each t = 1, ..., 9",
    ),
    "no number": (
        "STUDY.reading('r', STUDY.exact_curve(lambda T: ['x'] * T, horizon=9, name='r')).bounded()",
        "the value at 1 is a str; wanted a number",
    ),
    "a grid with one size": (
        "STUDY.along('q', HALF, 'r', claimed=1).tight()",
        "an exponent in q needs 5 sizes, there is 1",
    ),
}


@pytest.mark.parametrize("name", LATER)
def test_a_mistake_that_only_the_numbers_show_is_one_sentence(name: str, tmp_path: Path) -> None:
    code, sentence = LATER[name]
    printed, status, _ = verified(tmp_path, "late", f"{EXACT}\nCLAIMS = ({code},)\n")
    assert status == 2, printed
    assert sentence in " ".join(printed.split())
    assert "Traceback" not in printed


def test_fractions_of_flint_are_rational() -> None:
    study = wb.Study("flinty", "Flint")
    curve = study.exact_curve(lambda T: [flint.fmpq(1, t) for t in range(1, T + 1)], horizon=20)
    results: Any = {curve.key: SimpleNamespace(horizon=20)}
    reading = study.reading("x", curve)
    assert reading.equals(1 / v.T).finding(results).p_if_wrong == 0.0
    wrong = reading.at_most((1 - 1 / v.T**3) / v.T).finding(results)
    assert (wrong.p_if_right, wrong.exact) == (0.0, True)
    assert "at t = 1 the value is 1, the formula 0; and at every later one" in wrong.note
    with pytest.raises(ValueError, match="not rational in T"):
        reading.at_most(sqrt(v.T))


def test_claims_of_the_reference_page_come_out_as_it_says() -> None:
    """The examples of the page are run by its own tests; here are their verdicts."""
    page = PAGE.read_text()
    (part,) = re.findall(r"## Exact curves\n(.*?)\n## ", page, re.DOTALL)
    (code,) = re.findall(r"```python\n(.*?)```", part, re.DOTALL)
    space: dict[str, Any] = {"wb": wb, "v": v, "np": np, "SimpleNamespace": SimpleNamespace}
    space["DESCENT"] = wb.Study("kinds", "Kinds of claims", metric="gap", view=wb.as_recorded)
    exec(code, space)
    results: Callable[[Any], Any] = lambda claim: {claim.needs[0]: result_of(claim)}  # noqa: E731
    verdicts = [claim.finding(results(claim)) for claim in space["EXACTLY"]]
    assert [(f.p_if_wrong, f.p_if_right) for f in verdicts] == [(0, 1), (1, 0), (0, 1), (0, 1), (0, 1)]


def result_of(claim: Any) -> Any:
    """What the engine makes of the exact curve that a claim reads."""
    inner = getattr(claim, "claim", claim)
    sim = inner.reading.sim
    horizon = sim.horizon["quick"]
    batch = sim.make(horizon, 1)
    problem = wb.Problem(
        SimpleNamespace(init=None, step=None), batch.instance, batch.steps, batch.start, batch.grid
    )
    return batch.instance.result(problem, sim.marks_up_to(horizon))


def test_a_second_call_reads_the_store(tmp_path: Path) -> None:
    text = EXACT + "\nCLAIMS = (X.geometric(factor=0.5), Y.limit(to=1))\n"
    first, again = (verified(tmp_path, "twice", text)[2] for _ in range(2))
    for a, b in zip(first, again, strict=True):
        assert {**a, "seconds": 0} == {**b, "seconds": 0}
    assert float(Fraction(1, 2) ** 39) > 0


FAMILY = """
import workbench as wb

State, Steps = wb.state("x"), wb.steps("eta")

def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.eta * oracle.grad(s.x, draw(0)))

STUDY = wb.Study(__name__, "SGD", metric="grad_sq_mean", view=wb.as_recorded)
SGD = STUDY.simulation(
    step, Steps(eta=0.2), problem=lambda g: wb.problems.Quadratic(wb.Sphere(g["sigma"])),
    start={"x": lambda g: g.random_start(0.2, 0.4)}, grid={"sigma": [1, 2, 4]}, horizon=2_000, runs=1024,
)
ROOT = STUDY.exact_curve(lambda T: [t**-0.5 for t in range(1, T + 1)], horizon=40_000, name="root")
WORST = STUDY.supremum("sigma", SGD, "noise", claimed=0)
NEVER = STUDY.first_passage([0.9**k for k in range(40, 46)], SGD, "never", sigma=4.0, claimed=0)
TIMES = STUDY.first_passage([2.0**-k for k in range(2, 8)], ROOT, "time", claimed=2)
NOISY = STUDY.first_passage([2.0**-k for k in range(1, 7)], SGD, "noisy", sigma=1.0, metric="gap", claimed=0)
CLAIMS = (
    WORST.rate(tol=0.1),
    WORST.level(lambda T, **_: 16 / 9, "that of sigma = 4", rtol=0.1),
    WORST.caught(claimed=-0.5),
    TIMES.tight(),
    TIMES.level(lambda T, **_: T**2, "1/level^2"),
    TIMES.caught(claimed=1.8),
    NEVER.rate(expected="inconclusive"),
    NOISY.rate(expected="inconclusive"),
)
"""


def test_the_worst_of_a_family_and_times_of_first_passage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("family.py").write_text(FAMILY)
    done = called("verify", "family.py", "--notes")
    assert done.exit_code == 0, done.output
    words = " ".join(done.output.split())
    assert "1024 of 1024 runs have not fallen to" in words
    # The gap goes up and down: the first of its marks below a level is late by far more than one mark.
    assert re.search(r"in \d+ of 1024 runs the metric rises from one mark to the next before", words)
    again = called("verify", "family.py", "--notes", "--json", "out.json")
    assert "set aside" not in again.output
    assert "renamed" not in again.output  # the result of an exact curve is taken as it lies
    claims = json.loads(Path("out.json").read_text())["claims"]
    assert {c["runs"] for c in claims if "sup-sigma" in c["id"]} == {768}  # a quarter chose the worst member
    assert {c["runs"] for c in claims if "root" in c["id"]} == {0}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda study, sim: study.first_passage([0.1, 0.2], sim, "time"), "needs 5 levels, there are 2"),
        (
            lambda study, sim: study.first_passage([-1, 1, 2, 3, 4], sim, "time"),
            "levels are positive numbers",
        ),
    ],
)
def test_levels_that_are_none_are_refused(make: Callable[..., Any], words: str) -> None:
    study = wb.Study("levels", "Levels")
    with pytest.raises(ValueError, match=words):
        make(study, study.exact_curve(lambda T: [1] * T, horizon=10))


@pytest.mark.parametrize("power", [0.25, 0.5, 1.0])
@pytest.mark.parametrize("share", [0.05, 0.2, 0.5, 0.8])
@pytest.mark.parametrize("horizon", [2_000, 1_000_000])
def test_what_a_dying_term_hides_is_not_taken_for_nothing(power: float, share: float, horizon: int) -> None:
    """log T under a term T^-p that makes the curve fall: nothing is said of it that is wrong."""
    t = log_marks(horizon).astype(float)
    logs = 1 + np.log(t)
    for mean, bounded, exactly, less in (
        (logs, "violated", "holds", "holds"),
        (logs**2, "violated", "violated", "violated"),
        (1 + 0 * t, "holds", "violated", "holds"),
    ):
        dying = t**-power * share / (1 - share) * mean[-1] * horizon**power
        values = np.tile(mean + dying, (32, 1))
        for right, finding in (
            (bounded, evidence.bounded(values, t)),
            (exactly, evidence.logarithmic(values, t, 0.0, 1.0)),
            (less, evidence.logarithmic(values, t, 0.0, 1.0, or_less=True)),
        ):
            assert str(decide([finding])[0].verdict) in {right, "inconclusive"}


def test_a_curve_that_falls_is_bounded() -> None:
    t = log_marks(100_000).astype(float)
    for mean in (t**-0.5, 1 / t, 3 + t**-1.0):
        assert decide([evidence.bounded(np.tile(mean, (32, 1)), t)])[0].verdict == "holds"


def test_a_claims_name_with_a_slash_is_one_sentence(tmp_path: Path) -> None:
    """The name would begin with the key of another paper."""
    printed, status, _ = verified(
        tmp_path, "slash", EXACT.replace('"halves", HALF', '"halves 1/2", HALF') + "CLAIMS = (X.geometric(),)"
    )
    assert status == 2
    wanted = "the key 'halves 1/2' must begin with slash/; the name of a claim has no '/', as in 'halves 1-2'"
    assert re.sub(r"\s+", " ", printed).count(wanted) == 1


NEWTON = """
from fractions import Fraction

import workbench as wb


def error(T):
    x = Fraction(3, 2)
    while True:
        yield x * x - 2
        x = (x + 2 / x) / 2


STUDY = wb.Study(__name__, "Newton")
CURVE = STUDY.reading("digits", STUDY.exact_curve(error, horizon=10))
CLAIMS = (
    CURVE.at_most(lambda T: Fraction(1, 2 ** (3**T)), "2^-3^k", refutes="of third order"),
    CURVE.geometric(factor=0.5),
)
"""


def test_digits_that_double(tmp_path: Path) -> None:
    """Fractions beyond the floats are compared, a power of a power is drawn, and four marks are said to be too few."""
    printed, _, claims = verified(tmp_path, "newton", NEWTON)
    bound, factor = claims
    assert (bound["verdict"], factor["verdict"]) == ("violated", "inconclusive"), printed
    assert "at t = 1 the value is 1/4, the formula 1/8" in bound["note"]
    assert "after 4 iterations the mean is rounding" in factor["note"]
    assert "`at_most` on an exact curve" in " ".join(printed.split())
    assert called("figures", "./newton.py", "--out", "out").exit_code == 0


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(1, 3), "1/3"),
        (Fraction(10**40 + 1, 10**40), "1..."),
        (Fraction(1, 3**800), "about 10^-382"),
        (Fraction(-(7**900), 3), "about -10^760"),
    ],
)
def test_fractions_as_text(number: Fraction, text: str) -> None:
    assert as_text(number) == text
