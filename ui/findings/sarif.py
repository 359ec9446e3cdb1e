"""A report as SARIF 2.1.0, as GitHub's code scanning takes it. Pure.

A result without a place makes GitHub refuse the whole file, so what is not placed is a notification of the run.
"""

from datetime import UTC, datetime
from urllib.parse import quote

from actors.version import VERSION
from ui.common.json_text import pretty
from ui.findings.finding import Finding, Severity
from ui.findings.report import Report, fingerprints_of, transparency_facts
from ui.findings.rules import rule_of, security_severity

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
LONGEST_DESCRIPTION = 1024
"""Characters that GitHub takes of a rule's short and full description."""


def sarif(report: Report) -> str:
    placed = [one for one in report.findings if one.placed]
    rules = {rule_id(one): one for one in placed}
    driver = {
        "name": NAME,
        "semanticVersion": VERSION,
        "rules": [_rule(rule_id, one) for rule_id, one in rules.items()],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [_invocation(report)],
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The root of the workspace."}}},
        "results": [_result(list(rules).index(rule_id(one)), one) for one in placed],
        "columnKind": "unicodeCodePoints",
        "properties": {"fingerprints": fingerprints_of(report)},
    }
    return pretty({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def rule_id(finding: Finding) -> str:
    """With the severity in it: GitHub shows that of the rule, never that of a result."""
    return f"trouper/{finding.severity}/{finding.kind}"


def _rule(rule_id: str, finding: Finding) -> dict[str, object]:
    rule = rule_of(finding.kind)
    tags = ["security", f"external/cwe/cwe-{rule.cwe:03d}"] if rule.cwe else ["quality"]
    score = {"security-severity": f"{security_severity(rule, finding.severity):.1f}"} if rule.cwe else {}
    return {
        "id": rule_id,
        "name": "".join(part.capitalize() for part in finding.kind.split("-")),
        "shortDescription": {"text": rule.means[:LONGEST_DESCRIPTION]},
        "fullDescription": {"text": rule.means[:LONGEST_DESCRIPTION]},
        "help": {"text": f"{rule.means} {rule.help}", "markdown": f"{rule.means}\n\n{rule.help}"},
        "defaultConfiguration": {"level": LEVELS[finding.severity]},
        "properties": {"tags": tags, "precision": "medium", **score},
    }


def _result(rule_index: int, finding: Finding) -> dict[str, object]:
    region = {"startLine": finding.first_line, "endLine": finding.last_line, "snippet": {"text": finding.quote}}
    artifact = {"uri": quote(finding.path, safe="/"), "uriBaseId": "SRCROOT"}
    return {
        "ruleId": rule_id(finding),
        "ruleIndex": rule_index,
        "level": LEVELS[finding.severity],
        "message": {"text": _message(finding)},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
    }


def _message(finding: Finding) -> str:
    fix = f"\n\nFix: {finding.fix}" if finding.fix else ""
    return f"{finding.title}\n\n{finding.why}{fix}"


def _invocation(report: Report) -> dict[str, object]:
    unplaced = [one for one in report.findings if not one.placed]
    return {
        "executionSuccessful": True,
        "commandLine": report.command,
        "endTimeUtc": datetime.fromtimestamp(report.written_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "toolExecutionNotifications": [
            {"level": LEVELS[one.severity], "message": {"text": _message(one)}} for one in unplaced
        ],
        "properties": transparency_facts(report),
    }
