"""How what the doctor has found is said."""

from ui.common.doctor.rows import Report, Row, Setting, table

OK = Row(name="git", found="/usr/bin/git")
WRONG = Row(name="model", state="problem", found="no key is set", advice="trouper auth set PROVIDER")


def test_a_table_has_the_findings_what_is_set_and_the_next_steps() -> None:
    settings = [
        Setting(key="mode", value="auto", source="--mode"),
        Setting(key="sandbox", value="auto", source="default"),
    ]

    assert table(Report(checks=[OK, WRONG], config=settings)).splitlines() == [
        "git    ok       /usr/bin/git",
        "model  PROBLEM  no key is set",
        "",
        "what is set, and where:",
        "  mode  auto  (--mode)",
        "",
        "what to do next:",
        "  model: trouper auth set PROVIDER",
    ]


def test_what_a_server_says_makes_no_finding_of_its_own() -> None:
    row = Row(name="mcp: x", state="warning", found="it died\nmodel ok \x1b[2J all is well")

    assert table(Report(checks=[row])) == "mcp: x  WARNING  it died\\x0amodel ok \\x1b[2J all is well\n"


def test_where_all_is_well_nothing_is_to_be_done() -> None:
    assert table(Report(checks=[OK])) == "git  ok       /usr/bin/git\n"


def test_a_problem_makes_work_impossible_and_a_warning_does_not() -> None:
    warning = Row(name="sandbox", state="warning", found="none")

    assert Report(checks=[OK, warning]).works
    assert not Report(checks=[OK, WRONG]).works
