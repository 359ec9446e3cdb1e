"""The patch of a result, whether it is text there or has a file of its own."""

from pathlib import Path

from ui.batch.results import Result

BEGINNING = "diff --git "
"""Of every patch as `git diff` writes it; no absolute path begins so."""
MOST = 256 * 1024 * 1024
"""Bytes."""


def patch_of(result: Result) -> str:
    """As `git apply` takes it; "" where nothing was changed. Raises OSError and UnicodeDecodeError."""
    if not result.patch or result.patch.startswith(BEGINNING):
        return result.patch
    return Path(result.patch).read_bytes()[:MOST].decode()
