"""A text is freed of what is known to be secret and of what looks like it, however it is written."""

import base64
from collections.abc import Callable
from urllib.parse import quote

import pytest

from actors.settings.redaction import MARK
from actors.settings.secrets.leaving_out import Cleaner
from actors.settings.secrets.search import Secret
from tests.planted_secrets import ALL

UNLIKE = "correct-horse-battery-staple"
KNOWN = (Secret(UNLIKE, "SOME_PASSWORD"), Secret("short-one", "OTHER"))
WAYS: dict[str, Callable[[str], str]] = {
    "as it stands": lambda text: text,
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 within more": lambda text: base64.b64encode(f"x{text}yz".encode()).decode(),
    "base64 for addresses": lambda text: base64.urlsafe_b64encode(f"??{text}".encode()).decode(),
    "as in an address": lambda text: quote(text, safe=""),
    "hexadecimal": lambda text: text.encode().hex(),
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "escaped": lambda text: "".join(f"%{byte:02x}" for byte in text.encode()),
}


DEEPER: dict[str, Callable[[str], str]] = {
    "base64 twice": lambda text: WAYS["base64"](WAYS["base64"](text)),
    "both": lambda text: quote(WAYS["base64"](text)),
}
"""How far what looks like a secret is looked for."""


def cleaned(text: str) -> str:
    return Cleaner(KNOWN).cleaned(text)


@pytest.mark.parametrize("way", WAYS)
def test_a_known_value_is_left_out(way: str) -> None:
    written = WAYS[way](UNLIKE)

    assert cleaned(f"before {written} after") == f"before {MARK} after"


@pytest.mark.parametrize("way", {**WAYS, **DEEPER})
def test_what_looks_like_a_secret_is_left_out(way: str) -> None:
    text, secret = ALL["GitHub"]
    written = {**WAYS, **DEEPER}[way](text)

    assert secret not in cleaned(written)
    assert MARK in cleaned(written)
    assert written not in cleaned(written)


def test_a_value_that_is_set_apart_takes_its_line() -> None:
    apart = UNLIKE.replace("-", " ")

    assert cleaned(f"one\nhere: {apart}.\nthree") == f"one\n{MARK}\nthree"


def test_a_short_value_is_found_as_well() -> None:
    assert cleaned("it is short-one, really") == f"it is {MARK}, really"


@pytest.mark.parametrize(
    "text",
    [
        "/usr/lib/python3.11/site-packages/trio/_core/_run.py: line 2683",
        '{"at":1795742132.833,"run":"494301518c54","event":"ready","actor":"tools:main","ms":12}',
        "https://docs.python.org/3/library/os.html?highlight=%C3%A9#os.open",
        "commit 494301518c54b1c6a494301518c54b1c6a494301 (HEAD -> main)",
        "the user asked for a tokenizer in base64",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert cleaned(text) == text


def test_places_are_counted() -> None:
    cleaner = Cleaner(KNOWN)
    cleaner.cleaned(f"{UNLIKE}\n{UNLIKE} and short-one")

    assert cleaner.left_out == 3
