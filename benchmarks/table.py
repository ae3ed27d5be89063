"""The results as a Markdown table, with the goals they meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.case import Case

GOAL_RUNS = {"cpu": 1024, "gpu": 100_000}
BUSY = 1.25  # ratio of wall to processor time of one thread above which the machine was not idle
SLOW = 3.0  # seconds of a turn that is timed only once; more than a compiled competitor takes on a GPU
GPU_GOALS = {"jax": 20.0, "eager": 200.0}
Row = Mapping[str, Any]


def markdown(results: Mapping[str, Any], cases: Mapping[str, Case]) -> str:
    meta = results["meta"]
    parts = [f"# Benchmarks: {meta['gpu'] or meta['processor']}", about(meta)]
    late = (
        [f"Not measured, since the time was up: {'; '.join(results['late'])}."] if results.get("late") else []
    )
    parts += [f"* {note}" for note in (*results["notes"], *late, *busy(results["races"]))]
    for device in ("cpu", "gpu"):
        races = [r for r in results["races"] if r["device"] == device]
        if races:
            parts += ["## Goals" if device == "cpu" else "## Goals on the GPU", goals(races, cases)]
            parts += ["## Nanoseconds per step and run" + (" on the GPU" if device == "gpu" else "")]
            parts += [speeds(races, cases), *wholes(races, cases)]
    if results["alone"]:
        parts += ["## Time to the first result, and memory", starts(results["alone"], cases)]
    if results["guards"]:
        parts += ["## The same method?", guards(results["guards"], cases)]
    return "\n".join(_spaced(parts)) + "\n"


def busy(races: Iterable[Row]) -> list[str]:
    """A warning if other processes used the machine, which makes two-thread numbers unreliable."""
    worst = max((r["busy"] for r in races if r["clock"] == "processor"), default=1.0)
    if worst < BUSY:
        return []
    return [
        f"The machine was busy (wall time up to {worst:.1f} times processor time): two-thread numbers are unreliable."
    ]


def _spaced(parts: Iterable[str]) -> Iterable[str]:
    """The parts with an empty line between them, except between the items of a list."""
    before = ""
    for part in parts:
        if before and not (part.startswith("* ") and before.startswith("* ")):
            yield ""
        yield part
        before = part


def about(meta: Mapping[str, Any]) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in meta["versions"].items())
    return (
        f"{meta['processor']}, {meta['cores']} cores, {meta['vectors']}, {meta['system']}; {versions}. "
        "Competitors take turns in one process, on the CPU pinned to as many cores as it has threads; numbers are "
        f"medians, ratios medians of the ratios turn by turn; a turn of more than {SLOW:g} s is timed once, after a "
        "warm-up. One CPU thread is timed by processor time (on an idle "
        "machine: wall time), all else by wall time. All arithmetic is float64; what the instance records in every "
        "iteration is part of the step everywhere. This file is written by `python -m benchmarks`."
    )


def grid(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table; columns after the first are aligned to the right."""
    head = list(head)
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def number(value: float | None) -> str:
    """Three significant digits, without an exponent for moderate numbers."""
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def fastest_jax(values: Mapping[str, float]) -> float | None:
    return min((v for name, v in values.items() if name.startswith("jax")), default=None)


def chosen(row: Row) -> float:
    """Time of the workbench's faster engine relative to the fused one."""
    return min(1.0, row["ratios"].get("eager", 1.0))


def goals(races: list[Row], cases: Mapping[str, Case]) -> str:
    """One line per case: JAX over fused at the goal's number of runs, one thread; and the worst ratio of all rows."""
    lines = []
    for key, case in cases.items():
        mine = [r for r in races if r["case"] == key]
        if not mine:
            continue
        device = mine[0]["device"]
        at = [r["ratios"] for r in mine if r["runs"] == GOAL_RUNS[device] and r["threads"] == 1]
        ratios = at[0] if at else {}
        default, best = ratios.get("jax"), fastest_jax(ratios)
        goal = GPU_GOALS["jax"] if device == "gpu" else case.goal or 1.0
        others = [
            v / chosen(r) for r in mine for n, v in r["ratios"].items() if n.startswith("jax") or n == "eager"
        ]
        last = (number(ratios.get("eager")), number(min(others, default=None)))
        met = verdict(default, best, goal)
        lines.append([case.title, number(goal), number(default), number(best), met, *last])
    head = (
        "case",
        "goal",
        "JAX / fused",
        "fastest JAX / fused",
        "goal met",
        "eager / fused",
        "least of any rival",
    )
    return (
        grid(head, lines)
        + f"\n\nRatios at {GOAL_RUNS[races[0]['device']]} runs, one thread against one. The last column is over all "
        "numbers of runs and threads: the fastest rival against the faster of the workbench's two engines; below 1 the "
        "rival is faster."
    )


def verdict(default: float | None, best: float | None, goal: float) -> str:
    if default is None or best is None:
        return "not measured"
    if best >= goal:
        return "yes"
    return "with the default generator" if default >= goal else "no"


def where(row: Row, cases: Mapping[str, Case]) -> tuple[str, str, str]:
    """Case, runs and threads of a race."""
    return cases[row["case"]].title, str(row["runs"]), str(row["threads"])


def speeds(races: list[Row], cases: Mapping[str, Case]) -> str:
    names = list(dict.fromkeys(n for r in races for n in r["ns"]))
    rows = []
    for r in races:
        ratios = r["ratios"]
        rivals = (ratios.get("eager"), ratios.get("jax"), fastest_jax(ratios))
        rows.append(
            [*where(r, cases), *(number(r["ns"].get(n)) for n in names), *(number(v) for v in rivals)]
        )
    tail = ("eager / fused", "JAX / fused", "fastest JAX / fused")
    return grid(("case", "runs", "threads", *names, *tail), rows)


def wholes(races: list[Row], cases: Mapping[str, Case]) -> list[str]:
    """The time of a run of full length, where one was measured, beside what JAX would take: a title and a table."""
    rows = []
    for r in races:
        if "whole" not in r:
            continue
        iterations, seconds = r["whole"]["iterations"], r["whole"]["seconds"]
        jax = fastest_jax(r["ns"])
        rival = None if jax is None else jax * 1e-9 * r["runs"] * iterations
        ratio = None if rival is None else rival / seconds
        rows.append([*where(r, cases)[:2], str(iterations), *(number(v) for v in (seconds, rival, ratio))])
    if not rows:
        return []
    head = ("case", "runs", "iterations", "fused, s", "fastest JAX, s", "JAX / fused")
    return [
        "## Runs of full length",
        grid(head, rows)
        + "\n\nFused: one run, compiled before, its start on the device, its records copied to the host. JAX: its time "
        "per iteration above, times the iterations.",
    ]


def starts(alone: list[Row], cases: Mapping[str, Case]) -> str:
    rows = []
    for a in alone:
        measured = (f"{a['cold']:.2f}", f"{a['cached']:.2f}", f"{a['memory']:.0f}")
        rows.append([cases[a["case"]].title, a["device"], a["competitor"], str(a["runs"]), *measured])
    head = ("case", "device", "competitor", "runs", "cold, s", "cached, s", "memory, MB")
    return (
        grid(head, rows)
        + "\n\nCold: nothing compiled is on disk. Cached: a new process that finds it there (for JAX, in its "
        "persistent compilation cache). Memory: the cached process's largest resident set minus that of its imports."
    )


def guards(found: list[Row], cases: Mapping[str, Case]) -> str:
    rows = []
    for g in found:
        case = cases[g["case"]]
        for name, other in g.items():
            if not isinstance(other, Mapping):
                continue
            means = [f"{m:.6g}" for m in other["means"]]
            z = f"{other['z']:.2f}" if case.noisy else "no noise"
            relative = "-" if case.noisy else f"{other['relative']:.1e}"
            agree = "yes" if other["agree"] else "**no**"
            rows.append([case.title, g["device"], name, other["metric"], *means, z, relative, agree])
    head = ("case", "device", "rival", "metric", "fused mean", "its mean", "z", "largest difference", "agree")
    return grid(head, rows)
