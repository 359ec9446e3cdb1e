"""What goes into one question: whole files where they fit, parts of those that do not, each in a fence of its own."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from actors.common.plurals import how_many
from actors.texts import token_estimate
from ui.source_text.reading import lines
from ui.source_text.source_file import SourceFile, TooLarge

OVERLAP = 20
"""Lines that a part has of the one before it, so that what stands at the cut is seen whole."""
AROUND = 40
"""Tokens of a fence, with a path of usual length."""
MARK = 16
"""Characters of a hash: nobody can write a text that has its own in it."""


class Part(msgspec.Struct, frozen=True, gc=False):
    file: SourceFile
    first_line: int
    """From 1."""
    last_line: int
    """Included."""
    tokens: int
    """Estimate of it in its fence."""

    @property
    def path(self) -> str:
        return self.file.path


class Chunk(msgspec.Struct, frozen=True):
    id: str
    """Such as "1 of 12"."""
    parts: tuple[Part, ...]

    @property
    def tokens(self) -> int:
        return sum(part.tokens for part in self.parts)


def whole(file: SourceFile) -> Part:
    return Part(file, 1, file.lines, file.tokens + _around(file.path))


def part(file: SourceFile, lines: Sequence[str], first: int, last: int) -> Part:
    """lines: all of the file. first, last: may lie outside of it."""
    first, last = max(first, 1), min(last, file.lines)
    tokens = sum(_cost(line, last) for line in lines[first - 1 : last])
    return Part(file, first, last, tokens + _around(file.path))


def chunks(root: Path, parts: Sequence[Part], budget: int) -> tuple[Chunk, ...]:
    """In the order given, each with at most so many tokens. Raises TooLarge, Changed."""
    packed: list[list[Part]] = []
    left = 0
    for part in parts:
        for piece in [part] if part.tokens <= budget else _cut(root, part, budget):
            if piece.tokens > left:
                packed.append([])
                left = budget
            packed[-1].append(piece)
            left -= piece.tokens
    return tuple(Chunk(f"{number} of {len(packed)}", tuple(each)) for number, each in enumerate(packed, start=1))


def render(root: Path, chunk: Chunk) -> str:
    """Raises Changed."""
    texts = [_numbered(root, part) for part in chunk.parts]
    fence = _fence("".join(texts))
    fenced = zip(chunk.parts, texts, strict=True)
    return "\n".join(f"<{fence} {_named(part)}>\n{text}</{fence}>\n" for part, text in fenced)


def _named(part: Part) -> str:
    path = json.dumps(part.path, ensure_ascii=False)
    return f"path={path} first={part.first_line} last={part.last_line} of={part.file.lines}"


def _numbered(root: Path, part: Part) -> str:
    shown = lines(root, part.file)[part.first_line - 1 : part.last_line]
    return "".join(f"{number}|{line}\n" for number, line in enumerate(shown, start=part.first_line))


def _fence(text: str) -> str:
    mark = hashlib.sha256(text.encode()).hexdigest()[:MARK]
    while mark in text:
        mark = hashlib.sha256(mark.encode()).hexdigest()[:MARK]
    return f"source-{mark}"


def _cut(root: Path, part: Part, budget: int) -> Iterator[Part]:
    """Raises TooLarge, Changed."""
    around = _around(part.path)
    costs = [_cost(line, part.last_line) for line in lines(root, part.file)[part.first_line - 1 : part.last_line]]
    start = 0
    while start < len(costs):
        end, left = start, budget - around
        while end < len(costs) and costs[end] <= left:
            left -= costs[end]
            end += 1
        if end == start:
            raise TooLarge(
                f"Line {part.first_line + start} of {part.path} does not fit into one question, which has room for "
                f"{how_many(budget, 'token')}. Leave the file out, or choose a model with a larger window."
            )
        yield Part(part.file, part.first_line + start, part.first_line + end - 1, budget - left)
        if end == len(costs):
            return
        start = max(start + 1, end - OVERLAP)


def _around(path: str) -> int:
    return AROUND + token_estimate.of_text(path)


def _cost(line: str, last: int) -> int:
    """Tokens of a line with its number, which is at most the last one's."""
    return token_estimate.of_text(f"{last}|{line}\n")
