"""Which findings are the same: also after lines have moved, also when two answers speak of one. Pure."""

import hashlib
from collections.abc import Iterable

from ui.findings.finding import Finding, order

DIGITS = 32


def squeezed(text: str) -> str:
    """Without blanks: how it is indented and broken does not count."""
    return "".join(text.split())


def fingerprint(kind: str, path: str, quote: str, occurrence: int = 0) -> str:
    """occurrence: how many places before this one have the same quote, so that each of them counts."""
    parts = (kind, path, squeezed(quote), str(occurrence))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:DIGITS]


def deduplicated(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each once, as the worst that was said of it, in the order of reports."""
    first: dict[str, Finding] = {}
    for one in sorted(findings, key=order):
        first.setdefault(one.fingerprint, one)
    return tuple(first.values())
