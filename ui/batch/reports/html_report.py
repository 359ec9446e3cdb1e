"""The report for readers, as one page that needs no network; nothing in it runs, loads or leads away. Pure."""

from collections.abc import Iterator
from html import escape

from ui.batch.reports.markdown_report import HEADINGS, cells
from ui.batch.reports.outcomes import Outcome, Outcomes, check_in_words
from ui.session_files.page_style import head
from ui.session_files.transcript import readable

_KINDS = dict.fromkeys(("time", "tokens", "cost", "attempts"), "number")


def html_report(run: Outcomes) -> str:
    return "".join(_pieces(run))


def _pieces(run: Outcomes) -> Iterator[str]:
    yield head(run.title)
    yield f"<h1>{escape(run.title)}</h1>\n<dl>\n"
    yield "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>\n" for name, value in run.facts.items())
    yield "</dl>\n<main>\n<table>\n<thead><tr>"
    yield "".join(f"<th>{heading}</th>" for heading in HEADINGS)
    yield "</tr></thead>\n<tbody>\n"
    yield "".join(f"<tr>{_cells(task)}</tr>\n" for task in run.tasks)
    yield "</tbody>\n</table>\n"
    yield "".join(_details(task) for task in run.tasks)
    yield "</main>\n</body>\n</html>\n"


def _cells(task: Outcome) -> str:
    named = zip(HEADINGS, cells(task), strict=True)
    return "".join(f'<td class="{_KINDS.get(heading, "text")}">{escape(text)}</td>' for heading, text in named)


def _details(task: Outcome) -> str:
    """Folded: what it said, and what its commands printed."""
    if task.result is None:
        return ""
    kind = "call" if task.verdict == "passed" else "call failed"
    mark = "✓" if task.verdict == "passed" else "✗"
    body = f"<p>{escape(task.why)}</p>\n" if task.why else ""
    for check in (task.result.setup, task.result.check):
        if check is not None:
            body += f"<p><code>{escape(check_in_words(check))}</code></p>\n{_block(readable(check.output))}"
    body += _block(task.answer)
    body += f'<p class="note">session {escape(task.task.session_id)} {escape(task.model)}</p>\n'
    return f'<details class="{kind}">\n<summary>{mark} {escape(task.id)}</summary>\n{body}</details>\n'


def _block(text: str) -> str:
    return f"<pre><code>{escape(text)}</code></pre>\n" if text.strip() else ""
