"""Every figure of the catalog, drawn from tiny results: labelled, honest about failed runs, the same bytes twice."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.table import Table as MplTable
from matplotlib.text import Text

from workbench.engine import choice
from workbench.engine.records import Result
from workbench.report.drawing import draw, facts, panels, readings
from workbench.report.drawing._style import STYLE, save, style
from workbench.report.drawing.comparison import listable
from workbench.report.drawing.figure import LONGEST, Results, Table
from workbench.report.drawing.formulas import mathtext
from workbench.run import catalog, jobs
from workbench.run.options import Options
from workbench.run.store.results import Store

FIGURES = catalog.figures()
RUNS = 3  # two of which may choose steps (figure 2)
HORIZON = 24
VERDICTS = {
    key for key, f in FIGURES.items() if f.kind in ("graph", "table")
}  # no quantity of a run is drawn
# What `make test` draws. All its tests take their figures from these: to simulate for one takes longer than to draw it.
DRAWN = list(FIGURES)[::3]
LAST = {key: FIGURES[key] for key in sorted(FIGURES, key=DRAWN.__contains__)}
REDRAWN = {
    *{key.split("/")[0]: key for key, f in LAST.items() if f.kind in ("curves", "map")}.values(),
    *{f.kind: key for key, f in LAST.items()}.values(),
}


@pytest.fixture(autouse=True)
def decided(request: pytest.FixtureRequest) -> None:
    """Proof chains show the outcome of every exact check; a test of one figure of curves need not wait for them."""
    params = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    if params.get("key", "") in {"", *VERDICTS}:
        request.getfixturevalue("certificates")


def of_drawn(n: int, keys: Collection[str]) -> list[Any]:
    """Every n-th key of `DRAWN` among these; the others are marked ``long``."""
    chosen = [key for key in DRAWN if key in keys][::n]
    return [key if key in chosen else pytest.param(key, marks=pytest.mark.long) for key in keys]


each_figure = pytest.mark.parametrize("key", of_drawn(1, FIGURES))


@cache
def result_of(key: str) -> Result:
    """As long as in the quick profile, and no longer than `HORIZON` iterations."""
    sim = catalog.simulations()[key]
    options = Options("quick", horizon=min(sim.horizon["quick"], HORIZON), runs=RUNS)
    with (
        pytest.MonkeyPatch.context() as patch
    ):  # the search for mistakes in a step takes as long as these few steps
        patch.setattr(choice, "trial", lambda problem, run: None)
        return jobs.execute(jobs.prepare(sim, options), "numpy")


class Lazily(dict[str, Any]):
    """Results or figures made when they are first asked for: a worker of the suite sees some figures only."""

    def __init__(self, make: Callable[[str], Any]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, key: str) -> Any:
        self[key] = self.make(key)
        return self[key]


@pytest.fixture(scope="module")
def results() -> dict[str, Result]:
    return Lazily(result_of)


@pytest.fixture(scope="module")
def drawn(results: dict[str, Result]) -> Iterator[dict[str, MplFigure]]:
    with style(), plt.rc_context({"figure.max_open_warning": 0}):  # all papers' figures are open at once here
        made: dict[str, MplFigure] = Lazily(lambda key: draw.draw_one(FIGURES[key], results))
        yield made
        for figure in made.values():
            plt.close(figure)


@pytest.fixture(scope="module")
def failed(results: dict[str, Result]) -> dict[str, Result]:
    """The same results where the last noise identity of every grid point left the finite numbers."""
    return Lazily(lambda key: with_failures(results[key], results[key].run_ids == RUNS - 1))


def with_failures(result: Result, rows: np.ndarray) -> Result:
    middle = len(result.marks) // 2
    data = {name: values.copy() for name, values in result.data.items()}
    for values in data.values():
        values[rows, middle:] = np.nan
    status = np.where(rows, 1, result.status)
    return dataclasses.replace(
        result, data=data, status=status, failed_at=np.where(rows, result.marks[middle], 0)
    )


def panels_of(figure: MplFigure) -> list[Axes]:
    """Axes with a place in a grid; colour bars are none."""
    return [ax for ax in figure.axes if ax.get_subplotspec() is not None and not hasattr(ax, "_colorbar")]


def labels(figure: MplFigure) -> list[str]:
    return [label for ax in figure.axes for label in ax.get_legend_handles_labels()[1]]


def told(figure: MplFigure) -> set[str]:
    """All text that a reader sees beside curves: legends and notes in panels."""
    legends = [*figure.legends, *(lg for ax in figure.axes if (lg := ax.get_legend()))]
    texts = [t.get_text() for lg in legends for t in lg.get_texts()]
    return {*texts, *(line for ax in figure.axes for t in ax.texts for line in t.get_text().split("\n"))}


# ---------------------------------------------------------------------------------------------- all figures


@pytest.mark.parametrize("key", of_drawn(2, sorted(REDRAWN)))
def test_files_are_written_and_redrawn_byte_for_byte(
    key: str,
    drawn: dict[str, MplFigure],
    results: dict[str, Result],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A figure of every kind, one of every paper: saving and drawing again take time. All are drawn and read below."""
    monkeypatch.setitem(STYLE, "savefig.dpi", 40)  # pixels take time, too
    below, caption = draw.below_caption(FIGURES[key], results), FIGURES[key].caption_of(results)
    with style():
        first = save(drawn[key], tmp_path / "a", key.replace("/", "-"), caption, below=below)
    assert [p.name for p in first] == [f"{key.replace('/', '-')}.{e}" for e in ("pdf", "png", "txt")]
    assert first[0].read_bytes().startswith(b"%PDF-")
    assert first[1].read_bytes().startswith(b"\x89PNG")
    assert min(path.stat().st_size for path in first[:2]) > 5000, "an empty page"
    assert caption[:200].encode() in first[1].read_bytes()
    assert first[2].read_text().split() == [*caption.split(), *below.split()]
    assert max(map(len, first[2].read_text().removesuffix(f"{below}\n").split("\n"))) <= 100
    second = list(draw.draw_all([FIGURES[key]], results, tmp_path / "new" / "b"))
    assert [p.name for p in first] == [p.name for p in second]
    for one, two in zip(first, second, strict=True):
        assert one.read_bytes() == two.read_bytes()


@each_figure
def test_axes_are_labelled(key: str, drawn: dict[str, MplFigure]) -> None:
    """x once a column, y once a row (the others share them); colour bars say what is coloured."""
    figure = drawn[key]
    grid = panels_of(figure)
    assert grid
    # A graph or a table has no axes to label; nothing else may go without.
    assert all(ax.axison != (key in VERDICTS) for ax in grid)
    for ax in grid if key not in VERDICTS else ():
        spec = ax.get_subplotspec()
        column = [o for o in grid if o.get_subplotspec().colspan == spec.colspan]
        row = [o for o in grid if o.get_subplotspec().rowspan == spec.rowspan]
        assert any(o.get_xlabel() for o in column)
        assert any(o.get_ylabel() for o in row)
    for ax in set(figure.axes) - set(grid):
        assert ax.get_xlabel() or ax.get_ylabel()


@each_figure
def test_every_panel_shows_something(key: str, drawn: dict[str, MplFigure]) -> None:
    for ax in panels_of(drawn[key]):
        if key in VERDICTS:
            assert len({t.get_text() for t in ax.texts if t.get_text().strip()}) > 5
            continue
        curves = [line for line in ax.get_lines() if np.isfinite(np.asarray(line.get_ydata(), float)).any()]
        assert curves or ax.collections


@each_figure
def test_curves_are_named_in_a_legend(key: str, drawn: dict[str, MplFigure]) -> None:
    """Wherever a panel has several curves; and no legend entry is empty or said twice."""
    figure = drawn[key]
    if any(len(ax.get_legend_handles_labels()[1]) > 1 for ax in figure.axes):
        assert figure.legends or any(ax.get_legend() for ax in figure.axes)
    assert set(labels(figure)) <= told(figure)
    for legend in [*figure.legends, *(lg for ax in figure.axes if (lg := ax.get_legend()))]:
        texts = [t.get_text() for t in legend.get_texts()]
        assert all(t.strip() for t in texts)
        assert len(set(texts)) == len(texts)


@pytest.mark.long
@each_figure
def test_nothing_is_cut_off_hidden_or_too_small(key: str, drawn: dict[str, MplFigure]) -> None:
    """Panels and legends lie within the page, legends off title and panels, and no letter is below seven points."""
    figure = drawn[key]
    figure.draw_without_rendering()
    renderer, page, edge = figure.canvas.get_renderer(), figure.bbox, 4.0  # pixels
    title = figure._suptitle.get_window_extent(renderer)
    legends = [legend.get_window_extent(renderer) for legend in figure.legends]
    for name, box in [*(("legend", x) for x in legends), ("title", title), *panel_boxes(figure, renderer)]:
        assert box.x0 > page.x0 - edge, name
        assert box.x1 < page.x1 + edge, name
        assert box.y0 > page.y0 - edge, name
        assert box.y1 < page.y1 + edge, name
    for legend in legends:
        assert not legend.overlaps(title)
        assert not any(legend.overlaps(ax.bbox) for ax in panels_of(figure))
    assert all(box.y1 < title.y0 + edge for _, box in panel_boxes(figure, renderer))
    sizes = [t.get_fontsize() for t in figure.findobj(Text) if t.get_text().strip()]
    assert min(sizes) >= draw.SMALLEST
    for cell in (cell for table in figure.findobj(MplTable) for cell in table.get_celld().values()):
        text, width = cell.get_text(), cell.get_window_extent(renderer).width
        assert text.get_window_extent(renderer).width <= width + edge, text.get_text()


def panel_boxes(figure: MplFigure, renderer: Any) -> list[tuple[str, Any]]:
    """Each panel with its labels and its legend."""
    return [(ax.get_title() or "panel", ax.get_tightbbox(renderer)) for ax in figure.axes]


@each_figure
def test_nothing_claims_failures_where_there_are_none(key: str, drawn: dict[str, MplFigure]) -> None:
    assert not any(panels.FAILED in text for text in told(drawn[key]))


# A map colours the mean over runs: it has no curve to carry a count.
CURVES = [key for key, figure in FIGURES.items() if figure.kind == "curves"]


@pytest.mark.parametrize("key", of_drawn(2, CURVES))
def test_failed_runs_are_counted(key: str, failed: dict[str, Result]) -> None:
    """In the label of their curve, and that label is seen, whichever panel the legend was made from."""
    with style():
        figure = draw.draw_one(FIGURES[key], failed)
    counted = [label for label in labels(figure) if panels.FAILED in label]
    assert counted
    assert all(label.split(" (")[0].strip() for label in counted), "a count without a name"
    # Runs that chose the steps of a method are not drawn: there the failed one may be the only one left.
    assert any(f"(1 of {n} {panels.FAILED})" in counted[0] for n in (RUNS, 1))
    assert set(counted) <= told(figure)
    plt.close(figure)


@pytest.mark.parametrize("key", of_drawn(1, sorted(VERDICTS)))
def test_failed_runs_behind_verdicts_are_counted_in_the_caption(
    key: str, results: dict[str, Result], failed: dict[str, Result]
) -> None:
    """Of every simulation that has some, and of no other."""
    figure = FIGURES[key]
    assert panels.FAILED not in figure.text(results)
    bad = [name for name in figure.needs if (failed[name].status != 0).any()]
    said = figure.text(failed)
    assert bad
    assert said.count(panels.FAILED) == len(bad)
    assert all(f"{name.split('/')[1]} (1 of {RUNS} {panels.FAILED})" in said for name in bad)


@pytest.mark.parametrize("key", of_drawn(2, CURVES))
def test_failed_runs_of_one_panel_are_told(key: str, results: dict[str, Result]) -> None:
    """One legend, made from the first panel, may stand for all; only the last grid point has a failed run."""
    mine = {k: results[k] for k in FIGURES[key].needs}
    last = {k: with_failures(r, np.arange(r.size) == r.size - 1) for k, r in mine.items()}
    with style():
        figure = draw.draw_one(FIGURES[key], last)
    counted = [label for label in labels(figure) if panels.FAILED in label]
    assert set(counted) <= told(figure)
    plt.close(figure)


def test_a_figure_takes_its_results_and_no_others(results: dict[str, Result], tmp_path: Path) -> None:
    figure = FIGURES[CURVES[0]]
    *some, last = figure.needs
    with pytest.raises(KeyError, match=last):
        list(draw.draw_all([figure], {k: results[k] for k in some}, tmp_path))
    assert list(tmp_path.iterdir()) == []


SCRIPT = """
import json, sys
from pathlib import Path
from workbench import catalog
from workbench.run.store.results import Store
from figures import draw

folder, keys = sys.argv[1], json.loads(sys.argv[2])
figures = [catalog.figures()[key] for key in keys["figures"]]
results = {name: Store(folder + "/store").load(key) for name, key in keys["results"].items()}
for path in draw.draw_all(figures, results, Path(folder)):
    print(path)
records = ("workbench.engine", "workbench.engine.records")  # what a result is, and nothing that runs
loaded = [m for m in sys.modules if m.startswith("workbench.engine") and m not in records or m == "workbench.run.pool"]
assert not loaded, loaded
"""


@pytest.mark.long
def test_a_process_without_the_engine_draws_from_the_store(
    results: dict[str, Result], tmp_path: Path
) -> None:
    """The figure that also evaluates a theorem's bound; and another process draws the same bytes."""
    store = Store(tmp_path / "store")
    chosen = next(key for key in CURVES if FIGURES[key].source == "workbench")
    names = {name: f"r{i}" for i, name in enumerate(FIGURES[chosen].needs)}
    for name, key in names.items():
        store.save(key, results[name])
    words = json.dumps({"figures": [chosen], "results": names})
    command = [sys.executable, "-W", "error", "-c", SCRIPT, str(tmp_path), words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) == 3
    # Drawn anew: a figure that was saved before has its layout settled once more, which moves it a little.
    for path in draw.draw_all([FIGURES[chosen]], results, tmp_path / "here"):
        assert path.read_bytes() == (tmp_path / path.name).read_bytes()


# -------------------------------------------------------------------------------------------- the captions


@each_figure
def test_the_caption_says_what_was_drawn(key: str, results: dict[str, Result]) -> None:
    """Runs and horizon come from the results; other results, another sentence, the same settings."""
    figure = FIGURES[key]
    assert "default profile" not in figure.caption
    own = Results({name: results[name] for name in figure.needs})
    said = figure.summary(own)
    lengths = {f"{r.horizon:g}" for r in own.values()}
    start = re.match(rf"Drawn: (1 run|{RUNS} runs), (T = (.+?)\. |T = (.+?)\.$|[0-9.]+ epochs\.)", said)
    assert start, said
    if length := start[3] or start[4]:
        assert set(length.split(" to ")) <= lengths, said
    assert not [word for word in ("nan", "inf ", "e+") if word in said]
    order = figure.order(own)
    first = f"{order} " if order else ""
    caption, settings = figure.caption_of(results), figure.settings_of(results)
    assert caption.startswith(f"{figure.title} ({figure.source}).")
    assert settings.startswith(figure.caption)
    text = " ".join([caption, settings])
    assert all(sentence in text for sentence in (first.strip(), figure.result(own), *said.split(". ")))
    assert len(caption) <= LONGEST
    assert not re.search(r"\b(\S+) to \1 times", text)
    if figure.kind == "curves":
        scaled = Results(
            {n: dataclasses.replace(r, data={m: 1.5 * v for m, v in r.data.items()}) for n, r in own.items()}
        )
        same = (figure.summary(scaled), figure.table_of(scaled)) == (said, figure.table_of(own))
        assert same == figure.ratios


@each_figure
def test_a_caption_survives_failed_runs(key: str, results: dict[str, Result]) -> None:
    """Where no run is left there is no number, and the caption says so."""
    mine = {name: results[name] for name in FIGURES[key].needs}
    some = {name: with_failures(r, r.run_ids == RUNS - 1) for name, r in mine.items()}
    assert FIGURES[key].text(some)
    every = {name: with_failures(r, r.run_ids >= 0) for name, r in mine.items()}
    assert FIGURES[key].text(every)


def test_a_table_stands_below_its_caption(results: dict[str, Result], tmp_path: Path) -> None:
    """As aligned text; the picture, the dossier and the paper have the same entries."""
    figure = next(FIGURES[key] for key in DRAWN if FIGURES[key].table)
    own = {name: results[name] for name in figure.needs}
    list(draw.draw_all([figure], own, tmp_path, ("png",)))
    text = (tmp_path / f"{figure.key.replace('/', '-')}.txt").read_text()
    table = figure.table_of(own)
    assert f"\n\n{table.lines()}\n\n" in text, "below it are the settings"
    assert table.lines().splitlines()[0].split()[0] == table.head[0]
    assert len(table.lines().splitlines()) == 1 + len(table.rows)


def test_a_table_without_times() -> None:
    table = Table(("method", "loss", "s"), (("a", "1.0 ± 0.1", "12"), ("bcd", "2", "3")), times=("s",))
    assert table.lines() == "method  loss       s\na       1.0 ± 0.1  12\nbcd     2          3"
    assert table.without_times() == Table(("method", "loss"), (("a", "1.0 ± 0.1"), ("bcd", "2")))


def test_numbers_of_captions() -> None:
    numbers = (1e6, 256, 2.4e15, 0.17, 16.0, 1.4e-4, 12345)
    assert [facts.scientific(n) for n in numbers] == [
        "1e6", "256", "2.4e15", "0.17", "16", "1.4e-4", "1.2e4",
    ]  # fmt: skip
    assert facts.listing({"a": 0.5, "b": float("nan"), "c": 0.75}) == "0.750 c, 0.500 a, none b"
    assert facts.end(np.array([[1.0, 2.0], [1.0, 4.0], [1.0, 3.0], [np.nan, 9.0]])) == 3.0
    assert np.isnan(facts.end(np.full((2, 3), np.inf)))


# ---------------------------------------------------------------------------------------------- the panels


MARKS = 2.0 ** np.arange(0, 10.25, 0.25)


def test_band_is_median_and_quantiles_of_the_finite_runs() -> None:
    values = np.outer(np.arange(1.0, 12.0), MARKS**-0.25)
    values = np.vstack([values, np.full_like(MARKS, np.inf)])
    figure, ax = plt.subplots()
    panels.band(ax, MARKS, values, label="m")
    (line,) = ax.get_lines()
    np.testing.assert_allclose(line.get_ydata(), 6 * MARKS**-0.25)
    edges = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert edges.min() == pytest.approx(2 * MARKS[-1] ** -0.25)
    assert edges.max() == pytest.approx(10.0)
    assert line.get_label() == "m (1 of 12 runs failed)"
    plt.close(figure)


def test_band_keeps_the_scale_it_is_given() -> None:
    figure, axes = plt.subplots(1, 2)
    for ax, scale in zip(axes, ("log", "linear"), strict=True):
        panels.band(ax, MARKS, np.tile(MARKS, (3, 1)), scale=scale)
        assert ax.get_xscale() == ax.get_yscale() == scale
    assert axes[1].get_xlim() == (MARKS[0], MARKS[-1])
    plt.close(figure)


def test_a_grid_of_panels_is_labelled_at_its_edges() -> None:
    """Every row and column gets its own curves; titles on top, letters in order, labels at the left and below."""
    asked = []

    def curves(row: str, column: int) -> Iterator[panels.Curve]:
        asked.append((row, column))
        yield panels.Curve(f"{row}{column}", MARKS, np.tile(MARKS, (3, 1)), {"color": "C1"})

    rows, columns = [("upper", "u"), ("lower", "l")], [("one", 1), ("two", 2)]
    figure, axes = panels.curve_grid(rows, columns, ["s", "t"], curves, height=3.0, sharex=True)
    assert asked == [("u", 1), ("u", 2), ("l", 1), ("l", 2)]
    assert [ax.get_legend_handles_labels()[1] for ax in axes.flat] == [["u1"], ["u2"], ["l1"], ["l2"]]
    assert [ax.get_title() for ax in axes.flat] == ["(a) one", "(b) two", "", ""]
    assert [ax.get_ylabel() for ax in axes.flat] == ["upper", "", "lower", ""]
    assert [ax.get_xlabel() for ax in axes.flat] == ["", "", "s", "t"]
    panels.legend_outside(figure, axes[0, 0])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["u1"]
    plt.close(figure)


def test_numbers_at_the_end_go_by_the_curve_s_name() -> None:
    curves = [
        panels.Curve("A (0.1, 1)", MARKS, np.tile(MARKS, (3, 1)), name="A"),
        panels.Curve("B", MARKS, np.ones((2, 41))),
    ]
    assert facts.ends(curves) == {"A": 1024.0, "B": 1.0}
    said = facts.median_ends("loss", "tuned", curves)
    assert said == "Median loss at the end, tuned: 1024.000 A, 1.000 B."


def test_a_legend_below_touches_no_data() -> None:
    with style():
        figure, ax = plt.subplots()
        ax.plot([0, 1], [0, 1], label="m")
        ax.set_xlabel("x")
        panels.legend_below(ax)
        figure.canvas.draw()
        legend = ax.get_legend().get_window_extent()
    assert legend.y1 < ax.xaxis.label.get_window_extent().y0
    assert legend.y0 >= 0
    plt.close(figure)


def test_band_of_nothing_but_failures_is_a_label() -> None:
    figure, ax = plt.subplots()
    panels.band(ax, MARKS, np.full((2, 41), np.nan), label="m")
    assert ax.get_legend_handles_labels()[1] == ["m (2 of 2 runs failed)"]
    assert not ax.collections
    plt.close(figure)


def test_local_slopes_of_a_power_law() -> None:
    t, slopes = panels.local_slopes(MARKS, np.tile(3 * MARKS**-0.3, (2, 1)))
    np.testing.assert_allclose(slopes, -0.3, atol=1e-12)
    assert t[0] == pytest.approx(2)
    assert t[-1] == pytest.approx(512)


def test_reference_slope_has_its_slope_and_clears_the_curve() -> None:
    figure, ax = plt.subplots()
    panels.reference_slope(ax, MARKS, np.tile(MARKS**-0.25, (2, 1)), -0.25, "claimed")
    (line,) = ax.get_lines()
    x, y = (np.asarray(v, float) for v in (line.get_xdata(), line.get_ydata()))
    np.testing.assert_allclose(np.diff(np.log(y)) / np.diff(np.log(x)), -0.25)
    assert (y > x**-0.25).all()
    plt.close(figure)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("1.2e4 (T^1.00)", r"$1.2\cdot 10^{4}$ ($T^{1.00}$)"),
        ("T^1/3 (1 + V)", r"$T^{1/3}$ (1 + V)"),
        ("T^(2/3) P", r"$T^{2/3}$ P"),
        ("T^-0.5, 0.09", r"$T^{-0.5}$, 0.09"),
        ("bounded, 2889", "bounded, 2889"),
    ],
)
def test_powers_in_tables_are_typeset(said: str, shown: str) -> None:
    assert mathtext(said) == shown


@pytest.mark.parametrize(
    ("kind", "holds", "violated", "decided"),
    [
        ("practical", 1e-5, 1.0, True),
        ("practical", 0.2, 0.8, False),
        ("practical", 1.0, 1e-5, False),  # a curve that has not settled is no violation
        ("falsifier", 1.0, 1e-5, True),
        ("falsifier", 0.2, 0.8, False),
    ],
)
def test_a_slope_that_decides_nothing_is_called_so(
    kind: str, holds: float, violated: float, decided: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = SimpleNamespace(p_if_wrong=holds, p_if_right=violated)
    claim = SimpleNamespace(finding=lambda results, plan: found)
    reading: Any = SimpleNamespace(
        sim=SimpleNamespace(kind=kind), claimed=SimpleNamespace(value=-0.5), rate=lambda: claim
    )
    monkeypatch.setattr(readings, "slope_text", lambda *_: "-0.48")
    more = "" if decided else ", undecided at this horizon"
    assert readings.said_slopes(Results({}), [reading], ["m = 8"]) == f"-0.48 at m = 8 (claimed −1/2{more})"


def test_a_title_with_a_comma_can_be_listed() -> None:
    title = SimpleNamespace(title="METHOD, own exponents")
    assert listable(title) == "METHOD (own exponents)"  # type: ignore[arg-type]
    assert listable(SimpleNamespace(title="METHOD")) == "METHOD"  # type: ignore[arg-type]
