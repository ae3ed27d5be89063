"""Verdicts on tables from anywhere: what is read, how claims are written, which verdicts come out, and mistakes."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import workbench as wb
from workbench.cli.app import app
from workbench.report.judging import judgement, table
from workbench.report.judging.claim_text import ClaimError, read_claim

MARKS = np.unique(np.round(np.geomspace(1, 1e5, 60)))


def curves(power: float, runs: int = 200, seed: int = 0, marks: np.ndarray = MARKS) -> np.ndarray:
    """(runs, M): T^power with lognormal noise, half of it common to all checkpoints of a run."""
    rng = np.random.default_rng(seed)
    noise = 0.2 * rng.normal(size=(runs, 1)) + 0.2 * rng.normal(size=(runs, marks.size))
    return marks**power * np.exp(noise)


# ------------------------------------------------------------------------------------------------ claims


@pytest.mark.parametrize(
    ("text", "relation", "power", "logs", "constant"),
    [
        ("-1/4", "exactly", "-1/4", 0, 1),
        ("-.25", "exactly", "-1/4", 0, 1),
        ("T^-1/4", "exactly", "-1/4", 0, 1),
        ("T ** ( - 1/4)", "exactly", "-1/4", 0, 1),
        ("T^-1/2 log T", "exactly", "-1/2", 1, 1),
        ("log(T)^2/T", "exactly", "-1", 2, 1),
        ("1/sqrt(T)", "exactly", "-1/2", 0, 1),
        ("sqrt T", "exactly", "1/2", 0, 1),
        ("T^-2/3 or faster", "or faster", "-2/3", 0, 1),
        ("O(log T / T)", "or faster", "-1", 1, 1),
        ("<= 2*sqrt(T)", "bound", "1/2", 0, 2),
        ("level 0.834 T^-1/4", "level", "-1/4", 0, 0.834),
        ("level 3 (4 T)^(1/2)", "level", "1/2", 0, 6),
    ],
)
def test_claims_are_read_as_they_are_printed(
    text: str, relation: str, power: str, logs: int, constant: float
) -> None:
    claim = read_claim(text)
    assert (claim.relation, claim.formula.power, claim.formula.log_power) == (relation, Fraction(power), logs)
    assert claim.formula.coefficient == pytest.approx(constant)
    at = np.array([7.0, 1e4])
    law = constant * at ** float(Fraction(power)) * np.log(at) ** logs
    np.testing.assert_allclose(claim.formula.values(at), law)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2/T", "a rate has no constant"),
        ("1/T + T^-1/2", "is no power of T"),
        ("1/n", r"'n' is unknown; the variable is T \(character 3"),
        ("T^", "an exponent is a number"),
        ("T^-1/0", "an exponent divides by zero"),
        ("(T", "a closing bracket is missing"),
        ("T)", r"'\)' is not expected here"),
        ("T $", r"'\$' has no meaning here \(character 3"),
        ("", "is missing"),
        ("linear or faster", "names no factor"),
        ("1.5^T", "lies between 0 and 1, not at 1.5"),
        ("(" * 5000, "at most 200 signs"),
        ("T^1/2 or slower", "an upper bound with 'or faster'"),
    ],
)
def test_a_claim_that_cannot_be_read_names_the_place(text: str, message: str) -> None:
    with pytest.raises(ClaimError, match=message):
        read_claim(text)


@pytest.mark.parametrize(
    ("text", "relation", "factor"),
    [
        ("linear", "linear", None),
        ("geometric .9", "linear", 0.9),
        ("0.9 ^ T or faster", "linear or faster", 0.9),
    ],
)
def test_linear_claims(text: str, relation: str, factor: float | None) -> None:
    claim = read_claim(text)
    assert (claim.relation, claim.factor) == (relation, factor)


@given(st.text(max_size=40))
def test_any_text_is_a_claim_or_a_sentence(text: str) -> None:
    with contextlib.suppress(ClaimError):
        read_claim(text)


# ------------------------------------------------------------------------------------------------ verdicts


@pytest.mark.parametrize(
    ("claimed", "verdict"),
    [
        ("-1/4", "holds"),
        ("T^-1/4 or faster", "holds"),
        ("T^-1/8 or faster", "holds"),
        ("-1/2", "violated"),
        ("T^-1/3 or faster", "violated"),
        ("<= 2 T^-1/4", "holds"),
        ("<= 0.9 T^-1/4", "violated"),
        ("level 1.0408 T^-1/4", "holds"),
        ("level 1.3 T^-1/4", "violated"),
    ],
)
def test_verdicts_on_a_power_law(claimed: str, verdict: str) -> None:
    found = wb.judge(curves(-0.25, 2000), MARKS, claimed)
    assert found.verdict == verdict, str(found)
    assert (found.needs == "") == (verdict != "not decided")


def test_too_few_runs_decide_nothing_and_say_what_would() -> None:
    found = wb.judge(curves(-0.25, 8), MARKS, "-1/4")
    assert found.verdict == "not decided"
    assert "runs" in found.needs
    assert ("open", "fewer than 24 runs decide nothing, whatever they show") in found.lines()


def test_an_exponent_that_is_as_claimed_and_not_decided_says_what_is_open() -> None:
    noise = np.random.default_rng(3).normal(size=(40, MARKS.size))  # which hides the terms that fall slower
    found = wb.judge(MARKS**-0.25 * np.exp(0.2 * noise), MARKS, "-1/4")
    low, high = found.interval
    assert found.verdict == "not decided"
    assert -0.28 < low < high < -0.22
    assert "that it stays there is not shown" in str(found)
    assert "stays there" not in str(wb.judge(curves(-0.25, 200), MARKS, "-1/4"))


def test_an_order_along_a_step_size() -> None:
    h = np.array([0.1, 0.05, 0.025, 0.0125, 0.00625])
    values = curves(1.0, 1000, marks=np.sort(h))[:, ::-1]
    assert wb.judge(values, h, "h", along="h", tol=0.1).verdict == "holds"
    assert wb.judge(values, h, "h^1/2", along="h", tol=0.1).verdict == "violated"
    with pytest.raises(ValueError, match="along h a claim is an exponent or an upper bound"):
        wb.judge(values, h, "h or faster", along="h")


def test_one_run_decides_only_where_its_numbers_have_no_noise() -> None:
    h = np.array([0.1, 0.05, 0.025, 0.0125])
    errors = (h**2 * (1 + h))[None]
    assert "--exact" in wb.judge(errors, h, "2", along="h").needs
    verdicts = {
        claimed: wb.judge(errors, h, claimed, along="h", exact=True).verdict for claimed in ("1", "2", "3")
    }
    assert verdicts == {"1": "violated", "2": "holds", "3": "violated"}
    with pytest.raises(ValueError, match="numbers without noise are one run"):
        wb.judge(np.vstack([errors, errors]), h, "2", along="h", exact=True)


def test_strong_orders_of_an_sde_solver() -> None:
    """Euler-Maruyama on geometric Brownian motion has the strong order 1/2: no other is found to hold."""
    steps = 2.0 ** -np.arange(4, 10)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        noise = rng.normal(size=(300, 2048)) / np.sqrt(2048)
        exact = np.exp(0.375 + 0.5 * noise.sum(1))
        errors = np.empty((300, steps.size))
        for n, h in enumerate(steps):
            x = np.ones(300)
            for w in noise.reshape(300, round(1 / h), -1).sum(2).T:
                x = x + 0.5 * x * h + 0.5 * x * w
            errors[:, n] = np.abs(x - exact)
        assert wb.judge(errors, steps, "h", along="h").verdict == "violated"
        assert wb.judge(errors, steps, "h^1/2", along="h").verdict in ("holds", "not decided")


def test_a_running_mean_is_noticed_and_read() -> None:
    steps = np.arange(1, 20_001)
    rng = np.random.default_rng(3)
    each = steps**-0.5 * rng.exponential(size=(200, steps.size))
    marks = np.unique(np.round(np.geomspace(10, 20_000, 60))).astype(int)
    mean = (np.cumsum(each, axis=1) / steps)[:, marks - 1]
    assert any("--running-mean" in note for note in wb.judge(mean, marks, "-1/2").notes)
    assert not wb.judge(each[:, marks - 1], marks, "-1/2").notes
    found = wb.judge(mean, marks, "-1/2", running_mean=True)
    assert found.verdict == "holds"
    assert not found.notes


SCALES = np.random.default_rng(0).uniform(0.5, 1.5, (50, 1))


@pytest.mark.parametrize(
    ("values", "part"),
    [
        (np.where(MARKS < 1e3, MARKS**-6.0, 1e-18) * SCALES, "rounding"),
        (np.floor(np.log2(MARKS) / 2 + 1) ** -1.0 * SCALES, "equal values"),
        (MARKS**-0.5 * SCALES, "multiples of one curve"),
        (np.concatenate([curves(-0.5, 40), 1e3 * curves(-0.5, 1)]), "of the last mean"),
    ],
)  # fmt: skip
def test_what_a_table_looks_like_is_said(values: np.ndarray, part: str) -> None:
    assert any(part in note for note in wb.judge(values, MARKS, "-1/2").notes)


STEPS = np.unique(np.round(np.geomspace(1, 1000, 100)))
GEOMETRIC = 0.9**STEPS * SCALES  # down to 1e-46: the end is rounding
POWER = STEPS**-1.0 * SCALES


@pytest.mark.parametrize(
    ("values", "claimed", "verdict"),
    [
        (GEOMETRIC, "linear", "holds"),
        (GEOMETRIC, "0.9^T", "holds"),
        (GEOMETRIC, "0.9^T or faster", "holds"),
        (GEOMETRIC, "0.93^T or faster", "holds"),
        (GEOMETRIC, "0.88^T or faster", "violated"),
        (GEOMETRIC, "0.88^T", "violated"),
        (GEOMETRIC, "0.93^T", "not decided"),  # slower terms may come
        (0.5**STEPS * SCALES + 1e-3 * 0.99**STEPS, "0.99^T", "holds"),
        (0.99 ** np.maximum(STEPS - 50, 0) * SCALES, "0.99^T", "holds"),
        (0.99**STEPS * SCALES + 1e-3, "0.99^T", "violated"),
        (POWER, "linear", "violated"),
        (POWER, "0.99^T", "violated"),
        (np.exp(-np.sqrt(STEPS)) * SCALES, "linear", "not decided"),
    ],
)
def test_linear_rates(values: np.ndarray, claimed: str, verdict: str) -> None:
    found = wb.judge(values, STEPS, claimed)
    assert found.verdict == verdict, str(found)


def test_a_linear_rate_needs_checkpoints_and_a_factor_below_one() -> None:
    assert "record more" in str(wb.judge(GEOMETRIC[:, ::30], STEPS[::30], "linear"))
    with pytest.raises(ValueError, match=r"between 0 and 1, not 1\.5"):
        wb.evidence.geometric(GEOMETRIC, STEPS, 1.5)


# ------------------------------------------------------------------------------------------------ assertions


def test_an_assertion_passes_fails_and_is_undecided() -> None:
    assert wb.assert_rate(curves(-0.25), MARKS, "-1/4").verdict == "holds"
    with pytest.raises(judgement.Violated, match="VIOLATED") as failure:
        wb.assert_rate(curves(-0.25), MARKS, "-1/2")
    assert not isinstance(failure.value, judgement.Undecided)
    with pytest.raises(judgement.Undecided, match="needs"):
        wb.assert_rate(curves(-0.25, 6), MARKS, "-1/4")


def test_a_loop_draws_runs_until_it_is_decided() -> None:
    rng, drawn = np.random.default_rng(1), list[int]()

    def draw(runs: int) -> np.ndarray:
        drawn.append(runs)
        return MARKS**-0.25 * np.exp(1.2 * rng.normal(size=(runs, MARKS.size)))

    assert wb.assert_rate(draw, MARKS, "-1/4").verdict == "holds"
    assert drawn[0] == judgement.FIRST_LOOK
    assert len(drawn) > 1
    with pytest.raises(judgement.Undecided):
        wb.assert_rate(draw, MARKS, "-1/4", most=judgement.FIRST_LOOK)


@pytest.mark.long
@pytest.mark.parametrize("runs", [24, 128, 1000])
def test_false_alarms_of_an_assertion(runs: int) -> None:
    """Asked 1e-2: of 400 true claims at most 11 are violated (a chance of 1e-3 at the promise)."""
    alarms = sum(
        wb.judge(curves(-0.25, runs, seed), MARKS, "-1/4").verdict == "violated" for seed in range(400)
    )
    assert alarms <= 11


# ------------------------------------------------------------------------------------------------ tables

VALUES = curves(-0.25, 3, marks=MARKS[-20:])


def long_text(values: np.ndarray, names: tuple[str, ...] = ("seed", "step", "loss"), sep: str = ",") -> str:
    rows = [
        sep.join([str(i), f"{t:g}", repr(float(v))])
        for i, row in enumerate(values)
        for t, v in zip(MARKS[-20:], row, strict=True)
    ]
    return "\n".join([sep.join(names), *rows])


def forms() -> dict[str, bytes]:
    marks = MARKS[-20:]
    runs = ",".join(f"run{i}" for i in range(3))
    columns = np.column_stack([marks, VALUES.T])

    def saved(array: np.ndarray, **how: str) -> bytes:
        buffer = io.BytesIO()
        np.savetxt(buffer, array, delimiter=",", fmt="%.17g", comments="", **how)
        return buffer.getvalue()

    archive = io.BytesIO()
    np.savez(archive, values=VALUES.T, marks=marks)
    records = [
        json.dumps({"run": i, "_step": float(t), "loss": float(v)})
        for i, row in enumerate(VALUES)
        for t, v in zip(marks, row, strict=True)
    ]
    return {
        "long": long_text(VALUES).encode(),
        "tabs": long_text(VALUES, ("run_id", "train/global_step", "eval/loss"), "\t").encode(),
        "a column a run": saved(columns, header=f"T,{runs}"),
        "a column a run, no heading": saved(columns),
        "a row a run": saved(VALUES, header=",".join(f"{t:g}" for t in marks)),
        "a row a run, no heading": saved(np.vstack([marks, VALUES])),
        "arrays": archive.getvalue(),
        "semicolons and decimal commas": long_text(VALUES, sep=";").replace(".", ",").encode(),
        "gzip": gzip.compress(long_text(VALUES).encode()),
        "a tracker's clock": long_text(VALUES, ("Seed", "Step", "Value"))
        .replace("\n", ",0.5\n")
        .replace("Value,0.5", "Value,Wall time")
        .__add__(",0.5")
        .encode(),
        "JSON lines": "\n".join(records).encode(),
        "JSON": f"[{','.join(records)}]".encode(),
    }


@pytest.mark.parametrize("form", forms())
def test_every_form_holds_the_same_curves(form: str) -> None:
    (group,) = table.read(forms()[form]).groups
    np.testing.assert_array_equal(group.values, VALUES)
    np.testing.assert_array_equal(group.marks, MARKS[-20:])


def test_netcdf_of_both_versions(tmp_path: Path) -> None:
    import h5py
    from scipy.io import netcdf_file

    with h5py.File(tmp_path / "four.nc", "w") as file:
        file["error"], file["step"] = VALUES, MARKS[-20:]
    with netcdf_file(tmp_path / "three.nc", "w") as file:
        file.createDimension("run", 3)
        file.createDimension("step", 20)
        file.createVariable("error", "d", ("run", "step"))[:] = VALUES
        file.createVariable("step", "d", ("step",))[:] = MARKS[-20:]
    for name in ("three.nc", "four.nc"):
        (group,) = table.read(tmp_path / name).groups
        np.testing.assert_array_equal(group.values, VALUES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("step,loss\n", "no row below it"),
        ("step,loss\n1,2\n2\n", "row 3 has 1 cells, and the first row has 2"),
        ("step,loss,loss\n1,2,3\n", "two columns are called 'loss'"),
        ("step,run1,run2\n1,2,x\n2,3,4\n", "row 1, column 'run2': 'x' is no number"),
        ("step,sgd,adam\n1,2,3\n2,3,4\n", "the columns 'sgd', 'adam' may be runs or methods"),
        (
            "seed,step,loss\n0,1,2\n0,1,3\n",
            "two rows hold seed 0 at step 1; name the column that separates them",
        ),
        (
            "seed,step,loss\n0,1,2\n0,2,3\n1,1,2\n",
            "seed 1 has no value at step 2, and other runs have; with --common",
        ),
        ("seed,step,a,b\n0,1,2,3\n1,1,2,3\n", r"which column is judged\? Name one of 'a', 'b' with --value"),
        ("seed,when,loss\n0,2,1\n1,2,1\n0,1,1\n", "no column has a usual name of checkpoints"),
        ("path,h,error\n0,2,1\n1,2,1\n0,1,1\n", "with --along if it is a parameter, such as a step size h"),
        ("3,1,2\n2,1,5\n", "the table has no headings"),
        ('{"run": 1', "it begins like JSON and is none"),
        ("[1, 2]", "JSON is read as records"),
        ("<!DOCTYPE html><html>", "it is a page of the web, no table"),
        ("version https://git-lfs.github.com/spec/v1\noid x\n", "it is a pointer of Git LFS"),
        ("seed,step,acc\n0,1,50%\n0,2,60%\n", "row 1, column 'acc': '50%' is no number"),
    ],
)
def test_a_table_that_cannot_be_told_is_a_sentence(text: str, message: str) -> None:
    with pytest.raises(table.TableError, match=message):
        table.read(text.encode())


@given(st.binary(max_size=60) | st.text('0123,;\n\t.einfa -{}[]":', max_size=60).map(str.encode))
def test_any_bytes_are_a_table_or_a_sentence(data: bytes) -> None:
    with contextlib.suppress(table.TableError):
        table.read(data)


def test_standard_errors_are_not_what_is_judged() -> None:
    for name in ("stderr", "se", "error_std", "Std Err"):
        text = f"seed,step,gap,{name}\n0,1,2,3\n1,1,2,3\n"
        assert table.read(text.encode()).value == "gap"


@pytest.mark.parametrize("names", [("7", "3", "5"), ("b", "a", "c"), ("0.5", "2", "0.25")])
def test_runs_stand_in_the_order_in_which_they_come(names: tuple[str, ...]) -> None:
    rows = [f"{n},{t},{m},{k + t}" for m in ("sgd", "adam") for t in (2, 1) for k, n in enumerate(names)]
    plain = "\n".join(["seed,step,method,loss", *rows])
    numbers = "\n".join(["seed,step,loss", *(r.replace(",sgd", "") for r in rows if "sgd" in r)])
    for group in (*table.read(plain.encode()).groups, *table.read(numbers.encode()).groups):
        assert [run.removesuffix(".0") for run in group.runs] == list(names)
        np.testing.assert_array_equal(group.values, [[k + 1, k + 2] for k in range(3)])


def test_common_checkpoints_are_judged_and_counted() -> None:
    content = table.read(b"seed,step,loss\n0,1,2\n0,2,3\n1,1,2\n1,2,3\n1,3,3\n", common=True)
    np.testing.assert_array_equal(content.groups[0].marks, [1, 2])
    assert content.notes == ("1 of 3 checkpoints are left out: not every run has them",)


# ------------------------------------------------------------------------------------------------ the command


def run(folder: Path, *args: str, stdin: bytes | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["judge", *args], input=stdin)
    return result.exit_code, " ".join(result.output.split())


def test_the_command_from_file_to_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    two = curves(-0.25, 1500)
    np.savez("curves.npz", values=two, marks=MARKS)
    for claimed, status, word in (("-1/4", 0, "HOLDS"), ("-1/2", 1, "VIOLATED")):
        found, output = run(tmp_path, "curves.npz", "--claimed", claimed, "--json", "out.json")
        assert (found, word in output) == (status, True), output
        assert Path("curves-judged.png").read_bytes().startswith(b"\x89PNG")
        (record,) = json.loads(Path("out.json").read_text())["judgements"]
        assert record["verdict"] == word.lower()
    np.savez("few.npz", values=two[:5], marks=MARKS)
    assert run(tmp_path, "few.npz", "--claimed", "-1/4", "--picture", "few.svg")[0] == 4
    assert "<svg" in Path("few.svg").read_text()


def test_groups_share_the_error_and_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = {"sgd": curves(-0.25, 1500, 1), "adam": 0.5 * curves(-0.25, 1500, 2)}
    rows = [
        f"{i},{t:g},{name},{v!r}"
        for name, values in names.items()
        for i, row in enumerate(values)
        for t, v in zip(MARKS, row.tolist(), strict=True)
    ]
    text = "\n".join(["seed,step,method,loss", *rows]).encode()
    args = ("-", "--claimed", "-1/4", "--compare", "sgd", "adam", "--picture", "none")
    status, output = run(tmp_path, *args, stdin=text)
    assert status == 0, output
    assert output.count("HOLDS") == 2
    assert "adam is ahead at 1e+05" in output
    alone = wb.judge(names["sgd"], MARKS, "-1/4")
    both = judgement.judge_all(table.read(text).groups, read_claim("-1/4"), judgement.Reading())[0]
    assert both.interval[0] < alone.interval[0] < alone.interval[1] < both.interval[1]


def test_pairs_are_sharper_where_runs_share_their_noise() -> None:
    common = np.random.default_rng(0).normal(size=(60, 1))
    labels = tuple(map(str, range(60)))
    a = table.Curves(np.exp(common) * 1.02, np.array([10.0]), labels, "a")
    b = table.Curves(np.exp(common[::-1]), np.array([10.0]), labels[::-1], "b")
    assert "b is ahead" in str(judgement.compare(a, b, in_pairs=True))
    assert "not decided" in str(judgement.compare(a, b))


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("none.csv", "--claimed", "-1/4"), "cannot read none.csv: No such file"),
        ((".", "--claimed", "-1/4"), "t.csv is no result of benchopt; name the file itself"),
        (("t.csv", "--claimed", "1/x"), "the claim cannot be read: 'x' is unknown"),
        (
            ("t.csv", "--claimed", "-1/4", "--value", "gap"),
            "t.csv: there is no column 'gap'; there are 'T', 'run1'",
        ),
        (("t.csv", "--claimed", "-1/4", "--level", "2"), "lies between 1e-09 and 1/2, not at 2"),
        (("t.csv", "--claimed", "-1/4", "--tol", "-1"), "tol must be a positive finite number, got -1"),
        (("t.csv", "--claimed", "-1/4", "--compare", "a", "b"), "there is no group 'a'"),
        (("t.csv", "--claimed", "-1/4", "--picture", "x.gif"), "PNG, PDF or SVG, not as 'x.gif'"),
        (("t.csv", "--claimed", "-1/4", "--json", "no/x.json"), "cannot write x.json"),
        (("t.csv",), "missing option '--claimed'"),
    ],
)
def test_mistakes_of_the_command_are_one_sentence(
    args: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = np.column_stack([MARKS, curves(-0.25, 2).T])
    np.savetxt("t.csv", text, delimiter=",", header="T,run1,run2", comments="")
    status, output = run(tmp_path, *args)
    assert (status, message in output) == (2, True), output


def tables(runs: int, seed: int, power: float = 0.0) -> np.ndarray:
    """Means T^power, lognormal over runs and marks."""
    rng = np.random.default_rng(seed)
    noise = 0.3 * (rng.normal(size=(runs, 1)) + rng.normal(size=(runs, MARKS.size)))
    return MARKS**power * np.exp(noise - 0.09)


@pytest.mark.parametrize(("runs", "copies"), [(1, 100), (8, 32), (32, 8)])
@pytest.mark.parametrize("claimed", ["level 1", "<= 1", "tends to 1", "bounded"])
def test_copies_of_runs_count_once(claimed: str, runs: int, copies: int) -> None:
    """All are true; counted 256 times, 8 runs violated the bound in 29 of 30 tables."""
    for seed in range(8):
        found = wb.judge(np.repeat(tables(runs, seed), copies, axis=0), MARKS, claimed)
        assert found.verdict != "violated"
        assert any("equal another one" in note for note in found.notes)
    if runs == 1:
        assert "--exact" in found.needs


def test_nobody_is_ahead_by_copies_of_runs() -> None:
    runs = tuple(map(str, range(256)))
    for seed in range(12):
        a, b = (np.repeat(tables(8, 100 * seed + n), 32, axis=0) for n in range(2))
        for in_pairs in (False, True):
            found = judgement.compare(
                table.Curves(a, MARKS, runs, "a"), table.Curves(b, MARKS, runs, "b"), in_pairs
            )
            assert "not decided" in str(found)


def test_equal_runs_of_a_metric_with_few_values_decide_what_both_counts_decide() -> None:
    counts = np.random.default_rng(0).poisson(0.5, size=(3000, 3)).astype(float)
    assert wb.judge(counts, [1, 10, 100], "<= 0.1").verdict == "violated"
    assert (
        wb.judge(counts, [1, 10, 100], "<= 0.6").verdict == "not decided"
    )  # different runs have a larger mean


def test_a_tail_without_variance_is_said() -> None:
    def said(draw: Callable[[np.random.Generator, tuple[int, int]], np.ndarray]) -> int:
        rng = np.random.default_rng(7)
        return sum(
            any("thin out" in note or "one run holds" in note for note in wb.judge(v, MARKS, "level 1").notes)
            for v in (draw(rng, (256, MARKS.size)) for _ in range(20))
        )

    assert said(lambda rng, shape: 1 + rng.pareto(1.2, shape)) >= 17
    assert said(lambda rng, shape: np.exp(0.5 * rng.normal(size=shape))) == 0
    assert said(lambda rng, shape: rng.exponential(size=shape)) <= 2
