"""What is left out of an import is there for everybody else, before and after."""

import subprocess
import sys

import pytest

from actors.common.lean.absent import absent, hollow
from tests import ROOT

UNUSED = "tabnanny"
"""Of the standard library."""


def test_what_is_absent_cannot_be_imported_until_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, UNUSED, raising=False)
    with absent(UNUSED), pytest.raises(ImportError):
        __import__(UNUSED)

    assert __import__(UNUSED).__name__ == UNUSED


def test_what_is_hollow_can_be_imported_and_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, UNUSED, raising=False)
    with hollow(UNUSED):
        assert __import__(UNUSED).NannyNag is None

    assert __import__(UNUSED).NannyNag


def test_what_was_imported_before_stays_the_same() -> None:
    before = __import__(UNUSED)
    with absent(UNUSED):
        pass

    assert __import__(UNUSED) is before


def test_the_libraries_do_without_what_nobody_uses() -> None:
    program = """
import sys
from actors.common.lean import libraries
print(*sorted({"typing_extensions", "trio._dtls"} & set(sys.modules)))
import typing_extensions, trio
print(trio.run(trio.lowlevel.checkpoint))
"""
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)

    assert ended.stdout == "\nNone\n"
