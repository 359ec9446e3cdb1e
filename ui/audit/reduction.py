"""The last question of an audit: which findings say the same, and a summary. It neither adds nor changes any. Pure."""

import json
from collections.abc import Iterator, Sequence

import msgspec

from actors.texts.token_estimate import of_text
from ui.common.harmless import exposed_line
from ui.findings.finding import Finding

NEAR = 5
"""Lines between two places that may be one mistake."""
LONGEST_SUMMARY = 1200
"""Characters."""
LONGEST_WHY = 300


class Said(msgspec.Struct, frozen=True):
    same: tuple[tuple[str, ...], ...] = ()
    summary: str = ""


def question(findings: Sequence[Finding], most_tokens: int) -> str:
    """The worst of them, where all are too many."""
    rows: list[str] = []
    left = most_tokens
    for number, one in enumerate(findings, start=1):
        row = json.dumps(_told(number, one), ensure_ascii=False)
        left -= of_text(row)
        if left < 0:
            break
        rows.append(row)
    return "\n".join(rows)


def _told(number: int, finding: Finding) -> dict[str, object]:
    return {
        "id": str(number),
        "severity": finding.severity,
        "kind": finding.kind,
        "title": finding.title,
        "path": finding.path,
        "lines": [finding.first_line, finding.last_line],
        "why": finding.why[:LONGEST_WHY],
    }


def said(text: str) -> Said:
    """What can be used of an answer."""
    try:
        read = msgspec.json.decode(text[text.find("{") : text.rfind("}") + 1], type=Said)
    except msgspec.DecodeError:
        return Said()
    summary = exposed_line(" ".join(read.summary.split()))
    return Said(read.same, summary if len(summary) <= LONGEST_SUMMARY else f"{summary[:LONGEST_SUMMARY]} […]")


def merged(findings: Sequence[Finding], same: Sequence[Sequence[str]]) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """Of each group the first, and the fingerprints of the others: only what lies together in one file can be the same.

    So a text that makes the model call all the same hides nothing. findings: the worst first.
    """
    gone: set[int] = set()
    for first, *others in sorted(sorted(set(_numbers(group, len(findings)))) or [0] for group in same):
        if first not in gone:
            gone |= {other for other in others if _may_be_same(findings[first], findings[other])}
    kept = tuple(one for number, one in enumerate(findings) if number not in gone)
    return kept, tuple(findings[number].fingerprint for number in sorted(gone))


def _numbers(group: Sequence[str], count: int) -> Iterator[int]:
    """From 0 on."""
    for one in group:
        if one.isascii() and one.isdigit() and len(one) < 9 and 1 <= int(one) <= count:
            yield int(one) - 1


def _may_be_same(first: Finding, other: Finding) -> bool:
    if not (first.placed and other.placed and first.path == other.path):
        return False
    return max(first.first_line, other.first_line) - min(first.last_line, other.last_line) <= NEAR
