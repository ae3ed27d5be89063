"""Text of somebody else for a terminal or a page: what would steer these is shown instead of obeyed."""

from __future__ import annotations

import re

# Control characters (but tab and line feed), and what turns the direction of writing (Unicode Standard Annex 9).
_HIDDEN = r"\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
_STEERING = re.compile(rf"[{_HIDDEN}\x1b]")
_BUT_STYLES = re.compile(rf"[{_HIDDEN}]|\x1b(?!\[[0-9;]*m)")


def visible(text: str, styles: bool = False) -> str:
    """The text with its code point in place of each such character: "[U+202E]". styles: colours are meant."""
    return (_BUT_STYLES if styles else _STEERING).sub(lambda match: f"[U+{ord(match[0]):04X}]", text)
