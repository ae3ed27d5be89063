"""What a downloaded file may be instead of the table that was meant."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from workbench.homes import disk

# What a downloaded file may hold in place of the table that was meant, by its first bytes.
FORMS = {
    b"\x1f\x8b": "compressed (gzip): unpack it with gunzip",
    b"BZh": "compressed (bzip2): unpack it with bunzip2",
    b"\xfd7zXZ\0": "compressed (xz): unpack it with unxz",
    b"(\xb5/\xfd": "compressed (zstd): unpack it with unzstd",
    b"PK\x03\x04": "a ZIP archive: unpack it with unzip",
    b"version https://git-lfs": "a pointer of Git LFS, not the data: fetch these with git lfs pull",
    b"<!doctype html": "an HTML page, perhaps that of an error: download the file itself",
    b"<html": "an HTML page, perhaps that of an error: download the file itself",
}


def other_form(path: Path) -> str:
    """What a file is instead of a table of text, and what to do about it; "" if its first bytes tell nothing."""
    with suppress(OSError), disk.opened(path, sys.maxsize) as file:
        head = file.read(64).lstrip().lower()
        return next((what for start, what in FORMS.items() if head.startswith(start.lower())), "")
    return ""
