"""The lines of a text that are most like one that is not in it, for errors that help."""

from collections.abc import Sequence

from actors.tools import limits
from actors.tools.text.invisible_differences import difference
from actors.tools.text.line_ends import BOM


def nearest(lines: Sequence[str], wanted: str) -> list[str]:
    """Numbered as `read` shows them; none where nothing is alike."""
    import difflib  # 10 ms, and only a miss needs it

    wanted = wanted.strip().removeprefix(BOM)
    numbered: dict[str, int] = {}
    for number, line in enumerate(lines[: limits.NEAR_LINES], start=1):
        numbered.setdefault(line.strip().removeprefix(BOM), number)
    near = [wanted] if wanted in numbered else difflib.get_close_matches(wanted, numbered, n=3, cutoff=0.6)
    return [_shown(number, lines[number - 1], wanted) for number in sorted(numbered[line] for line in near)]


def _shown(number: int, line: str, wanted: str) -> str:
    unseen = difference(line.strip().removeprefix(BOM), wanted)
    return f"{number:>6}\t{line.rstrip().removeprefix(BOM)[: limits.LINE_CHARS]}" + "".join(
        f"  [{said}]" for said in unseen
    )
