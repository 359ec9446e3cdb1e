"""What a prompt without a screen names of MCP servers, and what models read of them, before the real program."""

import json
import signal
import subprocess
import sys

import pytest

from tests.fakes.mcp_server import FILE
from tests.system.harness import LAUNCHER, Place, answer, call, until

pytestmark = pytest.mark.slow
ECHO = answer("You said: {prompt}.")


def configure(place: Place) -> None:
    """A server that has something; its command line says whose it is."""
    fake = {"command": sys.executable, "args": [FILE, str(place.home)]}
    fake |= {"start_timeout_s": 120, "read_only": True}
    (place.home / "mcp.json").write_text(json.dumps({"mcpServers": {"fake": fake}}))


def test_a_resource_and_a_prompt_go_with_the_prompt_or_nothing_is_sent(place: Place) -> None:
    configure(place)
    model = place.script(*[ECHO] * 9)

    read = place.run("-p", "see @fake:fake://one and @types/x:y", "--model", model)
    greeted = place.run("-p", "/fake:greet Ada how=!", "--model", model)
    missing = place.run("-p", "see @fake:fake://two", "--model", model)
    unnamed = place.run("-p", "/fake:greet", "--model", model, "--output", "json")

    assert (read.code, greeted.code, missing.code, unnamed.code) == (0, 0, 1, 1)
    assert read.out.startswith("You said: see @fake:fake://one and @types/x:y\n")
    assert read.out.endswith("> of one.\n")
    assert greeted.out.endswith("> Greet Ada!..\n")
    assert (
        "@fake:fake://two cannot be read: fake says: Resource not found: fake://two. Nothing was sent." in missing.err
    )
    assert "/fake:greet needs who. Usage: /fake:greet <who> [how]" in json.loads(unnamed.out)["error"]


def never_answered(place: Place) -> bool:
    """The server was asked for what it never gives."""
    log = place.home / "logs" / "mcp" / "fake.log"
    return log.exists() and "never answers this" in log.read_text()


def test_whoever_interrupts_the_reading_sends_nothing(place: Place) -> None:
    configure(place)
    session = place.start("-p", "wait for @fake:fake://silent", "--model", place.script(ECHO))
    until(lambda: never_answered(place))

    session.signal(signal.SIGINT)
    finished = session.finish()

    assert (finished.code, finished.out) == (130, "")
    assert "interrupted" in finished.err


def test_what_is_piped_in_beside_a_prompt_names_nothing(place: Place) -> None:
    configure(place)
    run = [sys.executable, "-P", str(LAUNCHER), "-p", "sum it up", "--model", place.script(ECHO)]

    piped = "see @fake:fake://two\n"
    done = subprocess.run(
        run, input=piped, capture_output=True, text=True, cwd=place.workspace, env=place.environment, check=False
    )

    assert (done.returncode, done.stdout) == (0, "You said: sum it up\n\nsee @fake:fake://two.\n")


def test_what_a_session_has_of_a_server_is_in_its_exports(place: Place) -> None:
    configure(place)
    place.run("-p", "see @fake:fake://rows/5", "--model", place.script(ECHO))

    session = json.loads(place.run("sessions", "list", "--json").out)[0]["session_id"]
    shown = place.run("sessions", "show", session)
    markdown = place.run("sessions", "export", session, "--format", "markdown")

    assert "  [@fake:fake://rows/5, 2 lines]\n" in shown.out
    assert "> row 5" in markdown.out


def test_a_task_of_a_batch_brings_what_it_names(place: Place) -> None:
    configure(place)
    tasks = place.workspace / "tasks.jsonl"
    tasks.write_text(json.dumps({"id": "a", "prompt": "see @fake:fake://one"}) + "\n")

    finished = place.run("batch", str(tasks), "--model", place.script(*[ECHO] * 3))

    assert finished.code == 0
    assert "> of one" in finished.out + "".join(path.read_text() for path in place.workspace.glob("*.jsonl"))


def test_a_model_lists_and_reads_what_a_server_has(place: Place) -> None:
    configure(place)
    place.run("mcp", "list")
    listing, reading = call("list_mcp_resources"), call("read_mcp_resource", server="fake", uri="fake://one")

    finished = place.prompt(place.script(answer("", listing), answer("", reading), answer("Done."))).finish()

    results = [event for event in finished.events if event["type"] == "tool_result"]
    assert [(one["name"], one["output"]) for one in results] == [
        ("list_mcp_resources", "fake:\nfake://one  one\ntemplate fake://rows/{n}  row"),
        ("read_mcp_resource", "of one"),
    ]


def test_what_servers_have_is_listed(place: Place) -> None:
    configure(place)

    row = json.loads(place.run("mcp", "list", "--json").out)[0]
    line = place.run("mcp", "list").out
    known = place.run("mcp", "get", "fake").out

    assert [one["uri"] for one in (*row["resources"], *row["resource_templates"])] == ["fake://one", "fake://rows/{n}"]
    assert row["prompts"][1] == {
        "name": "greet",
        "usage": "/fake:greet <who> [how]",
        "description": "Says hello.",
        "arguments": [
            {"name": "who", "description": "", "required": True},
            {"name": "how", "description": "", "required": False},
        ],
    }
    assert "2 resources, 3 prompts" in line
    assert "resource        @fake:fake://one - one\n" in known
    assert "prompt          /fake:greet <who> [how] - Says hello.\n" in known
