"""The table of kinds agrees with itself, and every kind of a model becomes one that can be shown."""

import re

import pytest

from ui.findings.rules import ALIASES, BANDS, BY_CWE, BY_KIND, LONGEST, RULES, kind_of, rule_of, security_severity

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def test_each_kind_and_each_number_is_there_once() -> None:
    numbers = [rule.cwe for rule in RULES if rule.cwe]

    assert len(BY_KIND) == len(RULES)
    assert len(set(numbers)) == len(numbers)
    assert {BY_CWE[rule.cwe] for rule in RULES if rule.cwe} == {rule.kind for rule in RULES if rule.cwe}
    assert set(BY_CWE.values()) | set(ALIASES.values()) <= set(BY_KIND)
    assert set(ALIASES) & set(BY_KIND) == set()


def test_each_kind_is_a_slug_and_said_in_sentences() -> None:
    assert [rule.kind for rule in RULES if not SLUG.fullmatch(rule.kind) or len(rule.kind) > LONGEST] == []
    assert [rule.kind for rule in RULES if not (rule.means.endswith(".") and rule.help.endswith("."))] == []
    assert [rule.kind for rule in RULES if bool(rule.cwe) != (0 < rule.score <= 10)] == []


@pytest.mark.parametrize(
    ("said", "cwe", "expected"),
    [
        ("sql-injection", "", "sql-injection"),
        ("SQL_Injection", "", "sql-injection"),
        ("sql-injection", "79", "sql-injection"),
        ("stored xss in page", "CWE-79", "xss"),
        ("CWE-79", "", "xss"),
        ("cwe-99999", "", "cwe-99999"),
        ("odd", "0", "odd"),
        ("odd", "123456", "odd"),
        ("", "", "other"),
        ("correctness-lost-case", "", "correctness-lost-case"),
        ("Überlauf", "", "berlauf"),
    ],
)
def test_what_a_model_calls_it_becomes_a_kind(said: str, cwe: str, expected: str) -> None:
    assert kind_of(said, cwe) == expected


def test_a_kind_of_a_review_is_explained_by_what_it_begins_with() -> None:
    rule = rule_of("correctness-lost-case")

    assert (rule.kind, rule.cwe, rule.score, rule.means) == (
        "correctness-lost-case", 0, 0.0, BY_KIND["correctness"].means,
    )  # fmt: skip


def test_an_unknown_kind_may_be_a_weakness() -> None:
    assert (rule_of("cwe-7").cwe, rule_of("odd").cwe, rule_of("odd").score > 0) == (7, 0, True)


@pytest.mark.parametrize("severity", BANDS)
def test_a_score_is_one_of_the_severity(severity: str) -> None:
    least, most = BANDS[severity]  # type: ignore[index]

    assert all(least <= security_severity(rule, severity) <= most for rule in RULES)  # type: ignore[arg-type]
