"""The user's settings for running simulations, validated once."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.claims.records import PROFILES
from workbench.claims.runs import SOURCES
from workbench.engine.validate import ENGINES
from workbench.homes.usage import UsageError
from workbench.run import connection

__all__ = ["DEFAULT", "LARGEST", "Options", "UsageError"]

LARGEST = (1 << 32) - 1  # iterations and noise identities are 32-bit words of the generator's counter


@dataclass(frozen=True)
class Options:
    """How simulations are run. ``horizon`` and ``runs`` override the profile's numbers for every simulation."""

    profile: str = "default"
    backend: str = "auto"
    engine: str = "auto"
    seed: int = 0
    horizon: int | None = None
    runs: int | None = None
    jobs: int | None = None
    fast: bool = False  # compiled kernels may fuse a * b + c; such results are stored under separate keys
    data: str = "bundled"  # or "real": the papers' own data sets, for experiments that can fetch one
    cluster: str | None = None  # "local:N", a scheduler's address, or a file: see `workbench.run.connection`

    @property
    def has_own_size(self) -> bool:
        """Whether horizon or runs are the user's own."""
        return self.horizon is not None or self.runs is not None

    def __post_init__(self) -> None:
        if self.profile not in PROFILES:
            raise UsageError(f"unknown profile {self.profile!r}; choose one of {', '.join(PROFILES)}")
        if self.engine not in ENGINES:
            raise UsageError(f"unknown engine {self.engine!r}; choose one of {', '.join(ENGINES)}")
        if self.data not in SOURCES:
            raise UsageError(f"unknown data {self.data!r}; choose one of {', '.join(SOURCES)}")
        if self.horizon is not None and self.horizon < 1:
            raise UsageError(f"the horizon must be at least 1, got {self.horizon}")
        if self.runs is not None and self.runs < 2:
            raise UsageError(f"intervals over runs need at least 2 runs, got {self.runs}")
        for name, number in (("horizon", self.horizon), ("number of runs", self.runs)):
            if number is not None and number > LARGEST:
                raise UsageError(
                    f"the {name} must be below 2^32, got {number}: the noise generator has a 32-bit counter"
                )
        if not 0 <= self.seed < 1 << 64:
            raise UsageError(f"the seed must lie in [0, 2^64), got {self.seed}")
        if self.jobs is not None and self.jobs < 1:
            raise UsageError(f"the number of processes must be at least 1, got {self.jobs}")
        if self.cluster is not None and (obstacle := connection.problem(self.cluster)):
            raise UsageError(obstacle)


DEFAULT = Options()
