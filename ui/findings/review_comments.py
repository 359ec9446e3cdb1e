"""Findings as a review of a pull request, in the form that GitHub takes. Pure.

It is the body of `POST /repos/{owner}/{repo}/pulls/{n}/reviews`. GitHub refuses the whole of it for one comment on a
line that the diff does not show, so what is about other lines stands in the text of the review.
"""

from collections.abc import Iterable, Mapping, Sequence

from actors.common.plurals import how_many
from ui.findings.finding import Finding
from ui.findings.markdown import details, prose, where
from ui.findings.report import Report, severities, transparency_line

MOST_COMMENTS = 50
"""More than anybody answers; the others stand in the text of the review."""
LONGEST_BODY = 65_000
"""Characters: GitHub takes 65,536."""

Hunks = Mapping[str, Sequence[range]]
"""By path, the lines of the new side that each hunk of the diff shows, those around a change included."""


def review_comments(report: Report, hunks: Hunks, commit: str = "") -> dict[str, object]:
    """commit: the whole id of the one that the lines are of; "" for the newest of the pull request.

    It only comments: it never approves, and never asks for changes.
    """
    commented: list[dict[str, object]] = []
    others: list[Finding] = []
    for finding in report.findings:
        lines = _shown_lines(finding, hunks)
        if lines and len(commented) < MOST_COMMENTS:
            commented.append(_comment(report.folder, finding, lines))
        else:
            others.append(finding)
    review: dict[str, object] = {"event": "COMMENT", "body": _body(report, others), "comments": commented}
    return {**review, "commit_id": commit} if commit else review


def _shown_lines(finding: Finding, hunks: Hunks) -> range:
    """Those of its lines that the first hunk shows which has any; empty where none does."""
    if not finding.placed:
        return range(0)
    for hunk in hunks.get(finding.path, ()):
        lines = range(max(finding.first_line, hunk.start), min(finding.last_line + 1, hunk.stop))
        if lines:
            return lines
    return range(0)


def _comment(folder: str, finding: Finding, lines: range) -> dict[str, object]:
    first, last = lines[0], lines[-1]
    start = {"start_line": first, "start_side": "RIGHT"} if first < last else {}
    text = f"**{finding.severity}: {prose(finding.title)}**\n{''.join(details(finding, quoted=False))}"
    return {"path": folder + finding.path, "body": text, "side": "RIGHT", "line": last, **start}


def _body(report: Report, others: Iterable[Finding]) -> str:
    opening = f"{prose(report.title)}: {severities(report.findings)}\n"
    if report.summary:
        opening += f"\nSummary: {prose(report.summary)}\n"
    end = f"\n{prose(transparency_line(report))}\n"
    room = LONGEST_BODY - len(opening) - len(end) - 100
    texts: list[str] = []
    left_out = 0
    for finding in others:
        text = f"\n**{finding.severity}: {prose(finding.title)}** ({where(finding)})\n{''.join(details(finding))}"
        if left_out or len(text) > room:
            left_out += 1
        else:
            texts.append(text)
            room -= len(text)
    more = f"\nNot shown: {how_many(left_out, 'finding')}\n" if left_out else ""
    return opening + "".join(texts) + more + end
