"""Images and PDFs, and another model, from end to end: what the user is told, the exit code, what goes on."""

import base64
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.harness import Event, Place, answer
from tests.system.services.servers import Serve, serving

pytestmark = pytest.mark.slow
PIXEL = b"\x89PNG\r\n\x1a\nplanted pixels"
SCRIPT: Event = {"end": answer("I was told: {prompt}")}


@pytest.fixture
def serve() -> Iterator[Serve]:
    with serving() as serve:
        yield serve


@pytest.fixture
def shot(place: Place) -> Path:
    path = place.workspace / "shot.png"
    path.write_bytes(PIXEL)
    return path


def configure(place: Place, url: str) -> None:
    (place.home / "config.toml").write_text(
        f'model = "seeing/m"\n'
        f'[providers.seeing]\napi = "anthropic-messages"\nbase_url = "{url}"\n'
        f'[providers.blind]\napi = "openai-chat"\nbase_url = "{url}/v1"\n'
        '[models."blind/m"]\nimages = false\n'
    )


@pytest.mark.parametrize(
    ("content", "why"),
    [(None, "No such file or directory."), (b"hello", "is none of PNG, JPEG, GIF and WebP images and PDFs")],
    ids=["missing", "text"],
)
def test_a_wrong_file_is_wrong_usage(place: Place, content: bytes | None, why: str) -> None:
    if content is not None:
        (place.workspace / "a.png").write_bytes(content)

    finished = place.run("-p", "look", "--attach", "a.png", "--model", place.script())

    assert (finished.code, finished.out) == (2, "")
    assert finished.err.startswith("trouper: --attach a.png")
    assert why in finished.err


def test_a_pipe_is_not_waited_for(place: Place) -> None:
    os.mkfifo(place.workspace / "a.png")

    finished = place.run("-p", "look", "--attach", "a.png", "--model", place.script())

    assert (finished.code, finished.err) == (2, "trouper: --attach a.png: not a regular file.\n")


def test_an_image_is_answered_kept_and_never_printed(place: Place, serve: Serve, shot: Path) -> None:
    configure(place, serve(SCRIPT))

    first = place.run("-p", "look", "--attach", shot.name, "--output", "stream-json")
    session = first.events[-1]["session"]
    shown = place.run("sessions", "show", session)
    exported = place.run("sessions", "export", session)
    again = place.run("-c", "-p", "and now?", "--output", "json")

    assert (first.code, first.events[-1]["answer"]) == (0, "I was told: look")
    assert "> look\n  [image shot.png, 1 KB]\n" in shown.out
    prompts = [event["body"] for event in exported.events if event["body"]["type"] == "UserMessage"]
    assert [body["attachments"] for body in prompts] == [
        [{"name": "shot.png", "media_type": "image/png", "size": len(PIXEL)}]
    ]
    assert again.code == 0
    encoded = base64.b64encode(PIXEL).decode().rstrip("=")
    assert all(encoded not in text for text in (first.out, first.err, shown.out, exported.out, again.out))


def test_a_model_that_takes_none_refuses_and_the_session_goes_on(place: Place, serve: Serve, shot: Path) -> None:
    configure(place, serve(SCRIPT))

    before = place.run("-p", "hello", "--model", "blind/m")
    refused = place.run("-c", "-p", "look", "--attach", shot.name)
    after = place.run("-c", "-p", "go on")

    assert (before.code, refused.code, after.code) == (0, 1, 0)
    assert refused.err == (
        "trouper: blind/m does not take shot.png. Choose a model that does: trouper models shows them.\n"
    )
    assert after.out == "I was told: go on\n"


def test_a_session_goes_on_with_the_model_it_was_last_given(place: Place, serve: Serve, shot: Path) -> None:
    configure(place, serve(SCRIPT))

    runs = (["--attach", shot.name], ["-c", "--model", "blind/m"], ["-c"], ["-c", "--model", "seeing/m"], ["-c"])
    models = [json.loads(place.run("-p", "go on", "--output", "json", *more).out)["model"] for more in runs]

    assert models == ["seeing/m", "blind/m", "blind/m", "seeing/m", "seeing/m"]


def test_a_batch_task_may_have_files(place: Place, serve: Serve, shot: Path) -> None:
    configure(place, serve(SCRIPT))
    tasks = place.workspace / "tasks.jsonl"
    tasks.write_text(json.dumps({"id": "a", "prompt": "look", "attach": [shot.name]}))
    wrong = place.workspace / "wrong.jsonl"
    wrong.write_text(json.dumps({"id": "b", "prompt": "look", "attach": ["gone.png"]}))

    done, refused = place.run("batch", str(tasks)), place.run("batch", str(wrong))

    assert (done.code, refused.code) == (0, 2)
    assert f'task "b": cannot attach {place.workspace}/gone.png: No such file' in refused.err


def test_a_killed_agent_still_has_the_image(place: Place, serve: Serve, shot: Path) -> None:
    slow = answer("I was told: {prompt}", chunks=4, chunk_delay_s=1.0)
    configure(place, serve({"end": slow}))
    session = place.start("-p", "look", "--attach", shot.name, "--output", "stream-json")
    session.wait_for("text")

    session.kill("agent:main")

    session.wait_for("restart", actor="agent:main")
    finished = session.finish()
    assert (finished.code, finished.events[-1]["answer"]) == (0, "I was told: look")
