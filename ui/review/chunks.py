"""What of a change goes into one question: whole files where they fit, and how it is shown to a model. Pure."""

import hashlib
import json
from collections.abc import Iterator, Sequence

import msgspec

from actors.common.plurals import how_many
from actors.texts import token_estimate
from ui.common.usage_errors import Usage
from ui.review.changes import FileChange, Line, tokens

MOST = 16_000
"""Tokens of a question, however large the window is: what is far apart is not seen together anyway."""
MOST_CHUNKS = 80
AROUND = 50
"""Tokens of a fence, with a path of usual length."""
MARK = 16
"""Characters of a hash: nobody can write a text that has its own in it."""

Chunk = tuple[FileChange, ...]


def chunks(files: Sequence[FileChange], budget: int) -> tuple[Chunk, ...]:
    """In the order of the files. budget: tokens of each. Raises Usage where there are too many."""
    packed: list[list[FileChange]] = []
    left = 0
    for piece in (piece for file in files for piece in _pieces(file, budget)):
        size = size_of(piece)
        if not packed or size > left:
            packed.append([])
            left = budget
        packed[-1].append(piece)
        left -= size
    if len(packed) > MOST_CHUNKS:
        raise Usage(
            f"the change has {how_many(len(packed), 'chunk')}, and {MOST_CHUNKS} are the most of one review. "
            "Name fewer commits, such as HEAD~3..HEAD, or give a part: git diff … -- FOLDER | trouper review -"
        )
    return tuple(map(tuple, packed))


def size_of(file: FileChange) -> int:
    """Tokens, about."""
    return AROUND + token_estimate.of_text(file.path) + sum(map(tokens, _lines(file)))


def render(chunk: Chunk) -> str:
    """Each file in a fence that its content cannot close."""
    texts = [_text(file) for file in chunk]
    fence = _fence("".join(texts))
    return "\n".join(f"<{fence} {_about(file)}>\n{text}</{fence}>\n" for file, text in zip(chunk, texts, strict=True))


def _about(file: FileChange) -> str:
    said = {"path": file.path, "was": file.before, "file": file.how}
    return " ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in said.items() if value)


def _text(file: FileChange) -> str:
    hunks = ("".join(f"{line.sign}{line.number}|{line.text}\n" for line in hunk) for hunk in file.hunks)
    return "...\n".join(hunks)


def _fence(text: str) -> str:
    mark = hashlib.sha256(text.encode()).hexdigest()[:MARK]
    while mark in text:
        mark = hashlib.sha256(mark.encode()).hexdigest()[:MARK]
    return f"change-{mark}"


def _pieces(file: FileChange, budget: int) -> Iterator[FileChange]:
    """The file, or as many as are needed; a line is never cut."""
    if size_of(file) <= budget:
        yield file
        return
    most = budget - AROUND - token_estimate.of_text(file.path)
    held: list[tuple[Line, ...]] = []
    left = most
    for hunk in (part for whole in file.hunks for part in _cut(whole, most)):
        size = sum(map(tokens, hunk))
        if held and size > left:
            yield msgspec.structs.replace(file, hunks=tuple(held))
            held, left = [], most
        held.append(hunk)
        left -= size
    yield msgspec.structs.replace(file, hunks=tuple(held))


def _cut(hunk: tuple[Line, ...], most: int) -> Iterator[tuple[Line, ...]]:
    begin, left = 0, most
    for at, line in enumerate(hunk):
        if tokens(line) > left and at > begin:
            yield hunk[begin:at]
            begin, left = at, most
        left -= tokens(line)
    yield hunk[begin:]


def _lines(file: FileChange) -> Iterator[Line]:
    return (line for hunk in file.hunks for line in hunk)
