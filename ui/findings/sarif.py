"""A report as SARIF 2.1.0, as GitHub's code scanning takes it: its limits are kept here. Pure.

A result without a place makes GitHub refuse the whole file, so what is not placed is a notification of the run.
"""

import gzip
import re
from datetime import UTC, datetime
from urllib.parse import quote

from actors.common.plurals import how_many
from actors.version import VERSION
from ui.common.json_text import pretty
from ui.findings.finding import Finding, Severity
from ui.findings.report import Report, fingerprints_of, severities, transparency_facts
from ui.findings.rules import Rule, rule_of, security_severity

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
NAME = "Trouper"
BEGINS = f"""{{
  "$schema": "{SCHEMA}",
  "version": "2.1.0",
  "runs": [
    {{
      "tool": {{
        "driver": {{
          "name": "{NAME}","""
FINGERPRINT = "trouperFinding/v1"
LEVELS: dict[Severity, str] = {"critical": "error", "high": "error", "medium": "warning", "low": "note", "info": "note"}
MOST_RESULTS = 5000
"""GitHub refuses more than 25,000 in a run, and keeps 5,000 of those: which ones, we choose."""
MOST_BYTES = 9_500_000
"""GitHub refuses more than 10 MB, compressed by gzip; others may compress a little worse than we do."""
LONGEST_DESCRIPTION = 1024
"""Characters that GitHub takes of a rule's descriptions."""
LINK = re.compile(r"\](?=\()")
PLACEHOLDER = re.compile(r"\{(\d+)\}")


def sarif(report: Report) -> str:
    """The worst findings, as many of them as fit."""
    most = MOST_RESULTS
    while True:
        text = pretty(_log(report, most))
        if most == 0 or (size := len(gzip.compress(text.encode(), mtime=0))) <= MOST_BYTES:
            return text
        most = min(most, len(report.findings)) * MOST_BYTES // size * 9 // 10


def rule_id(finding: Finding) -> str:
    """With the severity in it: GitHub shows that of the rule, never that of a result."""
    return f"trouper/{finding.severity}/{finding.kind}"


def _log(report: Report, most: int) -> dict[str, object]:
    shown, placed = report.findings[:most], [one for one in report.findings[:most] if one.placed]
    rules = {rule_id(one): one for one in placed}
    index = {each: number for number, each in enumerate(rules)}
    driver = {
        "name": NAME,
        "semanticVersion": VERSION,
        "rules": [_rule(each, rule_of(one.kind), one.severity) for each, one in rules.items()],
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"trouper/{report.made_by}/"},
        "invocations": [_invocation(report, shown)],
        "results": [_result(report.folder, index[rule_id(one)], one) for one in placed],
        "columnKind": "unicodeCodePoints",
        "properties": {"fingerprints": fingerprints_of(report)},
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule_id: str, rule: Rule, severity: Severity) -> dict[str, object]:
    score = security_severity(rule, severity) if rule.score else 0.0
    scored = {"security-severity": f"{score:.1f}"} if score else {}
    weakness = f"https://cwe.mitre.org/data/definitions/{rule.cwe}.html"
    tags = ["security" if rule.score else "maintainability", *[f"external/cwe/cwe-{rule.cwe:03d}"] * bool(rule.cwe)]
    description = {"text": rule.means[:LONGEST_DESCRIPTION]}
    return {
        "id": rule_id,
        "name": "".join(part.capitalize() for part in rule.kind.split("-")),
        "shortDescription": description,
        "fullDescription": description,
        "help": {"text": f"{rule.means} {rule.help}", "markdown": f"{rule.means}\n\n{rule.help}"},
        "defaultConfiguration": {"level": LEVELS[severity]},
        "properties": {"tags": tags, "precision": "medium", **scored},
        **({"helpUri": weakness} if rule.cwe else {}),
    }


def _result(folder: str, rule_index: int, finding: Finding) -> dict[str, object]:
    region = {"startLine": finding.first_line, "endLine": finding.last_line, "snippet": {"text": finding.quote}}
    artifact = {"uri": quote(folder + finding.path, safe="/"), "uriBaseId": "%SRCROOT%"}
    return {
        "ruleId": rule_id(finding),
        "ruleIndex": rule_index,
        "level": LEVELS[finding.severity],
        "message": {"text": _message(finding)},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
    }


def _message(finding: Finding) -> str:
    parts = (finding.title, finding.why, finding.fix and f"Fix: {finding.fix}")
    return _plain("\n\n".join(part for part in parts if part))


def _plain(text: str) -> str:
    """What SARIF reads in a message that is plain text, links and places for arguments, made text."""
    return PLACEHOLDER.sub(r"{{\1}}", LINK.sub(r"\\]", text))


def _invocation(report: Report, shown: tuple[Finding, ...]) -> dict[str, object]:
    told = [_notification(LEVELS[one.severity], f"Not placed: {_message(one)}") for one in shown if not one.placed]
    if left_out := report.findings[len(shown) :]:
        said = f"Left out, since code scanning takes no more: {how_many(len(left_out), 'finding')}"
        told.append(_notification("warning", f"{said} ({severities(left_out)})."))
    return {
        "executionSuccessful": not report.transparency.missed,
        "commandLine": report.command,
        "endTimeUtc": datetime.fromtimestamp(report.written_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "toolExecutionNotifications": told,
        "properties": {"summary": report.summary, **transparency_facts(report)},
    }


def _notification(level: str, text: str) -> dict[str, object]:
    return {"level": level, "message": {"text": text}}
