"""Fixtures and profiles shared by all tests.

Array libraries: the fixture ``xp`` runs a test on NumPy, on array-api-strict (which rejects everything that the
array-API standard does not guarantee, and so finds most GPU problems on a laptop) and on CuPy. The CuPy case has the
mark ``gpu``; ``pytest -m gpu`` runs only these.

Hypothesis: the profile "ci" (default) draws the same examples every time; "wide" draws many random ones
(``pytest --hypothesis-profile=wide``) and prints a blob that reproduces a failing example.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from threadpoolctl import threadpool_limits

from workbench.arrays import backends, data_matrix
from workbench.arrays.random import Draws
from workbench.homes import disk, papers, threads
from workbench.ledger import outcomes
from workbench.run import catalog
from workbench.theory.lemma import MEASURED

threads.one_each()  # for the processes that tests start
threadpool_limits(1, "blas")  # tests run beside each other

settings.register_profile(
    "ci", derandomize=True, max_examples=25, deadline=None, database=None, print_blob=True
)
settings.register_profile(
    "wide",
    max_examples=1000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci")

# A shell that starts the suite in the background makes it ignore Ctrl-C, as well as every process that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The suite's objects are many, and stay: looking through them for garbage took a tenth of its time.
gc.set_threshold(100_000, 50, 100)


@pytest.fixture(autouse=True)
def own_view() -> Iterator[None]:
    """Papers that a test opens, or narrows the view to, are not what the next one sees."""
    with papers.temporary_view():
        yield


def pytest_collection_finish() -> None:
    """What the tests consist of stays to the end, too."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Nor is it looked through five times when all is over."""
    gc.freeze()


SEED = 20240229


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test marked ``gpu`` is skipped, with the reason, where no device can be used."""
    if item.get_closest_marker("gpu") and (problem := backends.cupy_problem()):
        pytest.skip(problem)


def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that is new in each call of pytest, and the same for all of its processes."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session", autouse=True)
def one_simulation_for_all(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What one process of the suite simulates for `measured_lines`, the others read."""
    folder = shared_folder(tmp_path_factory) / "records"
    folder.mkdir(exist_ok=True)
    os.environ["WORKBENCH_TEST_RECORDS"] = str(folder)


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the outcome of every exact check of the ledgers, decided once for all processes of the suite.

    The folder is new in each call of pytest; what is decided there is what `test_ledger_papers` judges. A process that
    finds another one deciding waits, for as long as that takes.
    """
    folder = shared_folder(tmp_path_factory)
    checks = [
        (lemma, c) for lemma in catalog.lemmas().values() for c in lemma.checks if not isinstance(c, MEASURED)
    ]
    outcomes._outcomes.clear()  # what another test has decided by now lies elsewhere
    with disk.lock(folder / "exact.lock"):
        outcomes.ensure(checks, folder / "exact", os.cpu_count())
    return folder / "exact"


@pytest.fixture(
    params=["numpy", "array-api-strict", pytest.param("cupy", marks=pytest.mark.gpu)],
)
def backend_name(request: pytest.FixtureRequest) -> str:
    """Name of an array library; the test is skipped, with the reason, if it is unavailable."""
    try:
        return backends.resolve(request.param)
    except backends.BackendError as problem:
        pytest.skip(str(problem))


@pytest.fixture
def xp(backend_name: str) -> Any:
    """The namespace of ``backend_name``."""
    return backends.namespace(backend_name)


@pytest.fixture
def no_implicit_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """array-api-strict's arrays turn into NumPy's only where the workbench says so, as CuPy's do."""
    array_object = pytest.importorskip("array_api_strict._array_object")
    library, numpys = (str(Path(str(m.__file__)).parent) + os.sep for m in (array_object, np))
    allowed = (str(Path(str(backends.__file__))), str(Path(str(data_matrix.__file__))))

    def asked(self: Any, dtype: Any = None, copy: Any = None) -> np.ndarray:
        frame = sys._getframe(1)
        while frame.f_back is not None and frame.f_code.co_filename.startswith(numpys):
            frame = frame.f_back
        name = frame.f_code.co_filename
        if name not in allowed and not name.startswith(library):
            raise TypeError(f"implicit copy to NumPy at {name}:{frame.f_lineno}")
        return np.array(self._array, dtype=dtype)

    monkeypatch.setattr(array_object.Array, "__array__", asked)
    monkeypatch.delattr(
        array_object.Array, "__buffer__", raising=False
    )  # NumPy's other way, from Python 3.12 on


@pytest.fixture
def draws() -> Callable[..., Draws]:
    """``draws(runs, t=1, seed=SEED, xp=np)``: the noise of a batch, moved to iteration t."""

    def make(runs: int, t: int = 1, seed: int = SEED, xp: Any = np) -> Draws:
        return Draws(seed, np.arange(runs), xp).at(t)

    return make
