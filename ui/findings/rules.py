"""The kinds that findings are of: what each means, its number in the CWE, how bad it usually is, what helps. Pure."""

import re
from typing import NamedTuple

from ui.findings.finding import Severity

OTHER = "other"


class Rule(NamedTuple):
    kind: str
    cwe: int
    """0 for none: it is no weakness of security."""
    score: float
    """How bad it usually is, as CVSS counts, 0 to 10."""
    means: str
    help: str
    """What helps."""


RULES = (
    Rule("sql-injection", 89, 8.8, "Text from outside becomes part of a database query.",
         "Bind values as parameters. Take names of tables and columns from a fixed list."),
)  # fmt: skip
BY_KIND = {rule.kind: rule for rule in RULES}
BY_CWE = {rule.cwe: rule.kind for rule in reversed(RULES) if rule.cwe}
ALIASES = {"sqli": "sql-injection"}
BANDS: dict[Severity, tuple[float, float]] = {
    "critical": (9.1, 10.0), "high": (7.0, 8.9), "medium": (4.0, 6.9), "low": (0.1, 3.9), "info": (0.0, 0.0)
}  # fmt: skip


def kind_of(said: str, cwe: str) -> str:
    """A slug of at most 40 characters."""
    slug = re.sub(r"[^a-z0-9]+", "-", said.casefold()).strip("-")[:40].strip("-")
    slug = ALIASES.get(slug, slug)
    number = re.search(r"\d{1,5}", cwe or said)
    if slug in BY_KIND or number is None:
        return slug or OTHER
    return BY_CWE.get(int(number[0]), slug or OTHER)


def rule_of(kind: str) -> Rule:
    """Of a kind that is not in the table: what its name says."""
    return BY_KIND.get(kind) or Rule(kind, 0, 0.0, f"A problem of the kind {kind}.", "What to do is in the finding.")


def security_severity(rule: Rule, severity: Severity) -> float:
    """As code scanning counts: the usual score of the kind, within what the finding's own severity means."""
    least, most = BANDS[severity]
    return min(max(rule.score, least), most)
