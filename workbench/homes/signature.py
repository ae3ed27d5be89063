"""Signatures of this user: what he wrote into a folder that others may write to is told from what they wrote.

The key lies in the user's cache folder, like the compiled kernels, which are trusted as programs are.
"""

from __future__ import annotations

import hmac
import os
import secrets
from functools import cache

from workbench.homes import disk

BYTES = 32


def signature(body: bytes) -> str:
    """HMAC-SHA256 of some bytes in hexadecimal digits (RFC 2104); "" for a user without a folder for a key."""
    key = _key()
    return hmac.digest(key, body, "sha256").hex() if key else ""


def is_mine(body: bytes, mark: object) -> bool:
    """Whether this user signed the bytes."""
    own = signature(body)
    return bool(own) and isinstance(mark, str) and hmac.compare_digest(own.encode(), mark.encode())


@cache
def _key() -> bytes:
    folder = disk.cache_folder()
    if folder is None:
        return b""
    path = folder / "signature.key"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with disk.lock(folder / "signature.lock"):
            if not path.exists() or path.stat().st_size != BYTES:
                path.unlink(missing_ok=True)
                handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                os.write(handle, secrets.token_bytes(BYTES))
                os.close(handle)
            return disk.read(path, BYTES)
    except OSError:
        return b""
