"""What a user can get wrong, in words and files: an exit code, the cause and the next step, nothing broken."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.system.harness import Finished, Place, answer, call

pytestmark = pytest.mark.slow


def check(place: Place, finished: Finished, code: int, *said: str) -> None:
    """It failed so and said so; afterwards a good prompt works."""
    assert finished.code == code, finished.err
    for words in said:
        assert words in finished.err
    assert "Traceback" not in finished.err
    assert place.left() == []


CONFIGS = {
    "not TOML": ("model = ", "config.toml is not valid TOML"),
    "not UTF-8": ("model = '\udcff'", "cannot read"),
    "an unknown key": ("modell = 'x'", 'unknown key "modell". Did you mean model'),
    "an unknown key of a provider": (
        "[providers.local]\napi = 'openai-chat'\nbase_uri = ''",
        'unknown key "base_uri" in [providers.local]. Did you mean base_url?',
    ),
    "a wrong value": ("max_turns = 'many'", "config.toml: max_turns: it has to be a whole number, not text"),
}


@pytest.mark.parametrize("what", CONFIGS)
def test_a_broken_config_file_is_named_with_its_mistake(place: Place, what: str) -> None:
    text, said = CONFIGS[what]
    config = place.home / "config.toml"
    config.write_text(text, errors="surrogateescape")

    finished = place.run("-p", "hi", "--model", place.script())

    check(place, finished, 2, str(config), said)
    assert config.read_text(errors="surrogateescape") == text


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[providers.evil]\napi = 'openai-chat'\nbase_url = 'http://evil'", "providers"),
        ("mode = 'auto'", "mode"),
    ],
)
def test_a_workspace_may_not_widen_anything(place: Place, text: str, key: str) -> None:
    (place.workspace / ".trouper").mkdir()
    (place.workspace / ".trouper" / "config.toml").write_text(text)

    finished = place.run("-p", "hi", "--model", place.script(answer("hello")))

    check(place, finished, 0, f'"{key}" may only be set in your own config file')


def test_a_config_that_is_a_folder_is_named(place: Place) -> None:
    (place.home / "config.toml").mkdir()

    check(place, place.run("-p", "hi"), 2, "cannot read", "config.toml", "Make it readable")


WORDS = {
    "no prompt": (("-p", ""), {}, 2, "there is no prompt. Give one: trouper -p PROMPT"),
    "two prompts": (("-p", "hi", "ho"), {}, 2, 'with -p there is one prompt; "ho" is too much'),
    "no folder": (("-p", "hi", "--cwd", "/nowhere/at/all"), {}, 2, "--cwd /nowhere/at/all: there is no such folder"),
    "bad chaos": (("-p", "hi"), {"TROUPER_CHAOS": "store:melt@message:1"}, 2, 'cannot read "store:melt@message:1"'),
    "bad spawn": (("-p", "hi"), {"TROUPER_SPAWN": "clone"}, 2, 'TROUPER_SPAWN is "clone"; it can be fork or exec'),
    "no session": (("-p", "hi", "-c"), {}, 1, "there is no earlier session in"),
    "no such session": (("-p", "hi", "-r", "zz"), {}, 2, 'there is no session with "zz" as its id'),
    "which session": (("-p", "hi", "-r"), {}, 2, "say which session"),
    "all of what": (("-p", "hi", "-c", "--all"), {}, 2, "--all is for a session that is looked for"),
    "no script": (("-p", "hi", "--model", "scripted:none.toml"), {}, 1, "Cannot read the script"),
    "no such provider": (("-p", "hi", "--model", "nosuch/model"), {}, 1, "nosuch"),
    "no model": (("-p", "hi", "--model", "nosuch"), {}, 1, "nosuch"),
}


@pytest.mark.parametrize("what", WORDS)
def test_what_makes_no_sense_is_said(place: Place, what: str) -> None:
    arguments, environment, code, said = WORDS[what]

    check(place, place.run(*arguments, **environment), code, said)


@pytest.mark.parametrize(
    "words",
    [
        ("-p", "\udcff"),
        ("tools", "call", "bash", '{"command": "ls \udcff"}'),
        ("sessions", "show", "\udcff"),
        ("doctor",),
    ],
)
def test_what_is_not_utf_8_is_named(place: Place, words: tuple[str, ...]) -> None:
    folder = place.workspace / "d\udcff"
    folder.mkdir()

    finished = place.run(*words, *(("--cwd", str(folder)) if words == ("doctor",) else ()))

    check(place, finished, 2, "is not UTF-8")


def test_without_any_credentials_it_says_what_to_do(place: Place) -> None:
    finished = place.run("-p", "hi", OLLAMA_HOST="http://127.0.0.1:9")

    check(place, finished, 5, "ANTHROPIC_API_KEY")


def test_a_broken_script_is_named_with_its_mistake(place: Place) -> None:
    model = place.script({"txt": "hi"})

    check(place, place.run("-p", "hi", "--model", model), 1, "is not valid", 'unknown key "txt"')


def test_a_home_that_is_a_file_is_named(place: Place, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    finished = place.run("-p", "hi", TROUPER_HOME=str(tmp_path / "file"))

    check(place, finished, 2, "Set TROUPER_HOME to a folder you can write to")


def test_a_write_that_cannot_be_is_an_error_for_the_model(place: Place) -> None:
    (place.workspace / "taken").write_text("")
    (place.workspace / "folder").mkdir()
    model = place.script(
        answer("", call("write", path="taken/a.txt", content="x"), call("write", path="folder", content="x"))
    )

    finished = place.prompt(model).finish()

    results = [event for event in finished.events if event["type"] == "tool_result"]
    assert finished.code == 0
    assert [result["failed"] for result in results] == [True, True]
    assert "taken" in results[0]["output"]
    assert "folder" in results[1]["output"]
    assert (place.workspace / "taken").read_text() == ""


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_workspace_that_cannot_be_written_is_an_error_for_the_model(place: Place) -> None:
    place.workspace.chmod(0o500)

    finished = place.prompt(place.script(answer("", call("write", path="a.txt", content="x")))).finish()

    place.workspace.chmod(0o700)
    assert finished.code == 0
    assert "ermission denied" in next(e["output"] for e in finished.events if e["type"] == "tool_result")


PARENT = "import os; print(open(f'/proc/{os.getppid()}/environ').read())".replace("'", '"')


def test_a_key_in_the_environment_reaches_neither_files_nor_commands(place: Place) -> None:
    key = "sk-planted-0123456789"
    model = place.script(answer("", call("bash", command=f"env; {sys.executable} -c '{PARENT}'")), answer("{result}"))

    finished = place.prompt(model, OPENAI_API_KEY=key, MY_SECRET_TOKEN=key).finish()

    assert finished.code == 0
    assert "PATH=" in finished.out
    assert key not in finished.out + finished.err
    written = [path for path in place.home.rglob("*") if path.is_file()]
    assert [path for path in written if key.encode() in path.read_bytes()] == []
    assert "trouper.db" in {path.name for path in written}


def test_only_the_providers_see_the_key(place: Place) -> None:
    session = place.prompt(
        place.script(answer(delay_s=300)), OPENAI_API_KEY="sk-planted-0123456789", TROUPER_SPAWN="exec"
    )
    session.wait_for("session")

    seen = {
        name
        for name, actor in session.actors().items()
        if actor.pid and b"sk-planted" in Path(f"/proc/{actor.pid}/environ").read_bytes()
    }

    assert seen == {"providers"}
    assert session.kill_supervisor() == []


def test_bad_tasks_of_a_batch_are_named_by_line(place: Place) -> None:
    (place.workspace / "tasks.jsonl").write_text(json.dumps({"id": "a", "prompt": "x"}) + "\n{nonsense\n")

    finished = place.run("batch", "tasks.jsonl", "--model", place.script())

    check(place, finished, 2, "tasks.jsonl, line 2")
    assert not (place.workspace / "tasks.results.jsonl").exists()
