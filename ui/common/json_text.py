"""What is printed as JSON: harmless also on a terminal, and the same to whoever reads it as JSON."""

import msgspec

from ui.common.harmless import in_json


def line(value: object) -> str:
    """One line."""
    return in_json((msgspec.json.encode(value) + b"\n").decode())


def pretty(value: object) -> str:
    """For a reader's eyes too."""
    return in_json(msgspec.json.format(msgspec.json.encode(value)).decode()) + "\n"
