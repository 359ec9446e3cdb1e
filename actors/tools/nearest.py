"""The lines of a text that are most like one that is not in it, for errors that help."""

from collections.abc import Sequence

from actors.tools import limits


def nearest(lines: Sequence[str], wanted: str) -> list[str]:
    """Numbered as `read` shows them; none where nothing is alike."""
    import difflib  # 10 ms, and only a miss needs it

    wanted = wanted.strip()
    numbered: dict[str, int] = {}
    for number, line in enumerate(lines[: limits.NEAR_LINES], start=1):
        numbered.setdefault(line.strip(), number)
    near = [wanted] if wanted in numbered else difflib.get_close_matches(wanted, numbered, n=3, cutoff=0.6)
    return [f"{number:>6}\t{lines[number - 1].rstrip()}" for number in sorted(numbered[line] for line in near)]
