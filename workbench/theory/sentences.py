"""Sentences of the records: English with formulas in LaTeX between dollar signs, "at most $C T^{-1/4}$"."""

from __future__ import annotations

from collections.abc import Iterator

SMALL = "alpha beta gamma delta zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega"
LARGE = "Gamma Delta Theta Lambda Phi Psi Sigma Omega Pi"
GREEK = tuple(f"{SMALL} {LARGE}".split())  # names of letters, in ASCII and in LaTeX


def parts(text: str) -> Iterator[tuple[bool, str]]:
    """Text and formulas in turn, as (whether it is a formula, what it says).

    Raises ValueError for a dollar sign without its partner, or with nothing between the two.
    """
    pieces = text.split("$")
    if len(pieces) % 2 == 0 or any(not piece.strip() for piece in pieces[1::2]):
        raise ValueError(f"formulas are LaTeX between two dollar signs; not so in {text!r}")
    for i, piece in enumerate(pieces):
        if piece:
            yield i % 2 == 1, piece


def check(where: str, text: str) -> None:
    """Raises ValueError, which names the place, for a sentence that `parts` cannot take apart."""
    try:
        list(parts(text))
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def head(text: str) -> str:
    """What stands before the first comma of the prose; commas of formulas do not count."""
    beginning = ""
    for formula, piece in parts(text):
        if not formula and "," in piece:
            return beginning + piece.partition(",")[0]
        beginning += f"${piece}$" if formula else piece
    return beginning
