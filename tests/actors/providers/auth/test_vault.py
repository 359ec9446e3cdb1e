"""The file of credentials: for its owner alone, whole at every moment, and nothing in it is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
import trio

from actors.errors import Failed
from actors.providers.auth.vault import KeptKey, SignedIn, Vault

KEY = KeptKey(key="sk-planted")
SIGNED_IN = SignedIn(access="a", refresh="r", issuer="https://issuer.example", expires_at=9.0, account="me")


async def put(vault: Vault, provider: str, entry: KeptKey | SignedIn) -> None:
    async with vault.changing() as change:
        change.put(provider, entry)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


async def test_what_is_put_is_found_by_everybody(tmp_path: Path) -> None:
    await put(Vault(tmp_path), "openai", KEY)
    await put(Vault(tmp_path), "codex", SIGNED_IN)

    vault = Vault(tmp_path)
    assert vault.entry("openai") == KEY
    assert vault.entry("codex") == SIGNED_IN
    assert vault.entry("anthropic") is None


async def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        await put(Vault(tmp_path), "openai", KEY)
    finally:
        os.umask(old)

    assert {path.name: mode(path) for path in tmp_path.iterdir()} == {"auth.json": 0o600, "auth.lock": 0o600}


async def test_wrong_permissions_are_put_right(tmp_path: Path) -> None:
    await put(Vault(tmp_path), "openai", KEY)
    (tmp_path / "auth.json").chmod(0o644)

    assert Vault(tmp_path).entry("openai") == KEY
    assert mode(tmp_path / "auth.json") == 0o600


async def test_a_change_of_somebody_else_is_seen_at_once(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    assert vault.entry("openai") is None

    await put(Vault(tmp_path), "openai", KEY)

    assert vault.entry("openai") == KEY


async def test_what_a_later_version_wrote_is_kept(tmp_path: Path) -> None:
    later = {
        "codex": {"kind": "sign-in", "access": "a", "issuer": "i", "colour": "red"},
        "new": {"kind": "passkey", "id": 7},
        "version": 3,
    }
    (tmp_path / "auth.json").write_text(json.dumps(later))
    vault = Vault(tmp_path)

    async with vault.changing() as change:
        change.renew("codex", SignedIn(access="b", issuer="i"))
        change.put("openai", KEY)

    written = json.loads((tmp_path / "auth.json").read_text())
    assert written == {
        **later,
        "codex": {"kind": "sign-in", "access": "b", "issuer": "i", "colour": "red"},
        "openai": {"kind": "key", "key": "sk-planted"},
    }
    assert vault.entry("new") is None


async def test_what_is_forgotten_is_gone_from_the_file(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    await put(vault, "openai", KEY)

    async with vault.changing() as change:
        change.forget("openai")
        change.forget("never-there")

    assert json.loads((tmp_path / "auth.json").read_text()) == {}


@pytest.mark.parametrize(
    "content",
    [
        b'{"openai": {"kind": "key", "key": "sk-planted"',
        b'["sk-planted"]',
        b"\xff\xfe",
        b'{"openai": {"kind": "key", "key": ["sk-planted"]}}',
    ],
    ids=["cut", "a list", "no text", "a wrong member"],
)
async def test_a_damaged_file_is_said_so_and_left_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "auth.json").write_bytes(content)

    with pytest.raises(Failed) as failure:
        Vault(tmp_path).entry("openai")

    assert failure.value.problem.code == "bad_configuration"
    assert str(tmp_path / "auth.json") in failure.value.problem.text
    assert "planted" not in str(failure.value)
    assert (tmp_path / "auth.json").read_bytes() == content


async def test_a_damaged_file_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "auth.json").write_text("{torn")

    with pytest.raises(Failed, match="damaged"):
        await put(Vault(tmp_path), "openai", KEY)

    assert (tmp_path / "auth.json").read_text() == "{torn"


async def test_a_symbolic_link_is_refused(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_text("{}")
    (tmp_path / "auth.json").symlink_to(elsewhere)

    with pytest.raises(Failed, match="symbolic link"):
        await put(Vault(tmp_path), "openai", KEY)

    assert elsewhere.read_text() == "{}"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a file of somebody else's")
async def test_a_file_of_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "auth.json").write_text("{}")
    os.chown(tmp_path / "auth.json", 12345, 12345)

    with pytest.raises(Failed, match="somebody else"):
        Vault(tmp_path).entry("openai")


async def test_a_folder_in_its_place_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "auth.json").mkdir()

    with pytest.raises(Failed, match="it is not a regular file"):
        Vault(tmp_path).entry("openai")


@pytest.mark.parametrize("moment", [1e300, -1e300, 253_402_300_800.0])
async def test_a_moment_that_cannot_be_is_not_known(tmp_path: Path, moment: float) -> None:
    await put(Vault(tmp_path), "codex", msgspec.structs.replace(SIGNED_IN, expires_at=moment))

    entry = Vault(tmp_path).entry("codex")

    assert entry == msgspec.structs.replace(SIGNED_IN, expires_at=None)


async def test_a_pipe_in_its_place_holds_nobody_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "auth.json")

    with pytest.raises(Failed, match="not a regular file"):
        Vault(tmp_path).entry("openai")


async def test_what_a_killed_writer_left_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / "auth.json.new").write_text('{"openai": {"kind": "key", "key": "half')

    await put(Vault(tmp_path), "openai", KEY)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["auth.json", "auth.lock"]


async def test_a_folder_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(Failed) as failure:
        await put(Vault(tmp_path / "missing"), "openai", KEY)

    assert failure.value.problem.code == "bad_configuration"


async def test_the_secrets_are_not_in_a_representation(tmp_path: Path) -> None:
    await put(Vault(tmp_path), "openai", KEY)

    shown = repr((KEY, SignedIn(access="acc-planted", refresh="ref-planted", issuer="i"), Vault(tmp_path)))
    assert "planted" not in shown


HOLD = """
import fcntl, os, sys
descriptor = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)
fcntl.flock(descriptor, fcntl.LOCK_EX)
os.write(1, b"held\\n")
sys.stdin.read()
"""


@pytest.mark.slow
async def test_a_killed_holder_of_the_lock_does_not_hold_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path / "auth.lock")]
    holder = await trio.lowlevel.open_process(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert await holder.stdout.receive_some() == b"held\n"
    with trio.move_on_after(0.2) as waited:
        await put(Vault(tmp_path), "openai", KEY)

    holder.kill()
    await put(Vault(tmp_path), "openai", KEY)

    await holder.wait()
    assert waited.cancelled_caught
    assert Vault(tmp_path).entry("openai") == KEY
