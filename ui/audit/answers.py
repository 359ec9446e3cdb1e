"""What the answers to the questions of an audit come to: findings that were checked, and what could not be believed."""

from pathlib import Path

import msgspec

from actors.common.plurals import how_many
from actors.messages.usage import NOTHING_USED, Usage
from ui.findings.answers import parse
from ui.findings.finding import Finding
from ui.findings.placing import check_all
from ui.inquiry.question import Heard
from ui.source_text.chunks import Chunk
from ui.source_text.reading import text_of
from ui.source_text.source_file import Changed


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What one answer comes to."""

    findings: tuple[Finding, ...] = ()
    dropped: tuple[str, ...] = ()
    """Why, for each."""
    problem: str = ""
    """Why not all of the chunk was looked at; "" where it was."""
    used: Usage = NOTHING_USED

    @property
    def told(self) -> str:
        """In a few words, for people."""
        dropped = f", {how_many(len(self.dropped), 'more')} dropped" if self.dropped else ""
        return f"{how_many(len(self.findings), 'finding')}{dropped}{f' ({self.problem})' * bool(self.problem)}"


def judged(root: Path, chunk: Chunk, heard: Heard) -> Judged:
    """It reads the files again that are spoken of, so in a thread."""
    files = {part.path: part.file for part in chunk.parts}

    def text(path: str) -> str | None:
        try:
            return text_of(root, files[path])
        except Changed:
            return None

    raws, broken = parse(heard.text)
    checked = check_all(raws, files, text)
    return Judged(
        findings=checked.findings, dropped=(*broken, *checked.dropped), problem=heard.problem, used=heard.usage
    )
