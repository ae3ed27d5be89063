"""Loads Matplotlib faster, for commands: without the docstrings that it writes for its classes as it is imported.

They are a fifth of the time of that import, and nobody reads them in the process of a command. A notebook keeps them.
"""

from __future__ import annotations

import matplotlib.artist


def load() -> None:
    """To be called before anything else of Matplotlib is imported; later it changes nothing."""
    matplotlib.artist.kwdoc = lambda artist: ""
