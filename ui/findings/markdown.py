"""A report for people, as Markdown: what models and files say can not pass for another part of it. Pure."""

import functools
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
CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
WORD = re.compile(r"\S+")
LINKED = re.compile(r"//|@|www\.|\.[^\W\d_]{2}|#\d|GH-\d", re.IGNORECASE)
"""In a word that viewers of Markdown make a link of, or that calls somebody."""
NO_BAR = {ord("|"): "¦"}
"""In a row of a table even code ends at a bar, and with backslashes viewers differ."""


def markdown(report: Report) -> str:
    return "".join(_pieces(report))


def prose(text: str) -> str:
    """Of one paragraph, behind other text of ours: code stays code, and nothing else in it is more than text."""
    between_and_code = CODE.split(" ".join(text.split()))
    parts = [code(part) if at % 2 else _words(part) for at, part in enumerate(between_and_code)]
    return functools.reduce(_beside, parts)


def _beside(left: str, right: str) -> str:
    """Backticks of two that meet would be read as others."""
    return f"{left} {right}" if left.endswith("`") and right.startswith("`") else left + right


def _words(text: str) -> str:
    return WORD.sub(lambda word: code(word[0]) if LINKED.search(word[0]) else escaped(word[0]), text)


def place(finding: Finding) -> str:
    """For people, one line; "" where it is not placed."""
    if not finding.placed:
        return ""
    last = f"-{finding.last_line}" * (finding.last_line > finding.first_line)
    return f"{exposed_line(finding.path)}:{finding.first_line}{last}"


def where(finding: Finding) -> str:
    return code(place(finding)) if finding.placed else "not placed"


def details(finding: Finding, *, quoted: bool = True) -> Iterator[str]:
    """What is said of it, below its title. quoted: with the lines themselves."""
    if finding.quote and quoted:
        yield f"\n{fenced(finding.quote)}"
    if finding.why:
        yield f"\nWhy: {prose(finding.why)}\n"
    if finding.fix:
        yield f"\nFix:\n\n{fenced(finding.fix)}" if "\n" in finding.fix else f"\nFix: {prose(finding.fix)}\n"


def _pieces(report: Report) -> Iterator[str]:
    yield f"{BEGINS}\n# {prose(report.title)}\n"
    if report.summary:
        yield f"\nSummary: {prose(report.summary)}\n"
    yield f"\nFindings: {severities(report.findings)}\n"
    if report.findings:
        yield "\n| no. | severity | finding | place |\n| ---: | --- | --- | --- |\n"
        yield "".join(_row(number, one) for number, one in enumerate(report.findings, 1))
    for number, one in enumerate(report.findings, 1):
        yield f"\n## {number}. {one.severity}: {prose(one.title)}\n"
        yield f"\n- Place: {where(one)}\n- Kind: {code(one.kind)}\n"
        yield from details(one)
    yield f"\n## How this was made\n\n{_facts(report)}"
    yield f"\n{ENDS} {' '.join(fingerprints_of(report))} -->\n"


def _row(number: int, finding: Finding) -> str:
    title, at = prose(finding.title.translate(NO_BAR)), where(finding).translate(NO_BAR)
    return f"| {number} | {finding.severity} | {title} | {at} |\n"


def _facts(report: Report) -> str:
    written = datetime.fromtimestamp(report.written_at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    facts = {name: prose(value) for name, value in transparency_facts(report).items()}
    facts = {"Command": code(exposed_line(report.command)), **facts, "Written": written}
    return "".join(f"- {name}: {value}\n" for name, value in facts.items())
