"""The optional libraries of optimizers: what imports them, and what says that one is missing."""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

EXTRA = ("jax", "optax", "torch")  # what the extra installs


class MissingLibrary(ValueError):
    """A library that is needed and cannot be imported; the message is one sentence for users."""


def _missing(name: str, error: ImportError) -> MissingLibrary:
    top = name.partition(".")[0]
    how = (
        "install it with `pip install 'theorem-workbench[optimizers]'`"
        if top in EXTRA
        else "is it installed here?"
    )
    return MissingLibrary(f"{top} cannot be imported ({error}): {how}")


def library(name: str) -> Any:
    """The module of a library. Raises MissingLibrary."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise _missing(name, error) from None


def has(name: str) -> bool:
    """Whether a library can be imported."""
    try:
        library(name)
    except MissingLibrary:
        return False
    return True


def lookup(name: str) -> Any:
    """What "optax.contrib.muon" names. Raises MissingLibrary, ValueError where there is no such name."""
    parts = name.split(".")
    for n in range(len(parts) - 1, 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:n]))
        except ModuleNotFoundError as error:
            if n == 1 or not name.startswith(str(error.name)):
                raise _missing(name, error) from None
            continue
        for part in parts[n:]:
            if not hasattr(value, part):
                raise ValueError(f"{'.'.join(parts[:n])} has no {part!r}, asked for by {name}")
            value = getattr(value, part)
        return value
    raise ValueError(f"{name!r} names no optimizer; wanted library.name, as optax.adagrad")


@cache
def version(top: str) -> str:
    """The version of the installed distribution that has a top-level module; "" for a file or folder of the user's."""
    if not top:
        return ""
    try:
        return importlib.metadata.version(top)
    except importlib.metadata.PackageNotFoundError:
        names = importlib.metadata.packages_distributions().get(top, ())
        return importlib.metadata.version(names[0]) if names else ""


@contextmanager
def float64() -> Iterator[Any]:
    """JAX with 64-bit floats, on the CPU, while it is entered; the setting of the user's own code is left alone."""
    jax = library("jax")
    has_own = hasattr(jax, "enable_x64")  # in older versions it is experimental
    switch = jax.enable_x64 if has_own else importlib.import_module("jax.experimental").enable_x64
    with switch(True), jax.default_device(jax.devices("cpu")[0]):
        yield jax
