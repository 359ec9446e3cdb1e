"""The system's keyring, as it may be: there, absent, locked, or silent."""

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail, null
from keyring.backends.chainer import ChainerBackend
from trio.testing import MockClock

from actors.errors import Failed
from actors.providers.auth import os_keyring
from tests.fakes.keyrings import FileKeyring, LockedKeyring, SilentKeyring

HOME, KEY = "/home/me/.trouper", "sk-planted"


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    keyring.set_keyring(null.Keyring())


async def test_a_key_is_kept_found_and_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_KEYRING", str(tmp_path / "keys.json"))
    keyring.set_keyring(FileKeyring())

    place = await os_keyring.put(HOME, "openai", KEY)
    found = [await os_keyring.get(home, "openai") for home in (HOME, "/elsewhere")]
    await os_keyring.forget(HOME, "openai")
    await os_keyring.forget(HOME, "never-there")

    assert "FileKeyring" in place
    assert found == [KEY, ""]
    assert await os_keyring.get(HOME, "openai") == ""


class Chain(ChainerBackend):
    backends = (null.Keyring(), FileKeyring())  # type: ignore[assignment]  # a class property there


@pytest.mark.parametrize("absent", [null.Keyring(), fail.Keyring()], ids=["null", "fail"])
async def test_what_only_looks_like_a_keyring_is_none(absent: KeyringBackend) -> None:
    keyring.set_keyring(absent)

    assert await os_keyring.put(HOME, "openai", KEY) == ""
    assert await os_keyring.get(HOME, "openai") == ""
    await os_keyring.forget(HOME, "openai")


async def test_of_several_the_first_real_one_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_KEYRING", str(tmp_path / "keys.json"))
    keyring.set_keyring(Chain())

    assert await os_keyring.put(HOME, "openai", KEY)
    assert (tmp_path / "keys.json").exists()


async def test_a_locked_one_is_said_without_what_it_was_given() -> None:
    keyring.set_keyring(LockedKeyring())

    with pytest.raises(Failed) as failure:
        await os_keyring.put(HOME, "openai", KEY)

    assert failure.value.problem.code == "bad_configuration"
    assert "KeyringLocked" in failure.value.problem.text
    assert KEY not in str(failure.value)


async def test_a_silent_one_is_not_waited_for_for_ever(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.05
    silent = SilentKeyring()
    keyring.set_keyring(silent)
    try:
        with pytest.raises(Failed, match="has not answered"):
            await os_keyring.get(HOME, "openai")
        assert silent.asked == [f"trouper {HOME}/openai"]
    finally:
        silent.released.set()
