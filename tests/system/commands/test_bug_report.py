"""`trouper bug-report`: what is in the file, what is not, and that it comes to be in broken setups, too."""

import base64
import json
import os
import pty
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from actors.messages.store import DATABASE
from tests.planted_secrets import ALL
from tests.system.harness import LAUNCHER, Place, answer, call, until

pytestmark = pytest.mark.slow
WORDS = "tell me of the blue giraffe"
UNLIKE = "correct-horse-battery-staple"
"""A secret that looks like none: it is known by the variable that it is in."""
LONE = re.compile(r"[^\n]{8,}")


def report(place: Place, *arguments: str, **variables: str) -> zipfile.ZipFile:
    out = place.temporary / "report.zip"
    said = place.run("bug-report", "--out", str(out), *arguments, **variables)
    assert said.code == 0, said.err
    assert str(out) in said.out
    return zipfile.ZipFile(out)


def asked(place: Place, answered: str, *arguments: str, **variables: str) -> tuple[zipfile.ZipFile, str]:
    """With --with-text, on a terminal. The file, and what was shown before it was asked."""
    out = place.temporary / f"{answered}.zip"
    ours, theirs = pty.openpty()
    command = [sys.executable, "-P", str(LAUNCHER), "bug-report", "--with-text", "--out", str(out), *arguments]
    shown = b""
    with subprocess.Popen(
        command,
        env={**place.environment, "PAGER": "cat", **variables},
        cwd=place.workspace,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
    ) as running:
        os.close(theirs)
        while b"[y/N]" not in shown:
            shown += os.read(ours, 65_536)
        os.write(ours, f"{answered}\n".encode())
        assert running.stdout is not None
        running.stdout.read()
    os.close(ours)
    assert running.returncode == 0
    return zipfile.ZipFile(out), shown.decode(errors="replace")


def everything(archive: zipfile.ZipFile) -> str:
    assert archive.testzip() is None
    return "\n".join([*archive.namelist(), *(archive.read(name).decode() for name in archive.namelist())])


def forms(secret: str) -> Iterator[str]:
    """As it stands, and encoded wherever it begins in something longer."""
    yield from (secret, quote(secret, safe=""), secret.encode().hex())
    for before in range(3):
        inner = base64.b64encode(b"\0" * before + secret.encode()).decode()[-(-before * 8 // 6) + 1 : -4]
        yield from (inner, inner.replace("+", "-").replace("/", "_"))


def planted() -> dict[str, str]:
    """By kind: the text with the secret, as it stands and encoded."""
    texts = {}
    for kind, (text, _) in ALL.items():
        data = text.encode()
        texts[kind] = f"{text}\n{base64.b64encode(data).decode()}\n{quote(text)}\n{data.hex()}\n"
    return texts


def test_a_session_has_a_shape_and_no_words(place: Place) -> None:
    place.run("-p", WORDS, "--mode", "auto", "--model", place.script(
        answer("I look.", call("bash", command="echo purple; exit 3")), answer("A giraffe."))
    )  # fmt: skip

    archive = report(place)
    rows = [json.loads(line) for line in archive.read("session.jsonl").splitlines()]
    whole = everything(archive)

    assert {"README.txt", "doctor.json", "session.jsonl", "logs/trouper.log"} == set(archive.namelist())
    assert [row["number"] for row in rows] == list(range(1, len(rows) + 1))
    (result,) = [row for row in rows if row["kind"] == "ToolResult"]
    assert (result["tool"], result["failed"]) == ("bash", True)
    assert [word for word in ("giraffe", "purple", "I look") if word in whole] == []
    assert str(place.home.parent) not in whole, "the home folder is ~"
    assert {row["name"] for row in json.loads(archive.read("doctor.json"))["checks"]} >= {"version", "kernel", "bwrap"}
    assert (place.temporary / "report.zip").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("answered", ["y", "n"])
def test_words_go_in_once_they_were_seen(place: Place, answered: str) -> None:
    place.run("-p", WORDS, "--model", place.script({"text": "A giraffe."}))

    archive, shown = asked(place, answered)

    assert WORDS in shown
    assert ("session.md" in archive.namelist(), WORDS in everything(archive)) == (answered == "y", answered == "y")


def test_without_a_terminal_nobody_can_be_asked(place: Place) -> None:
    said = place.run("bug-report", "--with-text")

    assert (said.code, "no terminal" in said.err) == (2, True)
    assert list(place.workspace.iterdir()) == []


def test_secrets_of_every_kind_are_in_no_byte_of_it(place: Place) -> None:
    plant(place)
    variables = {f"PLANTED_{number}_TOKEN": secret for number, (_, secret) in enumerate(ALL.values())}
    variables["SOME_SERVICE_PASSWORD"] = UNLIKE

    archive, shown = asked(place, "y", **variables)
    whole = everything(archive) + shown

    assert len(ALL) >= 30
    assert "session.md" in archive.namelist()
    assert "the end of what was planted" in whole
    secrets = {kind: LONE.findall(secret) for kind, (_, secret) in ALL.items()} | {"a variable": [UNLIKE]}
    found = {kind for kind, lines in secrets.items() for line in lines for form in forms(line) if form in whole}
    assert found == set()


def plant(place: Place) -> None:
    """In the config, logs, prompts, answers, outputs, names of files and the session's name."""
    texts = planted()
    (place.home / "config.toml").write_text(
        "".join(
            f"[providers.p{number}]\napi = 'openai-chat'\nbase_url = 'http://127.0.0.1:1'\n"
            f"[providers.p{number}.headers]\nx-odd = {json.dumps(secret)}\n"
            for number, (_, secret) in enumerate(ALL.values())
            if "\n" not in secret
        )
    )
    named = [secret for _, secret in ALL.values() if "\n" not in secret and "/" not in secret and len(secret) < 200]
    for name in named:
        (place.workspace / f"{name}.txt").touch()
    (place.workspace / "all.txt").write_text("".join(texts.values()))
    also = f"{UNLIKE} {base64.b64encode(UNLIKE.encode()).decode()} {UNLIKE.encode().hex()}"
    model = place.script(
        answer("".join(texts.values()), call("read", path="all.txt"), call("list", path=".")),
        answer(f"{also} the end of what was planted"),
    )
    prompt = "\n".join([*texts.values(), also])
    said = place.run("-p", prompt, "--mode", "auto", "--output", "json", "--model", model)
    session = json.loads(said.out)["session"]
    place.run("sessions", "rename", session, f"Of {named[0]}")
    with (place.home / "logs" / "trouper.log").open("a") as log:
        log.writelines(json.dumps({"event": "planted", "why": text}) + "\n" for text in (*texts.values(), also))
    (place.home / "logs" / "mcp").mkdir()
    (place.home / "logs" / "mcp" / "server.log").write_text("".join(texts.values()) + also)


@pytest.mark.parametrize("broken", ["database", "home"])
def test_it_comes_to_be_where_no_session_can(place: Place, broken: str) -> None:
    if broken == "database":
        (place.home / DATABASE).write_bytes(b"not a database, but long enough to be looked at" * 99)
    else:
        place.home.rmdir()
        place.home.touch()

    archive = report(place)
    rows = {row["name"]: row["state"] for row in json.loads(archive.read("doctor.json"))["checks"]}

    assert rows[broken] == "problem"
    assert b"not read" in archive.read("session.txt")


@pytest.mark.parametrize("dies", ["store:kill@message:2", "gate:kill@message:1", "ui:kill@message:1"])
def test_whoever_dies_meanwhile_the_session_is_in_it(place: Place, dies: str) -> None:
    place.run("-p", WORDS, "--model", place.script({"text": "A giraffe."}))

    archive = report(place, TROUPER_CHAOS=dies)

    assert archive.read("session.jsonl").count(b"\n") > 2
    assert "session.txt" not in archive.namelist()


def test_a_file_that_is_there_is_not_replaced(place: Place) -> None:
    out = place.workspace / "mine.zip"
    out.write_text("mine")

    said = place.run("bug-report", "--out", str(out))

    assert (said.code, out.read_text()) == (2, "mine")
    assert "there already" in said.err


def test_nothing_is_left_beside_it(place: Place) -> None:
    report(place)

    assert [path.name for path in place.temporary.rglob("session.*")] == []


def test_what_was_killed_in_the_middle_the_next_session_removes(place: Place) -> None:
    place.run("-p", WORDS, "--model", place.script({"text": "A giraffe."}))
    running = place.start("bug-report", TROUPER_CHAOS="ui:hang@message:1")
    until(lambda: list(place.temporary.rglob("outside")) != [])
    running.kill_supervisor()

    place.run("-p", WORDS, "--model", place.script({"text": "A giraffe."}))

    assert [path.name for path in place.temporary.rglob("session.*")] == []
    assert list(place.workspace.iterdir()) == []


def test_where_it_cannot_be_written_is_said(place: Place) -> None:
    said = place.run("bug-report", "--out", str(Path("/proc/report.zip")))

    assert said.code == 1
    assert "cannot be written" in said.err
