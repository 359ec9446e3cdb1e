"""The rows of a text that is wrapped for the composer."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One row of the wrapped text: text[start:end]; a newline or a dropped blank may follow."""

    start: int
    end: int


def plain_rows(line: str, start: int, width: int) -> list[Row]:
    """Of a line whose characters take a cell each; start: its place in the text."""
    rows: list[Row] = []
    at = 0
    while len(line) - at > width:
        end = line.rfind(" ", at, at + width) + 1 or at + width
        rows.append(Row(start + at, start + end))
        at = end
    return [*rows, Row(start + at, start + len(line))]
