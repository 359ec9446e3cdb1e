"""The report for CI: JUnit XML as pytest writes it and the common services read it, a test case for each task. Pure."""

from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from ui.batch.reports.outcomes import Outcome, Outcomes
from ui.session_files.transcript import readable

SUITE = "trouper batch"
TAGS = {"failed": "failure", "error": "error", "skipped": "skipped"}
"""Elements, by verdict."""
NO_XML = {0xFFFE: "�", 0xFFFF: "�"}
"""Characters that XML 1.0 has not, beside those that `readable` has made visible."""


def junit(run: Outcomes) -> str:
    """No text in it can be other than text: what XML has no place for is made visible."""
    suite = ET.Element(
        "testsuite",
        name=SUITE,
        tests=str(len(run.tasks)),
        failures=str(run.count("failed")),
        errors=str(run.count("error")),
        skipped=str(run.count("skipped")),
        time=_seconds(run.seconds),
        timestamp=datetime.fromtimestamp(run.run.began_at or run.at, UTC).isoformat(timespec="seconds"),
    )
    facts = {"run": run.run.run_id, "tokens": str(run.tokens), "cost_usd": _cost(run.used.known_cost_usd)}
    _properties(suite, facts)
    suite.extend(_case(task, f"{SUITE}.{run.run.run_id}") for task in run.tasks)
    whole = ET.Element("testsuites", name=SUITE)
    whole.append(suite)
    ET.indent(whole, " ")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(whole, encoding="unicode")}\n'


def _case(task: Outcome, classname: str) -> ET.Element:
    case = ET.Element("testcase", name=_text(task.id), classname=classname, time=_seconds(task.seconds))
    facts = {
        "session": task.task.session_id,
        "model": task.model,
        "reason": task.reason,
        "attempts": str(task.attempts),
        "tokens": str(task.tokens),
        "cost_usd": _cost(task.used.known_cost_usd),
        "base": task.task.base,
        "tags": ", ".join(task.tags),
    }
    _properties(case, facts)
    if tag := TAGS.get(task.verdict):
        outcome = ET.SubElement(case, tag, message=_text(task.why), type=_text(task.reason))
        outcome.text = _text(readable(task.failed_check.output)) if task.failed_check else None
    if task.answer:
        ET.SubElement(case, "system-out").text = _text(task.answer)
    return case


def _properties(of: ET.Element, facts: dict[str, str]) -> None:
    properties = ET.SubElement(of, "properties")
    for name, value in facts.items():
        if value:
            ET.SubElement(properties, "property", name=name, value=_text(value))


def _text(text: str) -> str:
    return text.translate(NO_XML)


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"


def _cost(cost_usd: float | None) -> str:
    """Of nothing that was counted: ""."""
    return "" if cost_usd is None else f"{cost_usd:.6f}"
