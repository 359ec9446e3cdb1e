"""The review that GitHub takes: comments on lines that the diff shows, all else in its text."""

import json
from typing import Any

import pytest
from markdown_it import MarkdownIt

from tests.ui.findings.made import FINDING, UNPLACED, finding, report
from ui.findings.finding import Finding
from ui.findings.review_comments import LONGEST_BODY, MOST_COMMENTS, Hunks, review_comments

HUNKS = {"app/users.py": (range(1, 10), range(20, 24))}


def review(*findings: Finding, hunks: Hunks = HUNKS, commit: str = "", **changes: object) -> dict[str, Any]:
    """As it goes out."""
    found: dict[str, Any] = json.loads(json.dumps(review_comments(report(*findings, **changes), hunks, commit)))
    return found


def test_a_finding_is_a_comment_on_its_lines() -> None:
    found = review(FINDING, title="Review", commit="c" * 40)

    assert found == {
        "event": "COMMENT",
        "commit_id": "c" * 40,
        "body": "Review: 1 high\n\nmodel: scripted/test; sent: 3 files in 2 chunks; skipped: 3 files (2 binary, 1 lock "
        "file); tokens: 1,200 in, 90 out; cost: \\$0.012; dropped: 1 finding (1 quote that is not in the file)\n",
        "comments": [
            {
                "path": "app/users.py",
                "line": 5,
                "side": "RIGHT",
                "body": "**high: A name becomes part of a query**\n\nWhy: Whoever chooses the name reads every row.\n\n"
                "Fix: Bind the name as a parameter.\n",
            }
        ],
    }


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((5, 5), {"line": 5}),
        ((1, 9), {"start_line": 1, "start_side": "RIGHT", "line": 9}),
        ((8, 15), {"start_line": 8, "start_side": "RIGHT", "line": 9}),
        ((9, 30), {"line": 9}),
        ((15, 20), {"line": 20}),
        ((12, 99), {"start_line": 20, "start_side": "RIGHT", "line": 23}),
        ((10, 19), None),
        ((24, 24), None),
    ],
)
def test_only_lines_that_the_diff_shows_are_commented(lines: tuple[int, int], expected: dict[str, object]) -> None:
    said = finding(first_line=lines[0], last_line=lines[1])
    found = review(said)

    comments = [{name: each[name] for name in each if "line" in name or "start" in name} for each in found["comments"]]
    assert comments == ([expected] if expected else [])
    assert (FINDING.title in found["body"]) == (expected is None)


@pytest.mark.parametrize("other", [UNPLACED, finding(path="app/other.py"), finding(first_line=15, last_line=15)])
def test_what_the_diff_does_not_show_stands_in_the_text(other: Finding) -> None:
    found = review(other)

    assert found["comments"] == []
    assert f"**high: {other.title}** (" in found["body"]
    assert other.quote in found["body"]


def test_paths_are_those_of_the_repository() -> None:
    assert review(FINDING, folder="packages/a/")["comments"][0]["path"] == "packages/a/app/users.py"


def test_nobody_is_called_and_no_issue_is_closed() -> None:
    said = finding(title="@team look", why="fixes #12, closes GH-3 and org/repo#4, says @somebody", fix="@all\n@all")
    texts = [*(each["body"] for each in review(said)["comments"]), review(said, hunks={})["body"]]

    for text in texts:
        tokens = MarkdownIt("gfm-like").parse(text)
        outside = [child for token in tokens for child in token.children or () if child.type == "text"]
        assert [child.content for child in outside if "@" in child.content or "#" in child.content] == []


def test_more_comments_than_anybody_answers_stand_in_the_text() -> None:
    many = [finding(fingerprint=f"{number:032x}", title=f"Number {number}") for number in range(MOST_COMMENTS + 5)]
    found = review(*many)

    assert len(found["comments"]) == MOST_COMMENTS
    assert found["body"].count("**high: Number") == 5


def test_a_text_is_never_longer_than_is_taken_and_says_what_is_missing() -> None:
    many = [
        finding(fingerprint=f"{number:032x}", path="", placed=False, quote="", why="@x " * 1300)
        for number in range(100)
    ]
    found = review(*many, hunks={})
    (comment,) = review(finding(title="@`" * 100, why="@` " * 1333, fix="`\n" * 2000))["comments"]

    assert 50_000 < len(found["body"]) <= LONGEST_BODY
    assert f"Not shown: {100 - found['body'].count('**high:')} findings" in found["body"]
    assert len(comment["body"]) <= LONGEST_BODY
