"""Is what an edit service wrote a whole file, and the same file with an edit? Pure."""

import re

from actors.common.plurals import how_many
from actors.confinement.errors import ToolFailed

SMALL, LARGE = 200, 500
"""Bytes of the original. Below the first any size may come back."""
LEAST_OF_LARGE = 50
"""Bytes that must be left of a larger one."""
LEAST_OF_MEDIUM = 0.3
"""The part that must be left of one between the two."""
_PLACEHOLDER = re.compile(r"\.\.\.\s*existing code\s*\.\.\.", re.IGNORECASE)


def checked(original: str, merged: str) -> str:
    """The text to write, its first and last line end as the original has them. Raises ToolFailed."""
    merged = merged.replace("\r\n", "\n") if "\r" not in original else merged
    if not merged.strip():
        raise ToolFailed("it is empty.")
    merged = _ends_repaired(original, merged)
    _check_size(len(original.encode()), len(merged.encode()))
    if original.endswith("\n") and not merged.endswith("\n"):
        raise ToolFailed("its last line end is lost, so its end may be, too.")
    if len(_PLACEHOLDER.findall(merged)) > len(_PLACEHOLDER.findall(original)):
        raise ToolFailed("a marker of the sketch is left in it.")
    if merged.lstrip().startswith("```") and not original.lstrip().startswith("```"):
        raise ToolFailed("it has a code fence around it.")
    if merged == original:
        raise ToolFailed("it is the file as it was, without the edit.")
    return merged


def _ends_repaired(original: str, merged: str) -> str:
    """The service puts a line end before and after the file."""
    if merged.startswith("\n") and not original.startswith("\n"):
        merged = merged[1:]
    if merged.endswith("\n\n") and not original.endswith("\n\n"):
        return merged[:-1]
    return merged.removesuffix("\n") if not original.endswith("\n") else merged


def _check_size(before: int, after: int) -> None:
    """The limits are those of an agent that has used this service for long."""
    least = LEAST_OF_LARGE if before > LARGE else before * LEAST_OF_MEDIUM if before >= SMALL else 0
    if after < least:
        raise ToolFailed(f"of {how_many(before, 'byte')} only {after} are left.")
