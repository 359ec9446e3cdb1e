"""Sessions that the other agents themselves write, against a model server of ours: what they say is what is imported.

They are found as the benchmark finds them: in the folder that BENCH_PEERS names, else on the PATH.
"""

import base64
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.bench.agents import installed
from tests.bench.agents.agent import Agent
from tests.bench.place import Place as BenchPlace
from tests.bench.plan import Call, Plan
from tests.bench.service import Service
from tests.system.harness import Place, until
from tests.ui.session_files.foreign.imported import faults, imported

pytestmark = pytest.mark.slow
Json = dict[str, Any]
FOUND = installed.found(os.environ)
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SESSION = "11111111-2222-4333-8444-555555555555"
MARK = "going-on"
ENDLESS = f"touch {MARK}; while [ -e {MARK} ]; do sleep 0.1; done"
NO_SANDBOX = ("exec", "--sandbox", "danger-full-access", "--skip-git-repo-check")


@dataclass(frozen=True)
class Said:
    """What a session comes to."""

    prompts: list[str]
    texts: list[str]
    calls: list[str]
    results: int


class Studio:
    """One agent and the model server that it asks."""

    def __init__(self, name: str, place: BenchPlace) -> None:
        self.place = place
        self.agent: Agent = installed.OTHERS[name](FOUND[name], place.top / "others" / name, place)
        self.home = place.top / "others" / name
        self.prompts: list[str] = []
        (place.workspace / "dot.png").write_bytes(PNG)

    def say(self, *arguments: str, plan: Plan) -> None:
        self.prompts.append(plan.prompt)
        assert self._begin(*arguments, plan.prompt).wait(120) == 0

    def tell(self, *arguments: str) -> None:
        """What is not for the model."""
        self._begin(*arguments).wait(120)

    def interrupt(self, *arguments: str) -> None:
        """In the middle of a command."""
        plan = Plan(calls=(self.agent.tools.bash(ENDLESS),), rounds=1)
        self.prompts.append(plan.prompt)
        mark = self.place.workspace / MARK
        process = self._begin(*arguments, plan.prompt)
        until(mark.exists)
        process.send_signal(signal.SIGINT)
        process.wait(120)
        mark.unlink()

    def _begin(self, *arguments: str) -> subprocess.Popen[bytes]:
        nothing = subprocess.DEVNULL
        return subprocess.Popen(
            [*self.agent.command, *arguments],
            cwd=self.place.workspace,
            env=self.agent.environment,
            stdin=nothing,
            stdout=nothing,
            stderr=nothing,
        )

    def sessions(self, folder: str) -> list[Path]:
        return sorted(path for path in (self.home / folder).rglob("*.jsonl") if path.parent.name != "subagents")

    def everything(self, *more: Call) -> Plan:
        """Several kinds, two at once, and some that fail."""
        tools = self.agent.tools
        calls = (tools.read("notes.txt"), tools.write("made-#.txt", "#"), tools.bash("exit 3"), tools.read("missing"))
        return Plan(calls=(*calls, *more), rounds=4 + len(more), at_once=2, deltas=3)


@contextmanager
def studio(name: str) -> Iterator[Studio]:
    if name not in FOUND:
        pytest.skip(f"{name} is not here; to get it: {installed.HOW_TO_GET_THEM}")
    service = Service()
    place = BenchPlace(service.url)
    try:
        yield Studio(name, place)
    finally:
        service.close()
        place.remove()


def records(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text().split("\n") if line]


def test_a_session_of_claude_code(place: Place) -> None:
    with studio("claude") as claude:
        subagent = Plan(calls=(claude.agent.tools.read("notes.txt"),), rounds=1).prompt
        look = {"description": "Look", "prompt": subagent, "subagent_type": "general-purpose"}
        image = claude.agent.tools.read("dot.png")
        allowed = ("--allowedTools", "Agent,Task,Read,Write,Bash", "--")
        claude.say("-p", "--session-id", SESSION, *allowed, plan=claude.everything(Call("Task", look), image))
        claude.say("-p", "--resume", SESSION, "--", plan=Plan(deltas=2))
        claude.interrupt("-p", "--resume", SESSION, *allowed)
        claude.tell("-p", "--resume", SESSION, "--", "/compact keep the names")
        claude.say("-p", "--resume", SESSION, *allowed, plan=Plan(calls=(image,), rounds=1))

        (path,) = claude.sessions(".claude/projects")
        check(place, path, _said_by_claude(path, claude.prompts), compactions=1)


def _said_by_claude(path: Path, prompts: list[str]) -> Said:
    """By what its records have, whatever hangs on what."""
    messages = [r["message"] for r in records(path) if r["type"] in ("user", "assistant") and not r["isSidechain"]]
    blocks = [block for m in messages if m.get("model") != "<synthetic>" for block in _blocks(m)]
    answers = [m for m in messages if m["role"] == "assistant" and m["model"] != "<synthetic>"]
    return Said(
        prompts=prompts,
        texts=[block["text"] for m in answers for block in _blocks(m) if block["type"] == "text"],
        calls=[block["name"] for block in blocks if block["type"] == "tool_use"],
        results=sum(block["type"] == "tool_result" for block in blocks),
    )


def _blocks(message: Json) -> list[Json]:
    return message["content"] if isinstance(message["content"], list) else []


def test_a_session_of_codex(place: Place) -> None:
    with studio("codex") as codex:
        image = str(codex.place.workspace / "dot.png")
        view = Call("view_image", {"path": image})
        codex.say(*NO_SANDBOX, plan=codex.everything(view, Call("nonexistent", {"a": 1})))
        codex.say(*NO_SANDBOX, "resume", "--last", "-i", image, "--", plan=Plan(deltas=2))
        codex.interrupt(*NO_SANDBOX, "resume", "--last")
        codex.say(*NO_SANDBOX, "resume", "--last", plan=Plan(deltas=400))
        full = ("-c", "model_auto_compact_token_limit=300")
        again = Plan(calls=(codex.agent.tools.bash("true"),), rounds=2)
        codex.say(*NO_SANDBOX, *full, "resume", "--last", plan=again)

        (path,) = codex.sessions(".codex/sessions")
        items = [record["payload"] for record in records(path) if record["type"] == "response_item"]
        answers = [item for item in items if item.get("role") == "assistant"]
        calls = [item["name"] for item in items if item["type"].endswith("_call")]
        said = Said(
            prompts=codex.prompts,
            texts=["".join(part["text"] for part in answer["content"]) for answer in answers],
            calls=calls,
            results=sum(item["type"].endswith("_output") for item in items),
        )
        check(place, path, said, compactions=1)


def test_a_session_of_pi(place: Place) -> None:
    with studio("pi") as pi:
        view, odd = pi.agent.tools.read("dot.png"), Call("nonexistent", {"x": 1})
        pi.say("-p", plan=pi.everything(view, odd))
        pi.say("-p", "-c", plan=Plan(deltas=2))
        pi.interrupt("-p", "-c")
        (path,) = pi.sessions(".pi/agent/sessions")
        _through_rpc(pi, path)

        messages = [record["message"] for record in records(path) if record["type"] == "message"]
        blocks = [block for m in messages if m["role"] == "assistant" for block in m["content"]]
        said = Said(
            prompts=pi.prompts,
            texts=[block["text"] for block in blocks if block["type"] == "text"],
            calls=[block["name"] for block in blocks if block["type"] == "toolCall"],
            results=sum(m["role"] == "toolResult" for m in messages),
        )
        name = check(place, path, said, compactions=1)

    assert name == "Named by hand"


def _through_rpc(pi: Studio, path: Path) -> None:
    """What one cannot do from its command line."""
    long = [Plan(calls=(pi.agent.tools.read("notes.txt"),), rounds=1, deltas=400).prompt for _ in range(2)]
    said: list[Json] = [
        {"type": "prompt", "message": long[0]},
        {"type": "bash", "command": "echo from the user"},
        {"type": "set_session_name", "name": "Named by hand"},
        {"type": "prompt", "message": long[1]},
        {"type": "compact"},
    ]
    with subprocess.Popen(
        [*pi.agent.command, "--mode", "rpc", "--session", str(path)],
        cwd=pi.place.workspace,
        env=pi.agent.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for command in said:
            process.stdin.write(json.dumps(command).encode() + b"\n")
            process.stdin.flush()
            over = "agent_end" if command["type"] == "prompt" else "response"
            next(line for line in process.stdout if json.loads(line)["type"] == over)
    pi.prompts += long


def check(place: Place, path: Path, said: Said, *, compactions: int) -> str:
    """The program imports just that; returns the name it has there."""
    entries, _ = imported(path.read_bytes())
    done = place.run("sessions", "import", str(path), "--cwd", str(place.workspace), "--json")
    (outcome,) = json.loads(done.out)
    bodies = [entry["body"] for entry in place.run("sessions", "export", outcome["session_id"]).events]
    answers = [body for body in bodies if body["type"] == "AssistantMessage"]
    blocks = [block for answer in answers for block in answer["blocks"]]
    results = [body["output"] for body in bodies if body["type"] == "ToolResult"]
    tally = outcome["tally"]

    assert faults(entries) == []
    assert (
        Said(
            prompts=[body["text"] for body in bodies if body["type"] == "UserMessage" and body.get("prompt_id")],
            texts=[block["text"] for block in blocks if block["type"] == "Text"],
            calls=[block["name"] for block in blocks if block["type"] == "ToolCall"],
            results=sum(output != "not in the imported session" for output in results),
        )
        == said
    )
    assert len(results) == tally["calls"] == len(said.calls)
    assert (tally["prompts"], tally["results"]) == (len(said.prompts), said.results)
    assert (tally["compactions"], tally["unknown"], tally["unreadable"]) == (compactions, {}, 0)
    assert any(body.get("attachments") for body in bodies)
    assert "interrupted" in {body.get("reason") for body in bodies if body["type"] == "TurnEnded"}
    return str(outcome["name"])
