"""Findings that are known: from a former report of ours, in whichever of its forms."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from actors.common.small_files import read_regular
from ui.common.usage_errors import Usage
from ui.findings import json_report, markdown, sarif
from ui.findings.finding import Finding

MOST = 256 * 1024 * 1024
"""Bytes of a report."""
FINGERPRINT = re.compile(r"[0-9a-f]{32}")


class Compared(NamedTuple):
    new: tuple[Finding, ...]
    known: tuple[Finding, ...]


class Properties(msgspec.Struct, frozen=True):
    fingerprints: tuple[str, ...]


class Run(msgspec.Struct, frozen=True):
    properties: Properties


class Sarif(msgspec.Struct, frozen=True):
    """As far as it is read here."""

    runs: tuple[Run, ...]


def read_baseline(path: Path) -> frozenset[str]:
    """The fingerprints in it. Raises Usage for what is no report of ours."""
    try:
        return fingerprints_in(read_regular(path, MOST).decode())
    except (OSError, ValueError) as error:
        raise Usage(f"cannot read --baseline {path}: {error}. Give a report as trouper has written it.") from error


def fingerprints_in(text: str) -> frozenset[str]:
    """Raises ValueError for what is no report of ours."""
    if text.startswith(markdown.BEGINS):
        last = text.rstrip("\n").rpartition("\n")[2]
        if not last.startswith(markdown.ENDS):
            raise ValueError("it has no last line with fingerprints")
        return _checked(FINGERPRINT.findall(last))
    if text.startswith(json_report.BEGINS):
        written = msgspec.json.decode(text, type=json_report.Written)
        return _checked((*(one.fingerprint for one in written.findings), *written.left_out))
    if text.startswith(sarif.BEGINS):
        return _checked(
            each for run in msgspec.json.decode(text, type=Sarif).runs for each in run.properties.fingerprints
        )
    raise ValueError("it is no report of ours")


def compared(findings: Iterable[Finding], known: frozenset[str]) -> Compared:
    findings = tuple(findings)
    return Compared(
        tuple(one for one in findings if one.fingerprint not in known),
        tuple(one for one in findings if one.fingerprint in known),
    )


def _checked(found: Iterable[str]) -> frozenset[str]:
    return frozenset(one for one in found if FINGERPRINT.fullmatch(one))
