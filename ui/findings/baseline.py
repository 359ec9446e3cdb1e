"""Findings that are known: from a former report of ours, in whichever of its forms."""

import re
from pathlib import Path

import msgspec

from actors.common.small_files import read_regular
from ui.common.usage_errors import Usage
from ui.findings import json_report, markdown, sarif

MOST = 256 * 1024 * 1024
"""Bytes of a report."""
FINGERPRINT = re.compile(r"\b[0-9a-f]{32}\b")
NOT_OURS = "it is no report of Trouper"


class _Fingerprinted(msgspec.Struct, frozen=True):
    fingerprint: str


class _Properties(msgspec.Struct, frozen=True):
    fingerprints: tuple[str, ...]


class _Named(msgspec.Struct, frozen=True):
    name: str


class _Tool(msgspec.Struct, frozen=True):
    driver: _Named


class _Run(msgspec.Struct, frozen=True):
    tool: _Tool
    properties: _Properties = _Properties(())


class _Written(msgspec.Struct, frozen=True):
    """Either of the two that are JSON, as far as it is read here: another program may have set it anew."""

    format: str = ""
    findings: tuple[_Fingerprinted, ...] = ()
    left_out: tuple[str, ...] = ()
    runs: tuple[_Run, ...] = ()


def read_baseline(path: Path) -> frozenset[str]:
    """The fingerprints in it. Raises Usage for what is no report of ours."""
    try:
        return fingerprints_in(read_regular(path, MOST).decode())
    except (OSError, ValueError, RecursionError, msgspec.DecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise Usage(f"cannot read --baseline {path}: {why}. Give a report as trouper has written it.") from error


def fingerprints_in(text: str) -> frozenset[str]:
    """Raises ValueError, RecursionError and msgspec.DecodeError for what is no report of ours."""
    if text.startswith(markdown.BEGINS.rstrip("\n")):
        last = text.rstrip().rpartition("\n")[2]
        if not last.startswith(markdown.ENDS):
            raise ValueError("its last line, which has the fingerprints, is missing")
        return frozenset(FINGERPRINT.findall(last))
    if not text.lstrip().startswith("{"):
        raise ValueError(NOT_OURS)
    written = msgspec.json.decode(text, type=_Written)
    runs = [run for run in written.runs if run.tool.driver.name == sarif.NAME]
    if written.format != json_report.FORMAT and not runs:
        raise ValueError(NOT_OURS)
    found = (*(one.fingerprint for one in written.findings), *written.left_out)
    return frozenset((*found, *(each for run in runs for each in run.properties.fingerprints)))
