"""What makes text from outside harmless: nothing in it can steer a terminal or hide. Cheap to import."""

import re
from functools import cache, lru_cache

_WIDE_TAB = "    "


def _visible(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_SHOWN_BY_NUMBER = (
    *range(0x20),  # C0
    *range(0x7F, 0xA0),  # DEL and C1
    0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2065, 0x2070),  # bidi overrides, line separators
    0x200B, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, *range(0x2060, 0x2065), 0x3164, 0xFEFF, 0xFFA0,
    *range(0xFFF0, 0xFFFC), *range(0x13430, 0x13440), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B),
    *range(0xE0000, 0xE01F0),  # tags and selectors: text that can be read by a model and not by a person
)  # fmt: skip


@cache
def _harmless() -> dict[int, str]:
    """What stands for each. Made when first needed, as all below: most processes show nothing."""
    written = {ord("\n"): "\n", ord("\t"): _WIDE_TAB, ord("\r"): ""} | dict.fromkeys(range(55296, 57344), "�")
    return {code: _visible(code) for code in _SHOWN_BY_NUMBER} | written


def _ranges(codes: set[int]) -> str:
    """As a class of a pattern; each code by itself would be fifteen times slower."""
    starts = sorted(code for code in codes if code - 1 not in codes)
    ends = sorted(code for code in codes if code + 1 not in codes)
    return "".join(f"\\U{start:08x}-\\U{end:08x}" for start, end in zip(starts, ends, strict=True))


@cache
def _harmful() -> re.Pattern[str]:
    return re.compile(f"[{_harmful_ranges()}]")


def _harmful_ranges() -> str:
    return _ranges(_harmless().keys() - {ord("\n")})


def sanitise(text: str) -> str:
    """Nothing in it can steer a terminal or hide. Character by character, so that pieces come out as the whole does."""
    return text.translate(_harmless()) if _harmful().search(text) else text


def in_json(text: str) -> str:
    """JSON that means the same, with everything that could steer a terminal or hide written as an escape."""
    return _harmful().sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    if found[0] == "\t":
        return "\t"  # between values: in a string the encoder has escaped it
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def exposed(text: str) -> str:
    """Harmless, and nothing in it is invisible: for what somebody approves. Emoji stay as they are."""
    return text if text.isascii() and text.isprintable() else sanitise(_faint().sub(_exposed, text))


def longest_exposed(text: str) -> int:
    """As long it is at most when it is exposed, told without doing that: half a million signs would take a second."""
    hidden = "" if text.isascii() and text.isprintable() else "".join(_hidden().findall(text))
    return len(text) - len(hidden) + len(hidden.translate(_numbers()))


def exposed_line(text: str) -> str:
    """The same of what is one line, such as a name: a second one would pass for something else."""
    return exposed(text).replace("\n", _visible(ord("\n"))).strip()


_FAINT = r"\r\u00ad\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f"
_MARKS = r"\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"


@cache
def _faint() -> re.Pattern[str]:
    """What is seen only by what it does to its neighbours, and marks heaped on one cell. Compiled when first needed."""
    return re.compile(rf"[{_FAINT}]+|(?<=[{_MARKS}]{{3}})[{_MARKS}]+")


@cache
def _hidden() -> re.Pattern[str]:
    """What is shown by its number wherever it stands, or where it is heaped."""
    return re.compile(f"[{_harmful_ranges()}{_FAINT}{_MARKS}]+")


@cache
def _numbers() -> dict[int, str]:
    found = re.findall(f"[{_FAINT}{_MARKS}]", "".join(map(chr, range(0x10000))))
    return _harmless() | {ord(one): _visible(ord(one)) for one in found}


def _exposed(found: re.Match[str]) -> str:
    """Joiners and selectors behind a picture are part of it."""
    run, before, kept = found[0], found.string[found.start() - 1 : found.start()], 0
    while kept < len(run) and run[kept] in "\u200d\ufe0f" and _is_picture(before):
        before = run[kept]
        kept += 1
    return run[:kept] + run[kept:].translate(_numbers()) if kept < len(run) else run


@lru_cache(maxsize=1000)
def _is_picture(sign: str) -> bool:
    import unicodedata

    return sign != "" and (sign == "\ufe0f" or unicodedata.category(sign) in {"So", "Sk"})


def one_line(text: str) -> str:
    """The first line that has something in it."""
    return next((line.strip() for line in sanitise(text).split("\n") if line.strip()), "")
