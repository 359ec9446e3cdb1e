"""A finding: first as a model says it, then as it was checked against the file. Nothing here is checked by itself."""

from collections.abc import Iterable
from typing import Literal, get_args

import msgspec

Severity = Literal["critical", "high", "medium", "low", "info"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""The worst first."""


class Raw(msgspec.Struct, frozen=True, kw_only=True):
    """As a model says it: bounded, and harmless to print but for the quote. Nothing in it need be true."""

    severity: Severity
    title: str
    """One line."""
    path: str
    """As it was said; "" for none."""
    first_line: int
    last_line: int
    """From 1 on; 0 where it was not said."""
    quote: str
    """As it was said. It is only ever compared with the file, never shown."""
    why: str
    fix: str
    kind: str
    """A short slug, such as "sql-injection"."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """As it was checked: where it is placed, its quote stands in these lines of that file."""

    severity: Severity
    title: str
    path: str
    """Relative to the workspace, with "/"; "" where it is not placed."""
    first_line: int
    last_line: int
    """From 1 on, both included; 0 where it is not placed."""
    quote: str
    """Whole lines of the file, as many as may be shown; "" where it is not placed."""
    why: str
    fix: str
    kind: str
    placed: bool
    fingerprint: str
    """32 hexadecimal digits: the same for the same finding, also when lines before it come or go."""


class Dropped(msgspec.Struct, frozen=True):
    """Said, and not to be believed."""

    reason: str
    """One of a few, so that they can be counted."""


def order(finding: Finding) -> tuple[int, bool, str, int, str, str]:
    """A key to sort by: the worst first, then by place; those without one come last."""
    worst = SEVERITIES.index(finding.severity)
    return (worst, not finding.placed, finding.path, finding.first_line, finding.title, finding.fingerprint)


def has_failed(findings: Iterable[Finding], at: Severity) -> bool:
    """Is one as bad as this, or worse? Those without a place count too: what a model places wrong may well be there."""
    return any(SEVERITIES.index(one.severity) <= SEVERITIES.index(at) for one in findings)
