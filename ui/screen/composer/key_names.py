"""How keys are written: by people in keys.toml, in the tables of bindings, and on a page."""

MODIFIERS = ("ctrl", "alt", "shift")
NAMED = {"enter", "tab", "esc", "backspace", "delete", "insert", "home", "end", "pageup", "pagedown"} | {
    "up", "down", "left", "right", "space", *(f"f{number}" for number in range(1, 13))
}  # fmt: skip
OTHERS = {"escape": "esc", "return": "enter", "del": "delete", "ins": "insert", "pgup": "pageup", "pgdn": "pagedown"}
"""What other programs call them."""
SAME = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc"}
"""Terminals send one byte for both."""
SHOWN = {" ": "Space", "pagedown": "PageDown", "pageup": "PageUp"}


def normal(written: str) -> str:
    """As bindings have it, of such as `Ctrl+A`, `alt+Enter`, `ctrl+x a`, `q`; "" when it is no key."""
    keys = [_one(key) for key in written.split()] if written.strip() else [" "] if written else []
    return " ".join(keys) if all(keys) and len(keys) in (1, 2) else ""


def _one(written: str) -> str:
    *modifiers, name = [*written[:-1].split("+")[:-1], "+"] if written.endswith("++") else written.split("+")
    if written == "+":
        modifiers, name = [], "+"
    wanted = [modifier.lower() for modifier in modifiers]
    name = OTHERS.get(name.lower(), name.lower()) if len(name) > 1 or wanted else name
    known = name in NAMED or (len(name) == 1 and name.isprintable() and "shift" not in wanted)
    if not known or set(wanted) - set(MODIFIERS) or len(set(wanted)) != len(wanted):
        return ""
    if name == "space":
        name = "space" if wanted else " "
    key = "".join(f"{modifier}+" for modifier in MODIFIERS if modifier in wanted) + name
    return SAME.get(key, key)


def is_character(key: str) -> bool:
    """Where text is typed, it is text."""
    return len(key) == 1


def plain(key: str) -> str:
    """For a line on the screen: ctrl+a, space."""
    return "space" if key == " " else key


def shown(key: str) -> str:
    """As keyboards have it: Ctrl+A, PageDown, Ctrl+X A; Shift+G for a capital letter."""
    if key in SHOWN:
        return SHOWN[key]
    if is_character(key) and key.isupper():
        return f"Shift+{key}"
    return " ".join("+".join(SHOWN.get(part, part.capitalize()) for part in one.split("+")) for one in key.split())
