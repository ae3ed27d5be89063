"""Alphabets for few-shot tasks: generated glyphs, and Omniglot from a folder or archive of the user's.

An alphabet is (classes, examples, pixels), pixels in [0, 1] and a column of ones for the bias. Generated classes are
three strokes (quadratic Bezier curves with random control points); every example moves the control points a little,
turns, scales and shifts the whole, and adds noise.
"""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

VARIABLE = (
    "WORKBENCH_OMNIGLOT"  # names a folder or a zip file with <alphabet>/<character>/<drawing>.png below
)
STROKES, ALONG = 3, 12  # curves of a glyph, and points of a curve
PEN, WOBBLE, NOISE = (
    0.55,
    0.06,
    0.08,
)  # width of the pen in pixels; deviations of control points and of pixels


@cache
def synthetic(classes: int, examples: int, side: int = 8) -> np.ndarray:
    """(classes, examples, side^2 + 1); every call returns the same glyphs."""
    random = np.random.default_rng(29)
    control = random.uniform(0.05, 0.95, (classes, 1, STROKES, 3, 2))
    strokes = control + WOBBLE * random.standard_normal((classes, examples, STROKES, 3, 2))
    angle = random.uniform(-0.3, 0.3, (classes, examples))
    size = random.uniform(0.85, 1.15, (classes, examples, 1, 1))
    shift = random.uniform(-0.07, 0.07, (classes, examples, 1, 2))
    u = np.linspace(0.0, 1.0, ALONG)[:, None]
    bernstein = np.hstack([(1 - u) ** 2, 2 * u * (1 - u), u**2])
    points = (
        np.einsum("ab,...bi->...ai", bernstein, strokes).reshape(classes, examples, STROKES * ALONG, 2) - 0.5
    )
    turn = np.stack([np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)], -1)
    points = size * np.einsum("ceij,cepj->cepi", turn.reshape(classes, examples, 2, 2), points) + shift
    pixels = np.stack(np.meshgrid(np.arange(side), np.arange(side), indexing="ij"), -1).reshape(-1, 2)
    pixels_dark = np.zeros((classes, examples, side * side))
    for p in range(points.shape[2]):  # the pixel is as dark as the nearest point of the pen makes it
        distance = pixels - (points[:, :, p, None, :] * side + (side - 1) / 2)
        pixels_dark = np.maximum(pixels_dark, np.exp(-np.sum(distance**2, -1) / (2 * PEN**2)))
    pixels_dark = np.clip(pixels_dark + NOISE * random.standard_normal(pixels_dark.shape), 0.0, 1.0)
    return np.concatenate([pixels_dark, np.ones((classes, examples, 1))], axis=-1)


@cache
def omniglot(classes: int, examples: int, side: int = 21) -> np.ndarray:
    """(classes, examples, side^2 + 1) of Omniglot: the first drawings of randomly chosen characters, shrunk.

    Read from the folder or zip file named by the environment variable `VARIABLE`, such as images_background.zip of
    github brendenlake/omniglot. Raises ValueError, with one sentence, where it is missing, damaged or too small.
    """
    place = os.environ.get(VARIABLE, "")
    if not place:
        raise ValueError(
            f"Omniglot is not fetched automatically: let {VARIABLE} name its folder or zip file "
            "(images_background.zip of github brendenlake/omniglot), or use the generated glyphs"
        )
    path = Path(place)
    try:
        characters = _from_zip(path, examples) if path.is_file() else _from_folder(path, examples)
    except (OSError, zipfile.BadZipFile) as error:
        raise ValueError(f"{VARIABLE}: {path} cannot be read ({_short(error)})") from error
    if len(characters) < classes:
        raise ValueError(
            f"{VARIABLE}: {path} has {len(characters)} characters with {examples} drawings "
            f"(<alphabet>/<character>/*.png); {classes} are needed"
        )
    order = np.random.default_rng(31).permutation(len(characters))[:classes]
    names = sorted(characters)
    try:
        pictures = np.stack([[_image(reader(), side) for reader in characters[names[i]]] for i in order])
    except (ValueError, IndexError, OSError, struct.error, zlib.error, zipfile.BadZipFile) as error:
        raise ValueError(f"{VARIABLE}: an image in {path} is damaged ({_short(error)})") from error
    return np.concatenate([pictures, np.ones((*pictures.shape[:2], 1))], axis=-1)


def _short(error: Exception) -> str:
    return (" ".join(str(error).split()) or type(error).__name__)[:120]


def _from_folder(path: Path, examples: int) -> dict[str, list[Any]]:
    """Character -> functions that read its first drawings; characters with fewer are left out."""
    if not path.is_dir():
        raise FileNotFoundError("no such file or folder")
    characters: dict[str, list[Any]] = {}
    for image in sorted(path.rglob("*.png")):
        characters.setdefault(str(image.parent), []).append(image.read_bytes)
    return {name: reads[:examples] for name, reads in characters.items() if len(reads) >= examples}


def _from_zip(path: Path, examples: int) -> dict[str, list[Any]]:
    archive = zipfile.ZipFile(path)
    characters: dict[str, list[Any]] = {}
    for name in sorted(n for n in archive.namelist() if n.endswith(".png")):
        characters.setdefault(name.rpartition("/")[0], []).append(lambda name=name: archive.read(name))
    return {name: reads[:examples] for name, reads in characters.items() if len(reads) >= examples}


def _image(content: bytes, side: int) -> np.ndarray:
    """(side^2,) darkness in [0, 1] of a drawing: means over blocks of pixels that differ by at most one in size."""
    dark = 1.0 - gray(content)
    if min(dark.shape) < side:
        raise ValueError(f"{dark.shape[0]} x {dark.shape[1]} pixels are fewer than {side} x {side}")
    for axis in (0, 1):
        ends = np.linspace(0, dark.shape[axis], side + 1).astype(int)
        sizes = np.expand_dims(np.diff(ends), 1 - axis)
        dark = np.add.reduceat(dark, ends[:-1], axis=axis) / sizes
    return dark.ravel()


def gray(content: bytes) -> np.ndarray:
    """(rows, columns) in [0, 1] of a gray PNG that is not interlaced, as those of Omniglot are (one bit a pixel).

    Raises ValueError or zlib.error for anything else, and for damaged files: every part has a checksum.
    """
    if content[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("no PNG file")
    at, parts = 8, []
    while at + 12 <= len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        kind, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        if content[at + 8 + length : at + 12 + length] != struct.pack(">I", zlib.crc32(kind + body)):
            raise ValueError("a checksum is wrong")
        parts.append((kind, body))
        at += 12 + length
    head = dict(parts).get(b"IHDR", b"")
    if len(head) != 13 or parts[-1][0] != b"IEND":
        raise ValueError("the file is cut short")
    columns, rows, depth, colour, _, _, interlacing = struct.unpack(">IIBBBBB", head)
    if colour != 0 or depth not in (1, 2, 4, 8) or interlacing:
        raise ValueError("not a gray image of at most eight bits")
    width = -(-columns * depth // 8)
    filtered_lines = np.frombuffer(
        zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT")), np.uint8
    )
    lines = _undo_filters(filtered_lines.reshape(rows, width + 1))
    bits = np.unpackbits(lines, axis=1)[:, : columns * depth].reshape(rows, columns, depth)
    return bits @ (2.0 ** np.arange(depth - 1, -1, -1)) / (2.0**depth - 1.0)


def _undo_filters(filtered_lines: np.ndarray) -> np.ndarray:
    """The bytes of each line, whose first byte names the filter: none, left, up, mean of both, or Paeth's."""
    lines = np.zeros(
        (len(filtered_lines) + 1, filtered_lines.shape[1]), int
    )  # a line and a column of zeros before the first ones
    for y, (kind, *values) in enumerate(filtered_lines.astype(int).tolist()):
        for x, value in enumerate(values):
            left, up, corner = lines[y + 1, x], lines[y, x + 1], lines[y, x]
            if kind == 4:
                about = left + up - corner
                near = [(abs(about - v), place, v) for place, v in enumerate((left, up, corner))]
                guess = min(near)[2]  # of equally near ones the first
            else:
                guess = (0, left, up, (left + up) // 2)[kind]
            lines[y + 1, x + 1] = (value + guess) % 256
    return lines[1:, 1:].astype(np.uint8)
