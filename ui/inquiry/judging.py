"""What the answers of an inquiry come to: findings that were checked, and what could not be believed."""

from collections.abc import Callable, Sequence

import msgspec
import trio

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.messages.usage import NOTHING_USED, Usage
from ui.findings.answers import NO_LIST, parse
from ui.findings.finding import Finding, Raw
from ui.findings.placing import Checked
from ui.findings.report import Transparency, counted
from ui.inquiry.progress import Progress
from ui.inquiry.question import Asked, Heard

Check = Callable[[tuple[Raw, ...]], Checked]
"""What of an answer is true of that which was asked about; it may read files, so it is called in a thread."""


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What one answer comes to."""

    findings: tuple[Finding, ...] = ()
    dropped: tuple[str, ...] = ()
    """Why, for each."""
    problem: str = ""
    """Why not all of the chunk was looked at; "" where it was."""
    is_answered: bool = True
    used: Usage = NOTHING_USED

    @property
    def told(self) -> str:
        """In a few words, for people."""
        dropped = f", dropped: {len(self.dropped)}" if self.dropped else ""
        return f"{how_many(len(self.findings), 'finding')}{dropped}{f' ({self.problem})' * bool(self.problem)}"


def judged(heard: Heard, check: Check) -> Judged:
    raws, broken = parse(heard.text)
    checked = check(raws)
    if NO_LIST in broken:
        return Judged(problem=heard.problem or NO_LIST, used=heard.usage)
    return Judged(
        findings=checked.findings, dropped=(*broken, *checked.dropped), problem=heard.problem, used=heard.usage
    )


def transparency(  # noqa: PLR0913  # what the two commands know of it
    model: str,
    judged: Sequence[Judged],
    files: int,
    skipped: tuple[tuple[str, int], ...],
    *,
    known: int = 0,
    besides: Usage = NOTHING_USED,
) -> Transparency:
    """files, skipped, known: as of it. besides: was used for more than these answers."""
    used = sum((one.used for one in judged), start=besides)
    return Transparency(
        model=model,
        chunks=len(judged),
        files=files,
        skipped=skipped,
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cost_usd=used.known_cost_usd,
        dropped=counted(reason for one in judged for reason in one.dropped),
        known=known,
        missed=counted(one.problem for one in judged if one.problem),
    )


class Answers:
    """The ears of an inquiry's questions about chunks."""

    def __init__(self, asked: Sequence[Asked], checks: Sequence[Check], progress: Progress) -> None:
        """checks: one for each question."""
        self._checks = {one.id: check for one, check in zip(asked, checks, strict=True)}
        self._judged: dict[str, Judged] = {}
        self._progress = progress
        self.begins, self.waits = progress.begins, progress.waits

    @property
    def judged(self) -> list[Judged]:
        """In the order of the questions, in whichever they came."""
        return [self._judged[one] for one in self._checks]

    async def hears(self, heard: Heard) -> None:
        found = await trio.to_thread.run_sync(judged, heard, self._checks[heard.id], abandon_on_cancel=True)
        self._judged[heard.id] = found
        self._progress.ends(heard.id, heard.usage, found.told, is_new=heard.is_new)

    def misses(self, question_id: str, why: Failed) -> None:
        self._judged[question_id] = Judged(problem=why.problem.text, is_answered=False)
        self._progress.ends(question_id, NOTHING_USED, str(why))
