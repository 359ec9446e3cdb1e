"""A report for people, as Markdown: what models and files say can not pass for another part of it. Pure."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from ui.common.harmless import exposed_line
from ui.findings.finding import Finding
from ui.findings.report import Report, fingerprints_of, severities, transparency_facts
from ui.session_files.markdown import code, escaped, fenced

BEGINS = "<!-- Report of findings, written by Trouper. -->\n"
ENDS = "<!-- fingerprints:"
"""The last line has what a later run compares with; nothing that is quoted can stand behind it."""
WORD = re.compile(r"\S+")
LINKED = re.compile(r"://|@|www\.|#\d|GH-\d", re.IGNORECASE)
"""In a word that viewers of Markdown make a link of, or that calls somebody."""
BAR = re.compile(r"(?<!\\)\|")


def markdown(report: Report) -> str:
    return "".join(_pieces(report))


def prose(text: str) -> str:
    """Of one paragraph, behind other text of ours: nothing in it is a link, calls somebody, or is more than text."""
    return WORD.sub(lambda word: code(word[0]) if LINKED.search(word[0]) else escaped(word[0]), " ".join(text.split()))


def place(finding: Finding) -> str:
    """For people, one line; "" where it is not placed."""
    if not finding.placed:
        return ""
    last = f"-{finding.last_line}" * (finding.last_line > finding.first_line)
    return f"{exposed_line(finding.path)}:{finding.first_line}{last}"


def details(finding: Finding) -> Iterator[str]:
    """What is said of it, below its title."""
    if finding.quote:
        yield f"\n{fenced(finding.quote)}"
    if finding.why:
        yield f"\nWhy: {prose(finding.why)}\n"
    if finding.fix:
        yield f"\nFix: {prose(finding.fix)}\n" if "\n" not in finding.fix else f"\nFix:\n\n{fenced(finding.fix)}"


def _pieces(report: Report) -> Iterator[str]:
    yield f"{BEGINS}\n# {prose(report.title)}\n\n"
    if report.summary:
        yield f"Summary: {prose(report.summary)}\n\n"
    yield f"Findings: {severities(report)}\n"
    if report.findings:
        yield "\n| no. | severity | finding | place |\n| ---: | --- | --- | --- |\n"
        yield "".join(_row(number, one) for number, one in enumerate(report.findings, 1))
    for number, one in enumerate(report.findings, 1):
        yield f"\n## {number}. {one.severity}: {prose(one.title)}\n\n"
        yield f"Place: {code(place(one))}\n" if one.placed else "Place: none that was found in the files\n"
        yield f"\nKind: {code(one.kind)}\n"
        yield from details(one)
    yield f"\n## How this was made\n\n{_facts(report)}"
    yield f"\n{ENDS} {' '.join(fingerprints_of(report))} -->\n"


def _row(number: int, finding: Finding) -> str:
    where = code(place(finding)) if finding.placed else "not placed"
    return f"| {number} | {finding.severity} | {_cell(prose(finding.title))} | {_cell(where)} |\n"


def _cell(text: str) -> str:
    """A row is cut at each bar without a backslash before it, also within code."""
    return BAR.sub(r"\|", text)


def _facts(report: Report) -> str:
    written = datetime.fromtimestamp(report.written_at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    facts = {"Command": code(report.command), **{k: prose(v) for k, v in transparency_facts(report).items()}}
    return "".join(f"- {name}: {value}\n" for name, value in {**facts, "Written": written}.items())
