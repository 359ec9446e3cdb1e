"""A session that went two ways, exported by the real store: what is in each form, to where, and what is refused."""

import argparse
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec
import pytest

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import Attachment, Body, Entry, Moved, TurnEnded, UserMessage
from actors.messages.store import Append, Label, NameSession, OpenSession, SessionOpened
from actors.settings.config import Settings
from actors.store import actor as store_actor
from tests.fakes.network import Network, open_network
from tests.ui.headless.fronts import exit_code
from tests.ui.session_files.conversations import BEGAN, PNG, answer, call, result, said
from ui.cli.sessions import export
from ui.cli.subcommands import sessions
from ui.common.usage_errors import Usage
from ui.session_files import archive
from ui.start.fronts import encoded

SECRET = "sk-abcdefghijklmnop1234"
IMAGE = Attachment(name="shot.png", media_type="image/png", data=PNG, size=len(PNG))
BODIES: tuple[tuple[str, str, Body], ...] = (
    ("e1", "", UserMessage(text="the first question", turn_id="t", prompt_id="p", attachments=(IMAGE,))),
    ("e2", "e1", answer(call())),
    ("e3", "e2", result(f"the key is {SECRET}\n" + "line\n" * 10_000)),
    ("e4", "e3", said("the way not taken")),
    ("e5", "e4", TurnEnded(turn_id="t", reason="done")),
    ("e6", "e3", Moved(left="e5")),
    ("e7", "e6", said("the way taken")),
)
ENTRIES = tuple(
    Entry(id=own, session_id="s1", parent=parent, body=body, at=BEGAN + number)
    for number, (own, parent, body) in enumerate(BODIES)
)


@asynccontextmanager
async def a_session(home: Path, entries: tuple[Entry, ...] = ENTRIES) -> AsyncIterator[tuple[Network, Mailbox]]:
    (home / "run").mkdir()
    settings = Settings(home=str(home), cwd="/w", session_id="s1", run_id="r1")
    async with open_network() as network:
        network.start("store", partial(store_actor.run, settings=settings))
        agent = network.mailbox("agent:main")
        async with agent.stream("store", OpenSession(session_id="s1", cwd="/w", branch="main")) as stream:
            await stream.result(SessionOpened)
        await agent.ask("store", Append(entries=entries), Done)
        yield network, agent


async def exported(network: Network, session_id: str = "s1", **wanted: str) -> int:
    """The exit code."""
    words = encoded(export.Wanted(session_id=session_id, **wanted))  # type: ignore[arg-type]
    front = msgspec.Raw(msgspec.msgpack.encode(sessions.Wanted(action="export", words=words)))
    supervisor = network.mailbox("supervisor")
    settings = Settings(home="/h", cwd="/w", session_id="", run_id="r2", front=front)
    network.start("ui", partial(sessions.run, settings=settings))
    return await exit_code(supervisor)


async def of_form(home: Path, form: str) -> str:
    out = home / "out"
    async with a_session(home) as (network, _):
        assert await exported(network, format=form, out=str(out)) == 0
    return out.read_text()


async def test_json_lines_have_the_whole_tree(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in (await of_form(tmp_path, "jsonl")).splitlines()]

    assert [(line["id"], line["parent"]) for line in lines] == [(own, parent) for own, parent, _ in BODIES]
    assert lines[0]["body"]["attachments"] == [{"name": "shot.png", "media_type": "image/png", "size": len(PNG)}]


@pytest.mark.parametrize("form", ["markdown", "html", "atif"])
async def test_a_transcript_has_the_path_that_counts_and_no_secrets(tmp_path: Path, form: str) -> None:
    text = await of_form(tmp_path, form)

    assert [said in text for said in ("the first question", "the way taken", "the way not taken", SECRET)] == [
        True,
        True,
        False,
        False,
    ]
    assert text.count("line") >= 10_000


async def test_a_page_has_the_images(tmp_path: Path) -> None:
    assert '<img alt="shot.png" src="data:image/png;base64,iVBORw0KGgpwbGFudGVk' in await of_form(tmp_path, "html")


async def test_a_whole_session_is_all_of_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    async with a_session(tmp_path) as (network, agent):
        await agent.ask("store", NameSession(session_id="s1", name="Questions"), Done)
        await agent.ask("store", Label(session_id="s1", entry_id="e4", text="better"), Done)
        code = await exported(network, format="trouper", out=str(out))

    file = io.BytesIO(out.read_bytes())
    manifest = archive.read_manifest(file)
    archive.check(file, manifest)
    told = (manifest.session_id, manifest.cwd, manifest.branch, manifest.name, manifest.labels)
    assert (code, told) == (0, ("s1", "/w", "main", "Questions", {"e4": "better"}))
    assert tuple(archive.read_entries(file, manifest)) == ENTRIES


async def test_a_file_is_for_its_user_only(tmp_path: Path) -> None:
    await of_form(tmp_path, "jsonl")

    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o600


async def test_what_cannot_be_exported_leaves_what_was_there(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    out.write_text("before")
    async with a_session(tmp_path) as (network, _):
        code = await exported(network, "nosuch", format="html", out=str(out))

    assert (code, out.read_text()) == (1, "before")
    assert "trouper: there is no session" in capfd.readouterr().err
    assert list(tmp_path.glob(".out*")) == []


async def test_a_folder_that_is_gone_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "gone" / "out"
    async with a_session(tmp_path) as (network, _):
        code = await exported(network, format="html", out=str(out))

    assert (code, capfd.readouterr().err) == (1, f"trouper: cannot write {out}: No such file or directory.\n")


async def test_a_session_in_which_nothing_was_said_is_no_trajectory(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with a_session(tmp_path, entries=()) as (network, _):
        code = await exported(network, format="atif")

    why = "trouper: nothing was said in this session yet, so it is no trajectory.\n"
    assert (code, capfd.readouterr()) == (1, ("", why))


def options(*arguments: str) -> argparse.Namespace:
    return sessions.parser().parse_args(["export", "s1", *arguments])


def test_a_file_that_is_there_is_replaced_only_when_that_is_said(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.touch()

    with pytest.raises(Usage, match=r"that is there already\. To replace it: --force"):
        export.wanted(options("--out", str(out)))
    assert export.wanted(options("--out", str(out), "--force")) == encoded(export.Wanted(session_id="s1", out=str(out)))


@pytest.mark.parametrize(
    ("out", "why"),
    [("", "that is no regular file"), ("gone/out", "there is no folder"), ("file/out", "Not a directory")],
)
def test_what_cannot_be_a_file_is_refused(tmp_path: Path, out: str, why: str) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(Usage, match=why):
        export.wanted(options("--out", str(tmp_path / out), "--force"))
