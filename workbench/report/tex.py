"""The TeX program: whether it is there, how to get it, and a document compiled with it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from workbench.homes import disk

PROGRAM = "latexmk"
OPTIONS = "-pdf -silent -halt-on-error -interaction=nonstopmode"
DEBIAN = ("latexmk", "lmodern", "texlive-fonts-recommended", "texlive-latex-extra")
REMEDY = f"apt-get install --no-install-recommends {' '.join(DEBIAN)}"
BUILD = "build"  # the folder of what TeX leaves behind, below that of the document
SECONDS = 600
WIDE = 10.0  # points by which a line may stick out of the page; what is wider is cut off or hard to read


class TexError(Exception):
    """TeX is missing, or does not accept the document, or a line of it runs off the page; the message is a sentence."""


def problem() -> str | None:
    """Why no PDF can be made here; None if one can."""
    if shutil.which(PROGRAM) is None or shutil.which("pdflatex") is None:
        return f"no TeX is installed; on Debian or Ubuntu get it with: {REMEDY}"
    return None


def compile_pdf(document: Path) -> Path:
    """The PDF beside a document.

    Raises TexError without TeX, for a mistake in the document, and after `SECONDS`; and for what runs off the page,
    when the PDF is there to be looked at.
    """
    if reason := problem():
        raise TexError(f"{document.with_suffix('.pdf')} was not made: {reason}")
    folder = document.parent
    call = [PROGRAM, *OPTIONS.split(), f"-outdir={BUILD}", document.name]
    try:
        process = subprocess.run(call, cwd=folder, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise TexError(f"TeX did not finish {document} within {SECONDS} seconds") from None
    pdf = folder / BUILD / document.with_suffix(".pdf").name
    if process.returncode or not pdf.is_file():
        raise TexError(f"TeX does not accept {document}: {_mistake(pdf.with_suffix('.log'))}")
    disk.replace(document.with_suffix(".pdf"), disk.read(pdf))
    if reason := too_wide(disk.read(pdf.with_suffix(".log")).decode(errors="replace")):
        raise TexError(f"in {document.with_suffix('.pdf')} {reason}")
    return document.with_suffix(".pdf")


def too_wide(log: str) -> str:
    """What of a document runs off its page, as its log says it; "" if nothing does."""
    boxes = re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\) (.*)", log)
    wide = [f"{float(points):.0f} pt {where.strip()}" for points, where in boxes if float(points) > WIDE]
    return f"something runs off the page, by {', by '.join(wide)}" if wide else ""


def _mistake(log: Path) -> str:
    """The first error of a log, with its line."""
    try:
        text = disk.read(log).decode(errors="replace")
    except OSError:
        return "there is no log"
    error = re.search(r"^! (.*)$", text, re.MULTILINE)
    where = re.search(r"^l\.(\d+)", text, re.MULTILINE)
    message = error.group(1) if error else "see its log"
    return f"{message} (line {where.group(1)}; {log})" if where else f"{message} ({log})"
