"""The report for readers, as Markdown: nothing that was said or printed in it can pass for another part of it. Pure."""

from collections.abc import Iterable, Iterator

from actors.common.budget import in_words
from ui.batch.reports.outcomes import Outcome, Outcomes, check_in_words, duration
from ui.session_files.markdown import code, escaped, fenced
from ui.session_files.transcript import readable

HEADINGS = ("task", "ended", "time", "tokens", "cost", "attempts", "why")


def markdown_report(run: Outcomes) -> str:
    return "".join(_pieces(run))


def _pieces(run: Outcomes) -> Iterator[str]:
    yield f"# {escaped(run.title)}\n\n"
    yield "".join(f"- {name}: {escaped(value)}\n" for name, value in run.facts.items())
    yield f"\n{_row(HEADINGS)}{_row(('---', '---', '---:', '---:', '---:', '---:', '---'))}"
    yield "".join(_row(map(escaped, cells(task))) for task in run.tasks)
    for task in run.tasks:
        yield "".join(_section(task))


def cells(task: Outcome) -> tuple[str, ...]:
    """Under the headings."""
    ended = task.result is not None
    time, tokens = (duration(task.seconds), f"{task.tokens:,}") if ended else ("", "")
    cost = in_words(task.used) if ended else ""
    return (task.id, task.reason, time, tokens, cost, str(task.attempts or ""), task.why)


def _section(task: Outcome) -> Iterator[str]:
    """Of what a reader has to look at: how it failed, and what its commands printed."""
    if task.verdict in {"passed", "skipped"} or task.result is None:
        return
    yield f"\n## {escaped(task.id)}\n\n{escaped(task.why)}\n"
    yield f"\nSession: {code(task.task.session_id or '?')}\n"
    if check := task.failed_check:
        yield f"\n{code(check_in_words(check))}\n\n{fenced(readable(check.output))}"
    if task.answer:
        yield f"\nIts last words:\n\n{fenced(task.answer)}"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"
