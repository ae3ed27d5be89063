"""One thread each for the libraries of linear algebra: parallelism comes from processes.

The matrices here are small. On a busy machine, threads that wait for each other in a loop cost three times the work.
"""

import os

LIBRARIES = ("OMP", "OPENBLAS", "MKL")


def one_each() -> None:
    """For this process, if it has not yet imported NumPy, and for those that it starts; the user's setting counts."""
    for library in LIBRARIES:
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
