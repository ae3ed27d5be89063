"""``python -m tests.faults --kills 1000 --flips 10000 ...``: a table of outcomes; status 1 if a promise is broken."""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.trials import Campaign

TRIALS = {  # name -> (how often by default, what)
    "kills": (20, "signals to the command or its workers"),
    "cluster": (5, "processes lost in a cluster"),
    "writers": (2, "several commands on one store"),
    "full_disks": (5, "a disk without room"),
    "read_only_stores": (2, "a store that cannot be written"),
    "clocks": (3, "a clock that jumps"),
    "little_memory": (5, "less memory than is needed"),
    "flips": (500, "damage to one kept file"),
    "damaged_stores": (3, "a command on damaged results"),
    "command_lines": (50, "fuzzed command lines"),
    "scripts": (20, "fuzzed papers"),
}


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    for name, (times, what) in TRIALS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=times, metavar="N", help=what)
    parser.add_argument(
        "--seed", type=int, default=0, help="of the choices; moments are never the same twice"
    )
    asked = vars(parser.parse_args(words))
    with tempfile.TemporaryDirectory(prefix="faults-", ignore_cleanup_errors=True) as base:
        began = time.monotonic()
        campaign = Campaign(Path(base), random.Random(asked["seed"]))
        with contextlib.suppress(KeyboardInterrupt):  # the table of what was done is printed all the same
            for name in (name for name in TRIALS if asked[name]):
                getattr(campaign, name)(asked[name])
                print(f"{name}: done after {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    table = campaign.table
    print(f"{'trial':<24}{'times':>7}  outcomes")
    for trial, outcomes in table.counts.items():
        said = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
        print(f"{trial:<24}{outcomes.total():>7}  {said}")
    total = sum(c.total() for c in table.counts.values())
    broken = sum(c["BROKEN"] for c in table.counts.values())
    print(f"{total} trials, {broken} broken promises.")
    for fault in table.faults:
        print(fault)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
