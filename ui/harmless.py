"""What makes text from outside harmless: nothing in it can steer a terminal or hide. Cheap to import."""

import re

_WIDE_TAB = "    "


def _visible(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_HARMLESS: dict[int, str] = {
    code: _visible(code)
    for code in (
        *range(0x20),  # C0
        *range(0x7F, 0xA0),  # DEL and C1
        0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A),  # bidi overrides, line separators
        *range(0xE0000, 0xE0080),  # tags: text that can be read by a model and not by a person
    )
} | {ord("\n"): "\n", ord("\t"): _WIDE_TAB, ord("\r"): ""} | dict.fromkeys(range(55296, 57344), "�")  # fmt: skip

_HARMFUL = re.compile("[" + "".join(re.escape(chr(code)) for code in _HARMLESS if code != ord("\n")) + "]")


def sanitise(text: str) -> str:
    """Nothing in it can steer a terminal or hide. Character by character, so that pieces come out as the whole does."""
    return text.translate(_HARMLESS) if _HARMFUL.search(text) else text


def one_line(text: str) -> str:
    """The first line that has something in it."""
    return next((line.strip() for line in sanitise(text).split("\n") if line.strip()), "")
