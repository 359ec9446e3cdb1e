"""What a folder is like, in few words: how much of which language, its folders, what takes in others' code. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence

from actors.common.plurals import how_many
from actors.texts import token_estimate
from ui.source_text.languages import language, names_dependencies
from ui.source_text.source_file import Collection, SourceFile

MOST_NAMED = 40
"""Files that name dependencies."""
MOST_LANGUAGES = 20


def manifest(collection: Collection, most_tokens: int) -> str:
    """The same for the same collection; the folders as deep as they fit in."""
    files = collection.files
    head = [
        f"{how_many(len(files), 'file')}, {how_many(sum(file.lines for file in files), 'line')}",
        f"Languages: {', '.join(_languages(files)) or 'none'}",
        f"Dependencies are named in: {', '.join(_dependencies(files)) or 'no file'}",
        f"Left out: {', '.join(_left_out(collection)) or 'nothing'}",
        "Folders, with the files and lines in all of each:",
    ]
    left = most_tokens - token_estimate.of_text("\n".join(head))
    return "\n".join([*head, *_folders(files, left)]) + "\n"


def _languages(files: Sequence[SourceFile]) -> list[str]:
    lines: Counter[str] = Counter()
    for file in files:
        lines[language(file.path)] += file.lines
    ordered = sorted(lines.items(), key=lambda each: (-each[1], each[0]))
    return [f"{name} ({how_many(number, 'line')})" for name, number in ordered[:MOST_LANGUAGES]]


def _dependencies(files: Sequence[SourceFile]) -> list[str]:
    found = [file.path for file in files if names_dependencies(file.path)]
    more = len(found) - MOST_NAMED
    return found[:MOST_NAMED] + ([f"and {how_many(more, 'more')}"] if more > 0 else [])


def _left_out(collection: Collection) -> Iterator[str]:
    return (f"{reason}: {number:,}" for reason, number in collection.skipped_by_reason.items())


def _folders(files: Sequence[SourceFile], most_tokens: int) -> list[str]:
    """Level by level, as long as a whole level fits."""
    shown: list[str] = []
    depth = 0
    while True:
        sums: dict[str, tuple[int, int]] = {}
        for file in files:
            parts = file.path.split("/")[:-1]
            for at in range(1, min(len(parts), depth + 1) + 1):
                number, lines = sums.get(folder := "/".join(parts[:at]), (0, 0))
                sums[folder] = number + 1, lines + file.lines
        rows = [f"{folder}/ {number} {lines}" for folder, (number, lines) in sorted(sums.items())]
        if len(rows) == len(shown) or token_estimate.of_text("\n".join(rows)) > most_tokens:
            return shown
        shown, depth = rows, depth + 1
