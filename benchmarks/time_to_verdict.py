"""Time to a verdict: this tree beside an earlier commit and a notebook's script, in one run.

``python -m benchmarks.time_to_verdict --old COMMIT`` lays the earlier tree beside this one (git worktree), runs every
command of both in turns, and writes ``results/time-to-verdict.md``: processor seconds of the command and its children,
smallest, median and largest over the rounds. Each tree has a store, a cache folder and a working folder of its own. One
call of every command, which is not counted, comes before: it compiles kernels and bytecode. *Cold* begins with an empty
store, and with no answer of an earlier call; *stored* repeats the call. Compiling is measured by
`benchmarks.compile_kernels`, in each tree's own process, over every `EVERY`-th simulation of the default profile.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import machine

ROOT = Path(__file__).resolve().parents[1]
THEOREM = Path(__file__).parent / "notebook_theorem.py"
RESULT = Path(__file__).parent / "results" / "time-to-verdict.md"
QUICK = ("--profile", "quick")
EVERY = 16
# The last of the shipped papers.
PAPER = max(path.name for path in (ROOT / "theorems").iterdir() if (path / "plan.json").is_file())
PICTURE = "from matplotlib.figure import Figure; f = Figure(); f.subplots(); f.savefig('empty.png')"
IMPORTS = "from workbench.report.judging import judgement, table"


@dataclass
class Side:
    """One tree. times: name of a measurement -> processor seconds of each round."""

    name: str
    tree: Path
    desk: Path
    times: dict[str, list[float]] = field(default_factory=dict)
    answer: str = ""  # what the latest command printed

    def run(self, *command: str) -> float:
        """Processor seconds of a command in the desk's folder. Raises RuntimeError where it fails."""
        about = {
            k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "WORKBENCH_STORE")
        }
        about |= {"PYTHONPATH": str(self.tree), "XDG_CACHE_HOME": str(self.desk / "cache")}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, cwd=self.desk, env=about, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.answer = done.stdout
        if done.returncode not in (0, 1, 4) and "has no figure" not in done.stderr:  # as in earlier commits
            raise RuntimeError(f"{self.name}: {' '.join(command)}: {done.stderr[-500:]}")
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    def workbench(self, *words: str) -> float:
        return self.run(sys.executable, "-m", "workbench", *words)

    def forget(self, *parts: str) -> None:
        """Deletes what was kept under these names."""
        for part in parts:
            for place in (self.desk / part, self.desk / "cache" / "theorem-workbench" / part):
                shutil.rmtree(place, ignore_errors=True)


def table_of_runs(path: Path, runs: int = 1000, marks: int = 200) -> None:
    import numpy as np

    rng = np.random.default_rng(0)
    at = np.unique(np.round(np.geomspace(10, 1_000_000, marks + 2)))[:marks]
    values = at**-0.25 * np.exp(0.3 * rng.normal(size=(runs, at.size)))
    rows = [f"{seed},{t:g},{v:.8g}" for seed, run in enumerate(values) for t, v in zip(at, run, strict=True)]
    path.write_text("\n".join(["seed,step,loss", *rows]) + "\n")


# ------------------------------------------------------------------------------------------- what is measured


def verdict_and_picture(side: Side) -> float:
    """By one command, in a tree that has it, else by two."""
    if (side.tree / "workbench" / "report" / "drawing" / "log_ticks.py").is_file():
        return side.workbench("verify", "my_claim.py", *QUICK, "--figures")
    return side.workbench("verify", "my_claim.py", *QUICK) + side.workbench("figures", "my_claim.py", *QUICK)


def cold(side: Side) -> float:
    side.forget(".workbench", "figures", "answers")
    return verdict_and_picture(side)


def cold_verdict(side: Side) -> float:
    side.forget(".workbench", "figures", "answers")
    return side.workbench("verify", "my_claim.py", *QUICK)


def stored(side: Side) -> float:
    verdict_and_picture(side)  # a result counts as stored only if it is older than the call
    return verdict_and_picture(side)


def paper_stored(side: Side) -> float:
    side.workbench("verify", PAPER, *QUICK)  # what is kept of it was forgotten for the calls that are cold
    return side.workbench("verify", PAPER, *QUICK)


def listing(side: Side) -> float:
    side.forget("listing")
    return side.workbench("list")


def help_text(side: Side) -> float:
    return side.workbench("--help")


def judged(side: Side) -> float:
    return side.workbench("judge", "table.csv", "--claimed", "-1/4")


def judged_alone(side: Side) -> float:
    return side.workbench("judge", "table.csv", "--claimed", "-1/4", "--picture", "none")


def imported(side: Side) -> float:
    return side.run(sys.executable, "-c", IMPORTS)


def script(side: Side) -> float:
    return side.run(sys.executable, str(ROOT / "benchmarks" / "notebook_script.py"))


def reading(side: Side) -> float:
    return side.run(sys.executable, str(ROOT / "benchmarks" / "notebook_reading.py"), "table.csv")


def least(side: Side) -> float:
    return side.run(sys.executable, "-c", PICTURE)


def compiling(side: Side) -> float:
    """Processor seconds of printing and compiling alone, with an empty folder of kernels."""
    side.forget("kernels")
    side.run(sys.executable, str(ROOT / "benchmarks" / "compile_kernels.py"), str(EVERY))
    return float(side.answer.split()[-1])


SCRIPT, READING = "the script", "the script's fit and plot"
FLOOR = "an empty pair of axes, and nothing else"  # what any picture of Matplotlib costs
# Name -> measurement, of both trees; in this order, since what is stored must have been made.
MEASURED: dict[str, Callable[[Side], float]] = {
    "the theorem of the script, verdict, cold": cold_verdict,
    "the theorem of the script, verdict and picture, cold": cold,
    "the theorem of the script, verdict and picture, stored": stored,
    "`verify` of a shipped paper, stored": paper_stored,
    "`list` without a kept listing": listing,
    "`--help`": help_text,
    "import of what `judge` needs": imported,
    "`judge` on 1,000 runs x 200 marks": judged_alone,
    "`judge` on 1,000 runs x 200 marks, with its picture": judged,
    f"compiling the kernels of every {EVERY}th simulation": compiling,
}
SCRIPTS: dict[str, Callable[[Side], float]] = {SCRIPT: script, READING: reading, FLOOR: least}
LIBRARIES = {FLOOR: "NumPy, Matplotlib without pyplot"}
GOALS = {  # issue 51, items 1 and 5, and issue 50: (of what, at most)
    "the theorem of the script, verdict and picture, cold": (SCRIPT, 0.30),
    "the theorem of the script, verdict and picture, stored": (SCRIPT, 0.12),
    "`verify` of a shipped paper, stored": ("old", 0.4),
    "`list` without a kept listing": ("s", 1.5),
    "`--help`": ("s", 0.3),
    f"compiling the kernels of every {EVERY}th simulation": ("old", 0.4),
    "import of what `judge` needs": ("s", 0.35),
    "`judge` on 1,000 runs x 200 marks": ("s", 1.0),
    "`judge` on 1,000 runs x 200 marks, with its picture": (READING, 0.5),
}


def measured(new: Side, old: Side, rounds: int, only: str) -> Iterator[str]:
    """Fills the times of both sides; yields a line of progress after each. Raises RuntimeError for the new one.

    Of the scripts those are run with which something is compared.
    """
    chosen = [name for name in MEASURED if re.search(only, name)]
    works = [(name, MEASURED[name], side) for name in chosen for side in (old, new)]
    wanted = {GOALS[name][0] for name in chosen if name in GOALS}
    works += [
        (n, work, new) for n, work in SCRIPTS.items() if n in wanted or {n, READING} <= {FLOOR, *wanted}
    ]
    for number in range(rounds + 1):
        for name, work, side in works:
            try:
                seconds = work(side)
            except RuntimeError as failure:  # a library that an earlier commit needs may be missing by now
                if side is new:
                    raise
                yield str(failure)
                continue
            if number or work is compiling:  # which begins each time with nothing but bytecode
                side.times.setdefault(name, []).append(seconds)
            yield f"round {number}: {name}, {side.name}: {seconds:.2f} s"


def spread(times: list[float]) -> str:
    return f"{min(times):.2f} / {statistics.median(times):.2f} / {max(times):.2f}"


def goal(name: str, new: Side, old: Side) -> str:
    if name not in GOALS:
        return ""
    of, most = GOALS[name]
    at = statistics.median(new.times[name])
    if of == "s":
        return f"{at:.2f} s, at most {most:g} s"
    base = statistics.median(old.times[name] if of == "old" else new.times[of])
    return f"{at / base:.2f} of {of if of != 'old' else 'old'}, at most {most:g}"


def page(new: Side, old: Side, rounds: int, commit: str, only: str = "") -> str:
    about = machine.describe(None)
    command = f"--old {commit} --rounds {rounds}" + (f" --only {only!r}" if only else "")
    lines = [
        "# Time to a verdict",
        "",
        f"`python -m benchmarks.time_to_verdict {command}`: processor seconds, smallest, median "
        f"and largest of {rounds} rounds, in turns; old is commit {commit}.",
        "",
        "; ".join(f"{key} {value}" for key, value in about.items() if isinstance(value, str | int | float)),
        "",
        "| what | old | new | new/old | goal |",
        "|---|---|---|---|---|",
    ]
    for name in MEASURED:
        if name in new.times:
            before, now = old.times.get(name), new.times[name]
            ratio = f"{statistics.median(now) / statistics.median(before):.2f}" if before else ""
            times = f"{spread(before) if before else 'does not run'} | {spread(now)}"
            lines.append(f"| {name} | {times} | {ratio} | {goal(name, new, old)} |")
    for name in (n for n in SCRIPTS if n in new.times):
        with_what = LIBRARIES.get(name, "NumPy, SciPy, Matplotlib")
        lines.append(f"| {name} ({with_what}) | | {spread(new.times[name])} | | |")
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.time_to_verdict", description=__doc__)
    parser.add_argument("--old", required=True, help="an earlier commit")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="pattern of the names of what is measured")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "old"
        subprocess.run(["git", "worktree", "add", "--detach", "-f", tree, asked.old], cwd=ROOT, check=True)
        try:
            sides = [
                Side("old", tree, Path(folder) / "desk-old"),
                Side("new", ROOT, Path(folder) / "desk-new"),
            ]
            for side in sides:
                side.desk.mkdir()
                shutil.copyfile(THEOREM, side.desk / "my_claim.py")
                table_of_runs(side.desk / "table.csv")
            for line in measured(sides[1], sides[0], asked.rounds, asked.only):
                print(line, file=sys.stderr, flush=True)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)
    text = page(sides[1], sides[0], asked.rounds, asked.old, asked.only)
    print(text)
    RESULT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
