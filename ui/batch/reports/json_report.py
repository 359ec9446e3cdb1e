"""The report for programs: `report.json`. Its fields only ever become more while its version is the same. Pure."""

import msgspec

from actors.messages.usage import Usage
from actors.settings.redaction import redacted
from actors.version import VERSION
from ui.batch.reports.folder_names import AGENTS, folder_name
from ui.batch.reports.outcomes import Outcome, Outcomes, changed_lines, check_in_words
from ui.common import json_text
from ui.common.harmless import one_line
from ui.session_files.transcript import readable, when

FORMAT_VERSION = 1
Values = dict[str, object]


def json_report(run: Outcomes) -> str:
    return json_text.pretty(report(run))


def report(run: Outcomes) -> Values:
    """The same as values."""
    return {
        "format": "trouper-batch-report",
        "version": FORMAT_VERSION,
        "written_by": f"Trouper {VERSION}",
        "written_at": when(run.at),
        "run": run.run.run_id,
        "state": run.run.state,
        "tasks_from": run.run.tasks,
        "results": run.run.out,
        "cwd": run.run.cwd,
        "totals": _totals(run),
        "tasks": [_task(task) for task in run.tasks],
    }


def _totals(run: Outcomes) -> Values:
    return {
        "tasks": len(run.tasks),
        "passed": run.count("passed"),
        "failed": run.count("failed"),
        "errors": run.count("error"),
        "skipped": run.count("skipped"),
        "reasons": dict(run.reasons),
        "retries": run.retries,
        "ms": round(run.seconds * 1000),
        "usage": _usage(run.used),
        "cost_usd": run.used.known_cost_usd,
    }


def _task(task: Outcome) -> Values:
    told: Values = {
        "id": task.id,
        "verdict": task.verdict,
        "state": task.task.state,
        "reason": task.reason if task.result else None,
        "why": task.why or None,
        "attempts": task.attempts,
        "session": task.task.session_id or None,
        "base": task.task.base or None,
    }
    if (result := task.result) is None:
        return told
    files, added, removed = changed_lines(result.patch)
    return told | {
        "model": task.model,
        "tags": task.tags,
        "turns": result.turns,
        "tool_calls": result.tool_calls,
        "failed_tries": result.failed_tries,
        "waited_s": result.waited_s,
        "ms": result.ms,
        "usage": _usage(task.used),
        "cost_usd": task.used.known_cost_usd,
        "answer": task.answer,
        **({"notices": [one_line(redacted(notice)) for notice in result.notices]} if result.notices else {}),
        "setup": _check(task, "setup"),
        "check": _check(task, "check"),
        "patch": {"files": files, "added": added, "removed": removed} if files else None,
        "folder": (folder := folder_name(task.task.id)),
        "agents": [_agent(folder, name, state) for name, state in result.agents.items()],
    }


def _agent(folder: str, name: str, state: str) -> Values:
    """folder: of the task, in that of --artifacts."""
    return {
        "name": one_line(redacted(name)),
        "state": one_line(state),
        "folder": f"{folder}/{AGENTS}/{folder_name(name)}",
    }


def _check(task: Outcome, which: str) -> Values | None:
    if task.result is None or (check := task.result.setup if which == "setup" else task.result.check) is None:
        return None
    return {"told": check_in_words(check), "exit_code": check.exit_code, "output": readable(check.output)}


def _usage(usage: Usage) -> Values | None:
    """None where nobody has counted."""
    counts: Values = msgspec.to_builtins(usage)
    return counts if usage.is_reported else None
