"""What is going to be asked: the files of the workspace in chunks that fit the model. It reads files: in a thread."""

from pathlib import Path

import msgspec

from actors.common.plurals import how_many
from actors.errors import failed
from actors.texts.token_estimate import of_text
from ui.audit.prompts import overview, question
from ui.common.usage_errors import Usage
from ui.findings.report import Form
from ui.findings.writing import is_report
from ui.inquiry.question import Asked
from ui.source_text import chunks as chunking
from ui.source_text import security_index
from ui.source_text.changes import changes
from ui.source_text.chunks import Chunk
from ui.source_text.collected import collect
from ui.source_text.manifest import manifest
from ui.source_text.reading import read
from ui.source_text.source_file import CannotCollect, Changed, Collection, Reason, SourceFile, TooLarge

MOST = 60_000
"""Tokens of a chunk, however large the window is: of more a model sees less."""
OVERVIEW = 0.06
"""Of a question, for what is told of the whole repository."""
OWN: Reason = "own report"
SUFFIXES = (".md", ".sarif", ".json")
"""Of reports: no code is taken for one."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    root: Path
    collection: Collection
    overview: str
    """Of all that was collected, for the model."""
    base: str
    """Whole id of the commit that it is compared with; "" where it is with none."""
    chunks: tuple[Chunk, ...]

    @property
    def files(self) -> int:
        """Of which something is sent."""
        return len({part.path for chunk in self.chunks for part in chunk.parts})


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    root: Path
    keep_out: tuple[Path, ...] = ()
    """Reports of ours."""
    closed: tuple[str, ...] = ()
    """Patterns of what rules close to reading."""
    base: str = ""
    """As it was said."""
    max_chunks: int
    overview: str = ""
    """As an earlier start of the run has told it; "": there was none."""


def made(wanted: Wanted, most: int) -> Plan:
    """most: tokens of a question. Raises Usage for what cannot be asked, with what to do."""
    root = wanted.root
    try:
        collection = _without_reports(root, collect(root, (), wanted.keep_out, wanted.closed))
        told = wanted.overview or _overview(root, collection, int(most * OVERVIEW))
        base, parts = "", tuple(map(chunking.whole, collection.files))
        if wanted.base:
            found = changes(root, collection.files, wanted.base)
            base, parts = found.base, found.parts
        chunks = chunking.chunks(root, parts, most - of_text(told))
    except (CannotCollect, Changed, TooLarge) as why:
        raise Usage(str(why)) from why
    if not collection.files:
        why_not = ", ".join(f"{count} {reason}" for reason, count in collection.skipped_by_reason.items())
        raise Usage(f"there is nothing to audit in {root}: {why_not or 'it has no files'}.")
    if len(chunks) > wanted.max_chunks:
        raise Usage(
            f"that is {how_many(len(chunks), 'chunk')}, and --max-chunks is {wanted.max_chunks}. Give it --max-chunks "
            f"{len(chunks)}, only what has changed (--diff BASE), or a folder of it (--cwd FOLDER)."
        )
    return Plan(root=root, collection=collection, overview=told, base=base, chunks=chunks)


def _overview(root: Path, collection: Collection, most: int) -> str:
    """Raises Changed."""
    index = security_index.as_text(security_index.security_index(root, collection.files), most // 2)
    return overview(f"{manifest(collection, most // 2)}{index}")


def questions(plan: Plan, system: str) -> tuple[Asked, ...]:
    """One for each chunk, in their order."""

    def asked(chunk: Chunk) -> Asked:
        def prompt() -> str:
            try:
                return question(plan.overview, plan.base, chunk.id, chunking.render(plan.root, chunk))
            except Changed as why:
                raise failed("bad_request", str(why)) from why

        return Asked(id=f"chunk {chunk.id}", system=system, prompt=prompt)

    return tuple(map(asked, plan.chunks))


def sizes(plan: Plan) -> tuple[int, ...]:
    """Tokens of each question, without the system prompt."""
    return tuple(chunk.tokens + of_text(plan.overview) for chunk in plan.chunks)


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


def reports_of(root: Path, out: str, baseline: str, defaults: dict[Form, str]) -> tuple[Path, ...]:
    """Files that are reports of ours, or may be."""
    said = [Path(one) for one in (out, baseline) if one and one != "-"]
    return (*said, *(root / name for name in defaults.values()))
