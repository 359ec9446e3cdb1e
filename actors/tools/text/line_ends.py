"""What of a text is not seen but kept: the byte order mark before its first line, and how each line ends. Pure."""

from actors.tools import limits

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"

Line = tuple[str, str]
"""What it says, and its end: LF, CRLF, or nothing for the last line of a text without one."""


def has_crlf(text: str) -> bool:
    """On every line."""
    return "\r\n" in text and text.count("\n") == text.count("\r\n")


def as_crlf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def without_mark(text: str) -> tuple[str, str]:
    """The byte order mark, or "", and the rest."""
    return (BOM, text[1:]) if text.startswith(BOM) else ("", text)


def split(text: str) -> list[Line]:
    """Other than splitlines it leaves form feeds, single CRs and the like inside lines."""
    *ended, last = text.split("\n")
    lines = [(line[:-1], "\r\n") if line.endswith("\r") else (line, "\n") for line in ended]
    return [*lines, (last, "")] if last else lines


def split_all(text: str) -> list[Line]:
    """Also the empty line after the last line end, which a piece of a text may go on in."""
    lines = split(text)
    return lines if lines and not lines[-1][1] else [*lines, ("", "")]


def joined(lines: list[Line], *, ended: bool, usual: str = "\n") -> str:
    """A line without an end gets that of the line before it; the first one the usual. ended: the last line, too."""
    made = []
    for text, end in lines:
        usual = end or usual
        made += [text, usual]
    return "".join(made if ended else made[:-1])


def named(numbers: list[int]) -> str:
    """Lines 1, 3 end ..."""
    shown = ", ".join(map(str, numbers[: limits.NAMED_MATCHES])) + (", ..." if numbers[limits.NAMED_MATCHES :] else "")
    return f"lines {shown} end" if len(numbers) > 1 else f"line {shown} ends"


def kept(before: str, content: str) -> tuple[str, list[str]]:
    """New content of a file with what the old one had unseen, and what that was."""
    said = []
    if "\r" not in content and "\n" in content and has_crlf(before):
        content = as_crlf(content)
        said.append("CRLF line ends")
    if before.startswith(BOM) and content and not content.startswith(BOM):
        content = BOM + content
        said.append("a byte order mark (BOM)")
    return content, said
