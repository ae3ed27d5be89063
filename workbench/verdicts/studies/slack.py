"""Where theorems lose their slack: simulates what waterfalls need, and says what each line of a proof loses."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from workbench.claims.records import Simulation
from workbench.claims.waterfalls import Waterfall
from workbench.homes.keys import Key
from workbench.ledger.waterfall import Fall, fall
from workbench.run import catalog
from workbench.run.jobs import Progress
from workbench.run.options import Options, UsageError
from workbench.run.pool import ensure
from workbench.run.store.results import Store


def waterfalls_of(keys: Iterable[str]) -> list[Waterfall]:
    """The waterfalls of the named papers and theorems, or all. Raises UsageError for a key that has none."""
    waterfalls = catalog.waterfalls()
    entries = catalog.entries_for(keys)
    for entry in entries:
        if not any(_belongs(w, entry.key) for w in waterfalls):
            having = ", ".join(dict.fromkeys(w.key for w in catalog.waterfalls())) or "no theorem here"
            raise UsageError(f"no proof of {entry.key} has its right-hand sides recorded; there are {having}")
    return [w for w in waterfalls if not entries or any(_belongs(w, entry.key) for entry in entries)]


def _belongs(waterfall: Waterfall, key: str) -> bool:
    return Key.of(waterfall.key).within(key)


def falls(
    waterfalls: list[Waterfall],
    options: Options,
    store: Store,
    on_result: Callable[[Simulation, bool], None] = lambda sim, from_store: None,
    warn: Callable[[str], None] = lambda sentence: None,
    progress: Progress | None = None,
) -> list[Fall]:
    """Each waterfall on its simulation. Raises UsageError where a right-hand side has no positive value."""
    results = ensure(simulations(waterfalls), options, store, on_result, warn, progress)
    falls_of = []
    for waterfall in waterfalls:
        try:
            falls_of.append(fall(waterfall, results[waterfall.sim.key]))
        except ValueError as error:
            raise UsageError(str(error)) from None
    return falls_of


def simulations(waterfalls: Iterable[Waterfall]) -> list[Simulation]:
    return list({w.sim.key: w.sim for w in waterfalls}.values())


def title(fall: Fall) -> str:
    """One line above the table of a waterfall."""
    w = fall.waterfall
    return (
        f"{w.key} ({w.form}), {w.name or w.sim.title}: measured {fall.measured:.4g}, bound {fall.bound:.4g}, "
        f"slack {fall.slack:.4g}; {fall.runs} runs, T = {fall.T:g}"
    )


def rows(fall: Fall) -> list[tuple[str, ...]]:
    """The table: line of the proof, its source, right-hand side after it, factor, interval, share of the slack."""
    table: list[tuple[str, ...]] = [("measured", "", f"{fall.measured:.4g}", "", "", "")]
    for bar in fall.bars:
        factor = f"{bar.factor:.4g}{' (gains)' if bar.gains else ''}"
        interval = "exact" if bar.low == bar.high else f"[{bar.low:.4g}, {bar.high:.4g}]"
        share = f"{100 * fall.share(bar):.1f} %"
        table.append((bar.step.name, bar.step.source, f"{bar.after:.4g}", factor, interval, share))
    return table


def verdict(falls: list[Fall]) -> str:
    """What to improve first; and lines that make the right-hand side smaller, which a proof's must not."""
    sentences = [
        f"{f.waterfall.key}, {f.waterfall.sim.title}: most is lost in {f.worst.step.name!r} (x {f.worst.factor:.3g})"
        for f in falls
    ]
    for f in falls:
        sentences += [
            f"{f.waterfall.key}: {bar.step.name!r} makes the right-hand side smaller, x {bar.factor:.4g} "
            f"[{bar.low:.4g}, {bar.high:.4g}]"
            + (f" ({bar.step.erratum})" if bar.step.erratum else ", unexpected")
            for bar in f.bars
            if bar.gains
        ]
    return "\n".join(sentences)
