"""Reports of a batch: truthful, and nothing that a model or a tool said is more than text in them."""

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import msgspec
import pytest
from markdown_it import MarkdownIt

from tests.ui.batch.reports.runs import BY_ID, DONE, PATCH, SECRET, every_way, opened, run_of
from ui.batch.reports.html_report import html_report
from ui.batch.reports.json_report import json_report
from ui.batch.reports.junit import junit
from ui.batch.reports.markdown_report import markdown_report
from ui.batch.reports.outcomes import Outcomes, changed_lines, duration, outcomes

VERDICTS = {
    "done": "passed",
    "check": "failed",
    "broken": "error",
    "refused": "failed",
    "late": "failed",
    "poor": "skipped",
    "waiting": "skipped",
}
FORMS = [json_report, junit, markdown_report, html_report]


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.rows: list[list[str]] = []
        self.policy = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "meta" and dict(attrs).get("http-equiv") == "Content-Security-Policy":
            self.policy = dict(attrs)["content"] or ""
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1] and self.lasttag in {"td", "th"}:
            self.rows[-1][-1] += data


def suites() -> ET.Element:
    return ET.fromstring(junit(every_way()))  # noqa: S314  # our own


def cases() -> dict[str, ET.Element]:
    return {case.get("name", ""): case for case in suites().iter("testcase")}


def test_the_verdict_of_each_task_and_the_sums_are_in_the_json_report() -> None:
    told = json.loads(json_report(every_way()))

    assert (told["format"], told["version"], told["run"], told["state"]) == (
        "trouper-batch-report",
        1,
        "r1",
        "paused",
    )
    assert {task["id"]: task["verdict"] for task in told["tasks"]} == VERDICTS
    assert told["totals"]["reasons"] == {
        "failed": 2, "done": 1, "refused": 1, "timeout": 1, "budget": 1, "pending": 1,
    }  # fmt: skip
    assert (told["totals"]["retries"], told["totals"]["ms"]) == (2, 72_500)
    assert told["tasks"][0]["patch"] == {"files": 1, "added": 2, "removed": 1}
    assert told["tasks"][1]["check"]["exit_code"] == 2


def test_what_nobody_counted_makes_the_sum_of_the_costs_unknown_and_not_smaller() -> None:
    known = json.loads(json_report(run_of({"done": DONE, "late": BY_ID["late"]})))
    unknown = json.loads(json_report(run_of({"done": DONE, "broken": BY_ID["broken"]})))

    assert known["totals"]["cost_usd"] == 0.025
    assert unknown["totals"]["cost_usd"] is None


def test_each_task_is_a_test_case_that_passes_fails_errs_or_is_skipped() -> None:
    kinds = {"failure": "failed", "error": "error", "skipped": "skipped"}
    found = {name: [kinds[child.tag] for child in case if child.tag in kinds] for name, case in cases().items()}

    assert found == {name: [] if verdict == "passed" else [verdict] for name, verdict in VERDICTS.items()}


def test_the_counts_of_the_suite_are_those_of_its_cases() -> None:
    suite = suites().find("testsuite")

    assert suite is not None
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped", "time")}
    assert counts == {"tests": "7", "failures": "3", "errors": "1", "skipped": "2", "time": "72.500"}
    assert suite.get("timestamp") == "2027-01-15T07:58:30+00:00"


def test_a_case_of_ci_says_why_and_shows_what_the_check_printed() -> None:
    failure = cases()["check"].find("failure")

    assert failure is not None
    assert failure.get("type") == "failed"
    assert (failure.get("message") or "").endswith("exit code 2")
    assert (failure.text or "").startswith("2 failed\n</code><script>")
    assert cases()["done"].get("time") == "1.500"
    assert cases()["done"].findtext("system-out") == "All good."


@pytest.mark.parametrize("form", FORMS)
def test_no_form_has_secrets_or_what_steers_a_terminal(form: Callable[[Outcomes], str]) -> None:
    text = form(every_way())

    assert SECRET not in text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)


def test_a_page_holds_only_our_own_elements_and_may_load_and_run_nothing() -> None:
    page = Page()
    page.feed(html_report(every_way()))

    assert page.tags <= {
        "html", "head", "meta", "title", "style", "body", "h1", "dl", "div", "dt", "dd", "main", "table", "thead",
        "tbody", "tr", "th", "td", "details", "summary", "p", "code", "pre",
    }  # fmt: skip
    assert page.policy.startswith("default-src 'none'; style-src 'sha256-")
    assert [cells[:2] for cells in page.rows[1:]] == [
        ["done", "done"],
        ["check", "failed"],
        ["broken", "failed"],
        ["refused", "refused"],
        ["late", "timeout"],
        ["poor", "budget"],
        ["waiting", "pending"],
    ]


def test_the_table_of_the_markdown_report_has_a_row_of_all_columns_for_each_task() -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown_report(every_way()))
    cells = [token for token in tokens if token.type == "td_open"]
    headings = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"]

    assert len(cells) == 7 * 7
    assert headings == ["Batch r1", "check", "broken", "refused", "late"]
    assert not [token for token in tokens if token.type == "html_block"]
    assert not [child for token in tokens for child in token.children or () if child.type == "html_inline"]


def test_a_result_that_cannot_be_read_is_told_as_a_task_that_has_not_ended() -> None:
    run = opened({"done": DONE})
    torn = msgspec.structs.replace(run, tasks=(msgspec.structs.replace(run.tasks[0], result='{"id":"do'),))

    assert outcomes(torn, 1.0).tasks[0].verdict == "skipped"


def test_a_line_of_an_older_version_has_less_and_can_be_told() -> None:
    run = opened({"done": DONE})
    old = '{"id":"done","answer":"yes","reason":"done","session":"r0-61","fields":"of another version"}'
    told = outcomes(msgspec.structs.replace(run, tasks=(msgspec.structs.replace(run.tasks[0], result=old),)), 1.0)

    assert (told.tasks[0].verdict, told.tasks[0].answer) == ("passed", "yes")


def test_a_run_without_tasks_can_be_told() -> None:
    assert [bool(form(run_of({}))) for form in FORMS] == [True] * 4


def test_lines_that_look_like_heads_of_files_are_counted_as_what_they_are() -> None:
    assert changed_lines(PATCH) == (1, 2, 1)
    assert changed_lines("") == (0, 0, 0)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.42, "0.4 s"), (12.3, "12 s"), (59.7, "1 min 00 s"), (200, "3 min 20 s"), (7500, "2 h 05 min")],
)
def test_times_are_told_as_precisely_as_they_matter(seconds: float, said: str) -> None:
    assert duration(seconds) == said
