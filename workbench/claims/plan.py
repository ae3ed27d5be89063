"""The plan of a paper: what was chosen from pilot runs, before any verdict was seen.

Three things are chosen: where the window of each reading starts; how much narrower than the author gave it the
tolerance of a claim may be; and which claims a profile leaves out because its horizon or its runs would not decide them
reliably. Pilot runs use the noise of `SEEDS`, with which nothing is ever verified. `workbench plan` makes the plan by
the rules of `workbench.claims.windows` and `workbench.verdicts.studies.planner` and writes it beside the paper's
experiments, where it is committed; from then on it is only read, by whoever evaluates claims, and given to them. It
names claims and readings by their ids (`workbench.claims.identifiers`). A digest tells where somebody has chosen a
window by hand after all.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from workbench.claims.records import PROFILES
from workbench.homes import disk, papers

STARTS = tuple(2.0**-j for j in range(10, 1, -1))  # of windows: shares of the horizon, the earliest first
# Tolerances of an exponent or a level that are tried before a wider one. What holds with the first would not hold if it
# were wrong by 0.06, with the second by 0.1; by half of that where the estimate lies on the claim.
LADDER = (0.03, 0.05)
SEEDS = (900, 901, 902)  # of pilot runs; `workbench verify` warns where it is given one of them
SAFE = (
    3.7  # standard errors of margin with which a claim stays in: one missed decision in ten thousand if exact
)
# A claim must also be decided with a run `FARTHER` times as far out as the farthest of its pilot. Where the tail falls
# as slowly as t^-2, one seed in thirteen meets a run more than twice as far out as the farthest of three pilots; a
# claim with `AFTER` standard errors left then is missed by one in a hundred of those.
FARTHER = 2.0
AFTER = 2.3
RULE = 5  # version of the rules; `workbench plan --check` says where a plan was made by others
PIECES = ("windows", "tolerances", "margins", "open", "against", "judged")


class BadPlan(ValueError):
    """A file that is no plan. The message is one sentence addressed to the user."""


@dataclass(frozen=True)
class Tolerance:
    """The tolerance chosen for a claim of this exponent or level, of which the author gives that tolerance.

    Another exponent, or another tolerance given, is another claim: for it nothing is chosen.
    """

    claimed: float
    given: float
    chosen: float

    def is_of(self, claimed: float, given: float) -> bool:
        return (f"{claimed:.6g}", f"{given:.6g}") == (f"{self.claimed:.6g}", f"{self.given:.6g}")


@dataclass(frozen=True)
class Piloted:
    """What the pilot runs of one profile gave, by the ids of readings and claims.

    seeds: with which they were made. windows: reading -> start, as a share of the horizon. margins: claim -> distance,
    in standard errors, by which it is decided as expected beyond what its error budget asks for
    (`workbench.verdicts.studies.planner`). open: claim -> why it is left out. against: those of them that more runs
    would not bring back, because the pilots do not show what is claimed. rule: version of the rules that chose. judged:
    claim that is left out -> digest of what the pilots judged (`workbench.verdicts.verify.judgement`); a claim or
    method that was changed since is another one. tolerances: claim -> tolerance, where the author gives a wider one
    than the narrowest of `LADDER`. statistics: digest of the statistics that judged
    (`workbench.verdicts.studies.statistics_digest`), "" where it was not kept.
    """

    windows: Mapping[str, float] = field(default_factory=dict)
    margins: Mapping[str, float] = field(default_factory=dict)
    open: Mapping[str, str] = field(default_factory=dict)
    seeds: tuple[int, ...] = ()
    rule: int = RULE
    judged: Mapping[str, str] = field(default_factory=dict)
    tolerances: Mapping[str, Tolerance] = field(default_factory=dict)
    against: Mapping[str, bool] = field(default_factory=dict)
    statistics: str = ""


@dataclass(frozen=True)
class Plan:
    """The plan of one paper by profile; empty for a paper without one.

    seed: the user's, for lines that draw numbers of their own.
    """

    profiles: Mapping[str, Piloted] = field(default_factory=dict)
    seed: int = 0

    def start(self, reading: str) -> float | None:
        """The start of a reading's window: the latest of those that the piloted profiles need; None if unplanned."""
        starts = [p.windows[reading] for p in self.profiles.values() if reading in p.windows]
        return max(starts, default=None)

    def tolerance(self, claim: str, claimed: float, given: float) -> float:
        """The tolerance of a claim: the widest of those that the piloted profiles need, and no wider than given."""
        entries = [p.tolerances[claim] for p in self.profiles.values() if claim in p.tolerances]
        return min(given, max((e.chosen for e in entries if e.is_of(claimed, given)), default=given))

    def as_given(self) -> Plan:
        """The plan with the authors' tolerances, for a horizon or runs that the pilots have not seen."""
        return Plan({name: replace(part, tolerances={}) for name, part in self.profiles.items()})

    def why_open(self, claim: str, profile: str) -> str:
        """Why a profile leaves a claim out, or ""."""
        part = self.profiles.get(profile)
        return part.open.get(claim, "") if part else ""

    def is_against(self, claim: str, profile: str) -> bool:
        """Whether a profile leaves a claim out because its pilots do not show it, and not for want of runs."""
        return profile in self.profiles and claim in self.profiles[profile].against

    def text(self) -> str:
        """As written to the file."""
        document: dict[str, Any] = {
            "profiles": {
                name: {
                    "rule": part.rule,
                    "statistics": part.statistics,
                    "seeds": list(part.seeds),
                    **{piece: _plain(getattr(part, piece)) for piece in PIECES},
                }
                for name, part in self.profiles.items()
            },
        }
        return json.dumps({**document, "digest": _digest(document["profiles"])}, indent=1) + "\n"


UNPLANNED = Plan()


def _plain(entries: Mapping[str, Any]) -> dict[str, Any]:
    """By name, with records as dictionaries."""
    return {n: vars(e) if isinstance(e, Tolerance) else e for n, e in sorted(entries.items())}


def file_of(paper: str) -> Path | None:
    """Where the plan of a paper lies or would lie; None for a key that is no paper."""
    home = papers.home_of(paper)
    return home.beside("plan.json") if home else None


def of(paper: str) -> Plan:
    """The plan of a paper. Raises BadPlan for a file that is no plan."""
    return read(file_of(paper))


def read(file: Path | None) -> Plan:
    """The plan in a file, empty where there is none. Raises BadPlan for any other content."""
    if file is None:
        return Plan()
    try:
        document = disk.read_json(file)
    except FileNotFoundError:
        return Plan()
    except (OSError, ValueError) as error:
        raise BadPlan(
            f"{file} cannot be read as a plan ({error}); `workbench plan` makes a new one"
        ) from None
    try:
        if document["digest"] != _digest(document["profiles"]):
            raise BadPlan(
                f"{file} does not match its digest: it was damaged or changed by hand; `workbench plan` makes a new one"
            )
        if foreign := sorted(document["profiles"].keys() - set(PROFILES)):
            raise ValueError(f"there is no profile {foreign[0]!r}")
        return Plan({name: _pilot_part(entries) for name, entries in document["profiles"].items()})
    except BadPlan:
        raise
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise BadPlan(f"{file} is no plan ({error!r}); `workbench plan` makes a new one") from None


def _digest(profiles: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(profiles, sort_keys=True).encode()).hexdigest()


def _pilot_part(entries: Mapping[str, Any]) -> Piloted:
    windows = {str(name): float(start) for name, start in entries["windows"].items()}
    for name, start in windows.items():
        if start not in STARTS:
            raise ValueError(f"the window of {name} starts at {start}, which no rule chooses")
    rule = int(entries.get("rule", 1))
    if not 1 <= rule <= RULE:
        raise ValueError(f"there is no rule {rule}")
    seeds = tuple(map(int, entries["seeds"]))
    if not set(seeds) <= set(SEEDS):
        raise ValueError(f"{max(set(seeds) - set(SEEDS))} is no pilot seed")
    margins = {str(name): float(margin) for name, margin in entries["margins"].items()}
    if not all(map(math.isfinite, margins.values())):
        raise ValueError("a margin is not finite")
    open_claims = {str(name): str(why) for name, why in entries["open"].items()}
    # Plans of before this piece: a claim without a margin is one that no number of runs decides.
    against = {str(n): True for n in entries.get("against", open_claims.keys() - margins.keys())}
    # Digests of before rule 5 had every bit of a number in them, and so were others on another processor.
    judged = {str(name): str(verdict) for name, verdict in entries.get("judged", {}).items() if rule > 4}
    tolerances = entries["tolerances"] if rule > 3 else entries.get("tolerances", {})
    admitted = {str(name): _tolerance(name, entry) for name, entry in tolerances.items()}
    if tolerances and rule < 4:
        raise ValueError(f"rule {rule} chooses no tolerances")
    statistics = str(entries.get("statistics") or "")
    return Piloted(windows, margins, open_claims, seeds, rule, judged, admitted, against, statistics)


def _tolerance(name: str, entry: Mapping[str, Any]) -> Tolerance:
    """Raises ValueError for numbers that no rule chooses, and TypeError for anything but the three numbers."""
    numbers = Tolerance(**entry)
    for number in vars(numbers).values():
        if type(number) not in (int, float) or not math.isfinite(number):
            raise ValueError(f"the tolerance of {name} has {number!r}, which is no number")
    if not LADDER[0] <= numbers.chosen <= numbers.given:
        raise ValueError(f"the tolerance of {name} is {numbers.chosen!r}, which no rule chooses")
    return numbers
