"""What is going to be asked: the files of the workspace in chunks that fit the model. It reads files: in a thread."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from actors.common.plurals import how_many
from actors.errors import failed
from actors.messages.model import ModelFacts
from actors.texts.token_estimate import of_text
from ui.audit.prompts import question
from ui.common.usage_errors import Usage
from ui.findings.report import Form
from ui.findings.writing import is_report
from ui.inquiry.question import Asked
from ui.source_text import chunks as chunking
from ui.source_text.chunks import Chunk
from ui.source_text.collected import collect
from ui.source_text.reading import read
from ui.source_text.source_file import CannotCollect, Changed, Collection, Reason, SourceFile, TooLarge

UNKNOWN_WINDOW = 32_000
"""Tokens of a model of which nothing is known."""
MOST = 60_000
"""Tokens of a chunk, however large the window is: of more a model sees less."""
COUNTED_LOW = 1.5
"""Times as many tokens as are estimated code may have."""
ANSWER = 0.25
"""Of the window, for the answer."""

OWN: Reason = "own report"
SUFFIXES = (".md", ".sarif", ".json")
"""Of reports: no code is taken for one."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    root: Path
    collection: Collection
    chunks: tuple[Chunk, ...]


def most_tokens(facts: ModelFacts, system: str) -> int:
    """Of a chunk, as they are estimated."""
    window = facts.context or UNKNOWN_WINDOW
    room = min(window - min(facts.max_output or window, int(window * ANSWER)), facts.max_input or window)
    return min(MOST, int(room / COUNTED_LOW) - of_text(system) - of_text(question("", "", "")))


def made(root: Path, budget: int, keep_out: Sequence[Path], closed: Sequence[str], max_chunks: int) -> Plan:
    """Raises Usage for what cannot be asked, with what to do."""
    try:
        collection = _without_reports(root, collect(root, (), keep_out, closed))
        parts = [chunking.whole(file) for file in collection.files]
        chunks = chunking.chunks(root, parts, budget)
    except (CannotCollect, Changed, TooLarge) as why:
        raise Usage(str(why)) from why
    if not chunks:
        raise Usage(
            f"there is nothing to audit in {root}: {_in_words(collection.skipped_by_reason) or 'it has no files'}."
        )
    if len(chunks) > max_chunks:
        raise Usage(
            f"that is {how_many(len(chunks), 'chunk')}, and --max-chunks is {max_chunks}. Give it --max-chunks "
            f"{len(chunks)}, only what has changed (--diff BASE), or a folder of it (--cwd FOLDER)."
        )
    return Plan(root=root, collection=collection, chunks=chunks)


def questions(plan: Plan, system: str) -> tuple[Asked, ...]:
    """One for each chunk, in their order."""

    def asked(chunk: Chunk) -> Asked:
        def prompt() -> str:
            try:
                return question("", chunking.render(plan.root, chunk), chunk.id)
            except Changed as why:
                raise failed("bad_request", str(why)) from why

        return Asked(id=f"chunk {chunk.id}", system=system, prompt=prompt)

    return tuple(map(asked, plan.chunks))


def _without_reports(root: Path, collection: Collection) -> Collection:
    """Of those that are reports of ours only the ones with names of their own count as skipped.

    Whether there is one already where this one goes says nothing of the repository.
    """
    files = [file for file in collection.files if not _is_report(root, file)]
    reasons = {reason: count for reason, count in collection.skipped_by_reason.items() if reason != OWN}
    found = {OWN: len(collection.files) - len(files)} if len(files) < len(collection.files) else {}
    return msgspec.structs.replace(
        collection, files=tuple(files), skipped_by_reason=dict(sorted({**reasons, **found}.items()))
    )


def _is_report(root: Path, file: SourceFile) -> bool:
    try:
        return file.path.endswith(SUFFIXES) and is_report(read(root, file.path))
    except OSError:
        return False


def _in_words(skipped: Mapping[Reason, int]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in skipped.items())


def reports_of(root: Path, out: str, baseline: str, defaults: dict[Form, str]) -> tuple[Path, ...]:
    """Files that are reports of ours, or may be."""
    said = [Path(one) for one in (out, baseline) if one and one != "-"]
    return (*said, *(root / name for name in defaults.values()))
