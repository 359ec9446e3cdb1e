"""A report: findings, and what they were found with. Its forms are made of it and of nothing else."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from actors.common.budget import dollars
from actors.common.checkout import git_places
from actors.common.plurals import how_many
from ui.common.harmless import exposed_line
from ui.findings.finding import SEVERITIES, Finding

Form = Literal["markdown", "sarif", "json"]


class Transparency(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked, of whom, about what, and what was left out of the answers."""

    model: str
    chunks: int
    files: int
    """That were sent."""
    skipped: tuple[tuple[str, int], ...] = ()
    """Files that were not, by reason: the reason and how many."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    """None where the price is not known."""
    dropped: tuple[tuple[str, int], ...] = ()
    """Findings that were not believed, by reason."""
    known: int = 0
    """Findings left out, since the baseline has them."""
    missed: tuple[tuple[str, int], ...] = ()
    """Chunks that were not, or not wholly, looked at, by reason."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    made_by: Literal["audit", "review"]
    """Reports of the two stand side by side in code scanning."""
    title: str
    """Such as "Security audit"."""
    command: str
    """That made it, as it was typed."""
    findings: tuple[Finding, ...]
    """Each once and in order: see `fingerprints.deduplicated`."""
    transparency: Transparency
    summary: str = ""
    """A few sentences by the model."""
    folder: str = ""
    """Of the workspace, within the repository that it is a part of: with "/" at its end, "" where it is all of it."""
    left_out: tuple[str, ...] = ()
    """Fingerprints of what is not shown, since a baseline has it or another finding says the same: a later run that is
    compared with this report must know them as well."""
    written_at: float
    """Seconds since the epoch; the one thing in it that is not the same in a second run."""


def folder_in_repository(workspace: Path) -> str:
    """For `Report.folder`. workspace: absolute, without links."""
    places = git_places(workspace)
    below = workspace.relative_to(places[0]).parts if places else ()
    return "".join(f"{name}/" for name in below)


def counted(reasons: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """How often each, the most frequent first."""
    return tuple(sorted(Counter(reasons).items(), key=lambda each: (-each[1], each[0])))


def severities(findings: Iterable[Finding]) -> str:
    """In words: "2 critical, 1 low"."""
    count = Counter(one.severity for one in findings)
    return ", ".join(f"{count[each]} {each}" for each in SEVERITIES if count[each]) or "no findings"


def fingerprints_of(report: Report) -> tuple[str, ...]:
    """All that a later run is compared with."""
    return tuple(dict.fromkeys((*(one.fingerprint for one in report.findings), *report.left_out)))


def transparency_facts(report: Report) -> dict[str, str]:
    """For people: what was asked of whom about what, and what was left out. By name."""
    used = report.transparency
    unplaced = sum(not one.placed for one in report.findings)
    facts = {
        "Model": used.model,
        "Sent": f"{how_many(used.files, 'file')} in {how_many(used.chunks, 'chunk')}",
        "Skipped": _in_words(used.skipped, "file"),
        "Tokens": f"{used.input_tokens:,} in, {used.output_tokens:,} out",
        "Cost": "unknown" if used.cost_usd is None else dollars(used.cost_usd),
        "Dropped": _in_words(used.dropped, "finding"),
        "Not placed": how_many(unplaced, "finding") if unplaced else "",
        "Not looked at": _in_words(used.missed, "chunk"),
        "Known before": how_many(used.known, "finding") if used.known else "",
    }
    return {name: value for name, value in facts.items() if value}


def transparency_line(report: Report) -> str:
    """The same in one line."""
    return "; ".join(f"{name.lower()}: {value}" for name, value in transparency_facts(report).items())


def _in_words(reasons: tuple[tuple[str, int], ...], noun: str) -> str:
    """Such as "3 files (2 binary, 1 lock file)"."""
    if not reasons:
        return ""
    each = ", ".join(f"{many} {exposed_line(why)}" for why, many in reasons)
    return f"{how_many(sum(many for _, many in reasons), noun)} ({each})"
