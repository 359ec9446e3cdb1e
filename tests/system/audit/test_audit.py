"""`trouper audit` from the command line: its reports, its limits, and what it refuses."""

import json
import re
import signal

import pytest

from tests.repositories import git
from tests.system.audit.service import Service, finding, serving
from tests.system.harness import Place

pytestmark = pytest.mark.slow
COST = 0.011
"""Dollars of one answer."""
CHUNKS = 12


def without_time(text: str) -> str:
    return re.sub(r'\d{4}-\d\d-\d\d.\d\d:\d\d:\d\d(?: UTC|Z)|"written_at": [\d.e]+', "TIME", text)


def report(place: Place, name: str = "ISSUES.md") -> str:
    return without_time((place.workspace / name).read_text())


def test_each_file_is_asked_about_once_and_its_finding_is_in_the_report(place: Place, service: Service) -> None:
    finished = place.run("audit")

    chunks = [question for question in service.asked if not question.is_last]
    assert (finished.code, finished.out) == (0, ""), finished.err
    assert sorted(path for question in chunks for path in question.paths) == [f"file_{n:02}.py" for n in range(12)]
    assert (len(chunks), len(service.asked)) == (CHUNKS, CHUNKS + 1)
    assert "Findings: 12 high" in report(place)
    assert "Summary: It is bad." in report(place)
    assert "Cost: \\$0.143" in report(place)  # of all thirteen answers
    assert "12 high: " in finished.err


@pytest.mark.parametrize(
    ("form", "name"), [("markdown", "ISSUES.md"), ("sarif", "trouper.sarif"), ("json", "trouper-audit.json")]
)
def test_the_same_input_gives_the_same_report(place: Place, service: Service, form: str, name: str) -> None:
    first = place.run("audit", "--format", form)
    before, asked = report(place, name), len(service.asked)
    second = place.run("audit", "--format", form)

    assert (first.code, second.code) == (0, 0), second.err
    assert len(service.asked) == 2 * asked  # the first one had ended, so this is another
    assert report(place, name) == before


def test_what_has_ended_is_written_again_in_another_form_without_asking(place: Place, service: Service) -> None:
    place.run("audit")
    asked = len(service.asked)

    finished = place.run("audit", "--resume", "--format", "json", "--out", "-")

    assert finished.code == 0, finished.err
    assert len(json.loads(finished.out)["findings"]) == 12
    assert len(service.asked) == asked
    assert "nothing is left to ask: 12 chunks answered before" in finished.err


def test_it_is_gone_on_with_from_anywhere(place: Place, service: Service) -> None:
    (place.workspace / "below").mkdir()
    (place.workspace / "below" / "b.py").write_text("run_it(input())\n")
    first = place.run("audit", "--cwd", "below", "--out", "below/b.md")
    (run_id,) = [path.stem for path in (place.home / "inquiries").iterdir()]
    (place.workspace / "below" / "b.md").unlink()

    again = place.run("audit", "--resume", run_id, "--cwd", "/")

    assert (first.code, again.code) == (0, 0), again.err
    assert (place.workspace / "below" / "b.md").exists()
    assert len(service.asked) == 1


def test_eight_are_asked_at_once(place: Place, service: Service) -> None:
    service.hold()

    session = place.start("audit", "--workers", "8")
    service.until(lambda now: now.waiting == 8)
    service.let_go()

    assert session.finish().code == 0
    assert service.most_at_once == 8


def test_a_budget_stops_it_and_with_more_it_goes_on(place: Place, service: Service) -> None:
    stopped = place.run("audit", "--workers", "1", "--max-cost", str(3 * COST))
    still = place.run("audit", "--workers", "1", "--max-cost", str(3 * COST))
    asked = len(service.asked)
    gone_on = place.run("audit", "--resume", "--max-cost", "5")

    assert (stopped.code, still.code, gone_on.code) == (4, 4, 0), gone_on.err
    assert "this audit has cost $0.033, and --max-cost is $0.033. Go on with: the same command and" in stopped.err
    assert asked < CHUNKS
    assert len(service.asked) == CHUNKS + 1
    assert "Findings: 12 high" in report(place)


def test_ctrl_c_pauses_it_and_the_same_command_goes_on(place: Place, service: Service) -> None:
    service.hold(after=5)
    session = place.start("audit")
    service.until(lambda now: len(now.answered) == 5 and now.waiting > 0)
    session.err.until(lambda lines: any(line.startswith(b"[5/12]") for line in lines))
    session.signal(signal.SIGINT)
    interrupted = session.finish()
    held = service.waiting
    service.let_go()

    finished = place.run("audit")

    assert interrupted.code == 130
    assert "interrupted; the same command goes on" in interrupted.err
    assert not (place.workspace / "ISSUES.md").exists() or finished.code == 0
    assert "7 chunks (5 more answered before)" in finished.err
    assert len(service.asked) - held == CHUNKS + 1
    assert place.left() == []


def test_what_changes_between_two_starts_is_asked_about_anew_and_nothing_else(place: Place, service: Service) -> None:
    stopped = place.run("audit", "--workers", "1", "--max-cost", str(6 * COST))
    before = {question.prompt for question in service.asked}
    (first, *_) = service.asked[0].paths
    path = place.workspace / first
    path.write_text(path.read_text().replace("run_it", "run_at"))

    gone_on = place.run("audit", "--resume", "--max-cost", "5")

    asked = [question.prompt for question in service.asked[len(before) :]]
    assert (stopped.code, gone_on.code) == (4, 0), gone_on.err
    assert before.isdisjoint(asked)
    assert len(asked) == CHUNKS + 1 - len(before) + 1


@pytest.mark.usefixtures("service")
def test_only_new_ones_are_told_and_decide_about_the_exit_code(place: Place) -> None:
    first = place.run("audit", "--fail-on", "high")
    (place.workspace / "new.py").write_text("import os\nos.system(input())\n")

    again = place.run("audit", "--baseline", "ISSUES.md", "--out", "new.md", "--fail-on", "high")
    none = place.run("audit", "--baseline", "new.md", "--out", "none.md", "--fail-on", "high")
    mild = place.run("audit", "--fail-on", "critical")

    assert (first.code, again.code, none.code, mild.code) == (7, 7, 0, 0), again.err
    assert "Findings: 1 high" in report(place, "new.md")
    assert "`new.py:2`" in report(place, "new.md")
    assert "Known before: 12 findings" in report(place, "new.md")
    assert "Findings: no findings" in report(place, "none.md")


def test_a_report_is_no_part_of_what_is_audited(place: Place, service: Service) -> None:
    place.run("audit", "--out", "a.md")
    place.run("audit", "--out", "b.md", "--baseline", "a.md")

    assert not [path for question in service.asked for path in question.paths if path.endswith(".md")]


def test_what_the_user_asks_for_is_told_the_model(place: Place, service: Service) -> None:
    place.run("audit", "race conditions", "of files")

    assert all("race conditions of files" in question.system for question in service.asked)


WRONG = {
    "too many chunks": (("--max-chunks", "3"), "that is 12 chunks, and --max-chunks is 3. Give it --max-chunks 12"),
    "outside": (("--out", "../report.md"), "it is outside of the workspace"),
    "no report of ours": (("--out", "file_00.py"), "it is there and is no report of ours"),
    "no such folder": (("--out", "none/report.md"), 'there is no folder "none"'),
    "no such severity": (("--fail-on", "awful"), "invalid choice: 'awful'"),
    "no such form": (("--format", "xml"), "invalid choice: 'xml'"),
    "no baseline": (("--baseline", "none.md"), "cannot read --baseline"),
    "no report as baseline": (("--baseline", "file_00.py"), "file_00.py"),
    "nothing to resume": (("--resume",), "no audit was begun in"),
    "no such run": (("--resume", "ffff"), 'no audit is "ffff"'),
    "no such workspace": (("--cwd", "none"), "there is no such folder"),
    "a focus that is known": (("--resume", "x", "focus"), "its focus is known"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_said_before_anything_is_asked(place: Place, service: Service, wrong: str) -> None:
    arguments, said = WRONG[wrong]

    finished = place.run("audit", *arguments)

    assert (finished.code, finished.out) == (2, ""), finished.err
    assert said in finished.err
    assert service.asked == []
    assert (place.workspace / "file_00.py").read_text().startswith("value_0_0")


def test_an_empty_folder_has_nothing_to_audit(place: Place, service: Service) -> None:
    (place.workspace / "empty").mkdir()

    finished = place.run("audit", "--cwd", "empty")

    assert finished.code == 2
    assert "there is nothing to audit" in finished.err
    assert service.asked == []


@pytest.mark.usefixtures("service")
def test_a_file_at_the_place_of_the_report_that_is_a_link_is_left(place: Place) -> None:
    (place.workspace.parent / "elsewhere").write_text("mine\n")
    (place.workspace / "ISSUES.md").symlink_to("../elsewhere")

    finished = place.run("audit")

    assert finished.code == 2, finished.err
    assert (place.workspace.parent / "elsewhere").read_text() == "mine\n"


def test_what_is_much_is_not_begun_where_nobody_can_be_asked(place: Place, service: Service) -> None:
    config = (place.home / "config.toml").read_text()
    (place.home / "config.toml").write_text(config.replace("input = 10,", "input = 1000,"))

    refused = place.run("audit")
    asked = len(service.asked)
    agreed = place.run("audit", "--yes")

    assert (refused.code, asked) == (3, 0)
    assert "say --yes, or --max-cost USD" in refused.err
    assert agreed.code == 0


def test_two_at_once_are_one_too_many(place: Place, service: Service) -> None:
    service.hold()
    first = place.start("audit")
    service.until(lambda now: now.waiting > 0)

    second = place.run("audit")
    service.let_go()

    assert second.code == 6
    assert "this is being worked on" in second.err
    assert first.finish().code == 0


def test_an_answer_that_is_none_makes_the_audit_not_whole(place: Place) -> None:
    (place.workspace / "a.py").write_text("run(it)\n" * 3)

    with serving(lambda _: "I am sorry, I cannot.") as service:
        service.configure(place.home)
        finished = place.run("audit")

    assert finished.code == 1, finished.err
    assert "not all was looked at: 1 chunk\n" in finished.err
    assert "Not looked at: 1 chunk (1 answer without a list of findings)" in report(place)


def test_a_model_that_makes_things_up_is_not_believed(place: Place) -> None:
    (place.workspace / "a.py").write_text("import os\n\n\nos.system(input())\n")
    made_up = [
        finding("a.py", "os.system(input())", first_line=99, last_line=120),
        finding("a.py", "eval(request.body)"),
        finding("../../etc/passwd", "root:x:0:0:root"),
        finding("b.py", "os.system(input())"),
    ]

    with serving(lambda _: json.dumps({"findings": made_up})) as service:
        service.configure(place.home)
        finished = place.run("audit", "--format", "sarif")

    run = json.loads((place.workspace / "trouper.sarif").read_text())["runs"][0]
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    assert finished.code == 0, finished.err
    assert [(place["artifactLocation"]["uri"], place["region"]["startLine"]) for place in places] == [("a.py", 4)]
    assert "passwd" not in json.dumps(run["results"])


def test_what_has_changed_is_all_that_is_sent(place: Place, service: Service) -> None:
    git(place.workspace, "init", "-q")
    git(place.workspace, "add", ".")
    git(place.workspace, "commit", "-qm", "a")
    path = place.workspace / "file_03.py"
    path.write_text(path.read_text() + "run_it_all(input())\n")

    finished = place.run("audit", "--diff", "HEAD")
    unknown = place.run("audit", "--diff", "nowhere")

    assert (finished.code, unknown.code) == (0, 2), finished.err
    assert [question.paths for question in service.asked] == [["file_03.py"]]
    assert "nowhere" in unknown.err
