"""Unified diffs: only the part that differs is compared, so a small edit of a big file is cheap."""

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from actors.common.plurals import how_many
from actors.tools import limits

Group: TypeAlias = Sequence[tuple[str, int, int, int, int]]
"""Of changes near each other, as difflib tells them."""
CONTEXT = 3
CONTROL = re.compile(r"[\x00-\x1f]")
"""In a name: a second line would pass for one of the diff."""


def unified(path: str, before: str, after: str, *, whole: bool = False) -> str:
    """Empty when nothing differs. When too much does: empty, or whole, which takes all lines for changed."""
    old, new = _lines(before), _lines(after)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    is_long = max(len(old), len(new)) - start - end > limits.DIFF_LINES
    if is_long and not whole:
        return ""
    context = 0 if is_long else CONTEXT
    skipped, end = max(0, start - context), max(0, end - context)
    old, new = old[skipped : len(old) - end], new[skipped : len(new) - end]
    return _written(path, old, new, skipped, [_replacing(old, new)] if is_long else _groups(old, new))


def counted(*diffs: str) -> str:
    """+3 −1, as the user sees it. Each diff is of one file; an empty one was too long to be made."""
    if "" in diffs:
        return f"more than {limits.DIFF_LINES:,} lines"
    lines = [line for diff in diffs for line in diff.split("\n")[2:]]
    added = sum(1 for line in lines if line.startswith("+"))
    removed = sum(1 for line in lines if line.startswith("-"))
    return f"+{added} \N{MINUS SIGN}{removed}"


def for_model(diff: str) -> str:
    """It knows its own edit: of a long one the beginning is enough."""
    extra = len(diff) - limits.DIFF_CHARS
    if extra <= 0:
        return diff
    return f"{diff[: limits.DIFF_CHARS]}\n[... {how_many(extra, 'more character')} of the diff ...]"


def _lines(text: str) -> list[str]:
    """Ended by \\n alone: splitlines would also split at form feeds and the like."""
    *ended, last = text.split("\n")
    return [*(f"{line}\n" for line in ended), *([last] if last else [])]


def _common(left: list[str], right: list[str]) -> int:
    length = min(len(left), len(right))
    return next((index for index in range(length) if left[index] != right[index]), length)


def _groups(old: list[str], new: list[str]) -> Iterable[Group]:
    import difflib  # 10 ms, and only edits need it

    return difflib.SequenceMatcher(None, old, new).get_grouped_opcodes(CONTEXT)


def _replacing(old: list[str], new: list[str]) -> Group:
    return [("replace", 0, len(old), 0, len(new))]


def _written(path: str, old: list[str], new: list[str], skipped: int, groups: Iterable[Group]) -> str:
    lines: list[str] = []
    for group in groups:
        first, last = group[0], group[-1]
        lines.append(f"@@ -{_range(first[1], last[2], skipped)} +{_range(first[3], last[4], skipped)} @@\n")
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                lines.extend(" " + line for line in old[i1:i2])
            else:
                lines.extend("-" + line for line in old[i1:i2])
                lines.extend("+" + line for line in new[j1:j2])
    if not lines:
        return ""
    ended = [line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines]
    name = CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", path)
    return f"--- a/{name}\n+++ b/{name}\n" + "".join(ended)


def _range(start: int, end: int, skipped: int) -> str:
    """As diff(1) writes it: first line and count, the count left out when it is one."""
    length = end - start
    first = start + skipped + (1 if length else 0)
    return str(first) if length == 1 else f"{first},{length}"
