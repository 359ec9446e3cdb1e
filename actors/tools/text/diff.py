"""Unified diffs: only the part that differs is compared, so a small edit of a big file is cheap."""

from actors.tools import limits

CONTEXT = 3


def unified(path: str, before: str, after: str) -> str:
    """Empty when nothing differs or too much does."""
    old, new = _lines(before), _lines(after)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    if len(old) - start - end > limits.DIFF_LINES or len(new) - start - end > limits.DIFF_LINES:
        return ""
    skipped = max(0, start - CONTEXT)
    end = max(0, end - CONTEXT)
    return _numbered(path, old[skipped : len(old) - end], new[skipped : len(new) - end], skipped)


def counted(*diffs: str) -> str:
    """+3 −1, as the user sees it. Each diff is of one file."""
    lines = [line for diff in diffs for line in diff.split("\n")[2:]]
    added = sum(1 for line in lines if line.startswith("+"))
    removed = sum(1 for line in lines if line.startswith("-"))
    return f"+{added} \N{MINUS SIGN}{removed}"


def for_model(diff: str) -> str:
    """It knows its own edit: of a long one the beginning is enough."""
    extra = len(diff) - limits.DIFF_CHARS
    return diff if extra <= 0 else f"{diff[: limits.DIFF_CHARS]}\n[... {extra} more characters of the diff ...]"


def _lines(text: str) -> list[str]:
    """Ended by \\n alone: splitlines would also split at form feeds and the like."""
    *ended, last = text.split("\n")
    return [*(f"{line}\n" for line in ended), *([last] if last else [])]


def _common(left: list[str], right: list[str]) -> int:
    length = min(len(left), len(right))
    return next((index for index in range(length) if left[index] != right[index]), length)


def _numbered(path: str, old: list[str], new: list[str], skipped: int) -> str:
    import difflib  # 10 ms, and only edits need it

    matcher = difflib.SequenceMatcher(None, old, new)
    lines: list[str] = []
    for group in matcher.get_grouped_opcodes(CONTEXT):
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
    return f"--- a/{path}\n+++ b/{path}\n" + "".join(ended)


def _range(start: int, end: int, skipped: int) -> str:
    """As diff(1) writes it: first line and count, the count left out when it is one."""
    length = end - start
    first = start + skipped + (1 if length else 0)
    return str(first) if length == 1 else f"{first},{length}"
