"""Findings as a review of a pull request, in the form that GitHub takes. Pure.

It is the body of `POST /repos/{owner}/{repo}/pulls/{n}/reviews`.
"""

from collections.abc import Mapping, Sequence

from ui.findings.report import Report


def review_comments(report: Report, hunks: Mapping[str, Sequence[range]]) -> dict[str, object]:
    """hunks: by path, the lines of the new side that each hunk of the diff shows."""
    del hunks
    return {"event": "COMMENT", "body": report.title, "comments": []}
