"""A report as JSON: for programs, and to compare a later run with. Pure."""

import msgspec

from ui.common.json_text import pretty
from ui.findings.finding import Finding
from ui.findings.report import Report, Transparency

FORMAT = "trouper-findings"
VERSION = 1
BEGINS = f'{{\n  "format": "{FORMAT}",'


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """All of the file; what it is comes first."""

    format: str
    version: int
    made_by: str
    title: str
    command: str
    summary: str
    folder: str
    findings: tuple[Finding, ...]
    transparency: Transparency
    left_out: tuple[str, ...]
    written_at: float


def json_report(report: Report) -> str:
    return pretty(Written(format=FORMAT, version=VERSION, **msgspec.structs.asdict(report)))
