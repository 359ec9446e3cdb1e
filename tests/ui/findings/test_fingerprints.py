"""A finding is known again when lines move, and two are two."""

from tests.ui.findings.made import QUOTE, RAW, TEXT, finding, raw
from ui.findings.finding import Finding, has_failed, order
from ui.findings.fingerprints import deduplicated
from ui.findings.placing import check

PATH = RAW.path


def fingerprint(text: str | None, path: str = PATH, **said: object) -> str:
    found = check(raw(**said), text, path)
    assert isinstance(found, Finding)
    return found.fingerprint


FIRST = fingerprint(TEXT)


def test_it_stays_when_lines_come_and_go_and_are_set_anew() -> None:
    assert fingerprint("# new\n\n" + TEXT) == FIRST
    assert fingerprint("\n".join(TEXT.split("\n")[3:])) == FIRST
    assert fingerprint(TEXT.replace("    ", "\t")) == FIRST
    assert fingerprint(TEXT, first_line=6, severity="low", title="Other words", why="", fix="") == FIRST
    assert fingerprint(TEXT, quote="FROM users WHERE") == FIRST


def test_it_is_another_for_another_line_kind_or_file() -> None:
    others = {
        fingerprint(TEXT.replace("users", "persons"), quote="FROM persons WHERE"),
        fingerprint(TEXT, kind="xss"),
        fingerprint(TEXT, path="app/other.py"),
        fingerprint(TEXT, quote="return connection.execute(query)"),
        fingerprint(None),
    }

    assert len(others | {FIRST}) == 6


def test_the_same_line_twice_is_two_that_stay_apart_when_lines_move() -> None:
    twice = f"{QUOTE}\nsomething()\n{QUOTE}\n"
    first, second = fingerprint(twice, first_line=1), fingerprint(twice, first_line=3)

    assert first != second
    assert fingerprint("\n" + twice, first_line=2) == first
    assert fingerprint(twice.replace("something()\n", ""), first_line=9) == second


def test_what_two_answers_say_is_told_once_as_the_worst() -> None:
    worse = finding(severity="critical", title="Said by another")
    other = finding(fingerprint="1" * 32, severity="low", path="a.py")
    unplaced = finding(fingerprint="2" * 32, severity="low", path="", placed=False)

    assert deduplicated([unplaced, finding(), other, worse]) == (worse, other, unplaced)
    assert deduplicated([worse, other, finding(), unplaced]) == (worse, other, unplaced)


def test_the_worst_come_first_then_places_then_what_has_none() -> None:
    findings = [
        finding(severity="critical", path="z.py"),
        finding(severity="high", path="a.py", first_line=2),
        finding(severity="high", path="a.py", first_line=10),
        finding(severity="high", path="b.py", first_line=1),
        finding(severity="high", path="", placed=False),
        finding(severity="info", path="a.py"),
    ]

    assert sorted(set(findings), key=order) == findings


def test_a_run_fails_at_a_severity_or_worse_also_by_what_has_no_place() -> None:
    medium = [finding(severity="low"), finding(severity="medium", placed=False)]

    assert [has_failed(medium, at) for at in ("critical", "high", "medium", "low", "info")] == [
        False, False, True, True, True,
    ]  # fmt: skip
    assert not has_failed([], "info")
