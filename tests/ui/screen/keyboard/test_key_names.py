"""How keys are written."""

import pytest

from ui.screen.composer.key_names import normal, plain
from ui.screen.keyboard.contexts import ALL


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("ctrl+a", "ctrl+a"),
        ("Ctrl+A", "ctrl+a"),
        ("alt+ctrl+Up", "ctrl+alt+up"),
        ("Escape", "esc"),
        ("PgDn", "pagedown"),
        ("ctrl+m", "enter"),
        ("space", " "),
        (" ", " "),
        ("ctrl+space", "ctrl+space"),
        ("J", "J"),
        ("+", "+"),
        ("ctrl++", "ctrl++"),
        ("F5", "f5"),
        ("ctrl+x  ctrl+e", "ctrl+x ctrl+e"),
        ("", ""),
        ("ctrl", ""),
        ("ctrl+", ""),
        ("hyper+a", ""),
        ("ctrl+ctrl+a", ""),
        ("shift+a", ""),
        ("f13", ""),
        ("a b c", ""),
        ("ctrl-a", ""),
    ],
)
def test_keys_as_people_write_them(written: str, key: str) -> None:
    assert normal(written) == key


def test_every_default_key_can_be_written() -> None:
    """As /keys shows it."""
    keys = [key for context in ALL for binding in context.bindings for key in binding.keys]

    assert [key for key in keys if normal(plain(key)) != key] == []
