"""A call runs in the worker that may do it, and that worker is there."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.errors import Failed
from actors.gate.subjects.web_reads import meant
from actors.gate.workers import kind_of, worker_of
from actors.messages.conversation import ToolCall
from actors.messages.tool import FURTHER_WORKERS, Denied, Explain, Explanation, Grant, SandboxLevel
from actors.settings.config import WorkerKind
from actors.settings.permissions import Permissions, RuleLine
from tests.actors.gate.cases import around
from tests.actors.gate.scenes import SPECS, a_gate, call

WORKSPACE = Path("/work")
INSIDE, OUTSIDE = Grant(paths=("/work/a",)), Grant(paths=("/work/a", "/etc/b"))
NETWORK = Grant(paths=("/work",), network=True)
BY_NAME = {spec.name: spec for spec in SPECS}
FETCH = call("web_fetch", url="https://example.com/")
BOTH = (
    RuleLine(verdict="allow", text="Web(example.com)", source="--allow"),
    RuleLine(verdict="allow", text="Gh", source="--allow"),
)


@pytest.mark.parametrize(
    ("wanted", "grant", "level", "kind"),
    [
        (call("read"), INSIDE, "bubblewrap", ""),
        (call("read"), OUTSIDE, "landlock", ""),
        (call("write"), INSIDE, "landlock", ""),
        (call("write"), OUTSIDE, "landlock", "none"),
        (call("bash"), INSIDE, "none", ""),
        (call("bash"), Grant(sandboxed=False), "bubblewrap", "none"),
        (call("bash"), NETWORK, "landlock", "network"),
        (call("bash"), NETWORK, "bubblewrap", ""),
        (call("bash"), NETWORK, "none", ""),
        (call("bash_output", job="1"), INSIDE, "landlock", ""),
        (call("bash_output", job="network-1"), INSIDE, "landlock", "network"),
        (call("bash_output", job="none-1"), INSIDE, "landlock", "none"),
        (call("bash_output", job=7), INSIDE, "landlock", ""),
        (call("gh"), INSIDE, "landlock", "none"),
        (call("web_fetch"), INSIDE, "landlock", "web"),
    ],
)
def test_what_a_call_may_do_says_where_it_runs(
    wanted: ToolCall, grant: Grant, level: SandboxLevel, kind: WorkerKind
) -> None:
    context = around(WORKSPACE, level=level)

    assert kind_of(wanted, BY_NAME[wanted.name], grant, context) == kind
    assert kind_of(wanted, BY_NAME[wanted.name], grant, replace(context, unrestricted=True)) == (
        "web" if kind == "web" else ""
    )


def test_each_agent_has_workers_of_its_own() -> None:
    assert [worker_of("agent:t1"), worker_of("agent:t1", "none"), worker_of("ui"), worker_of("agent:t1", "web")] == [
        "tools:t1",
        "tools:t1~none",
        "tools:main",
        "web",
    ]


def test_the_names_of_further_workers_are_those_their_agent_is_stopped_with() -> None:
    kinds: tuple[WorkerKind, ...] = ("network", "none")

    assert tuple(worker_of("agent:t1", kind) for kind in kinds) == tuple(f"tools:t1{end}" for end in FURTHER_WORKERS)


async def test_a_worker_is_started_when_it_is_needed_and_only_asked_for_again(tmp_path: Path) -> None:
    async with a_gate(tmp_path, rules=BOTH) as scene:
        before = list(scene.supervisor.workers)
        results = [await scene.run(FETCH), await scene.run(call("gh", "c2"))]
        scene.restart_gate()
        results.append(await scene.run(call("web_fetch", "c3", url="https://example.com/")))

        assert before == []
        assert [result.output for result in results] == ["c1 done", "c2 done", "c3 done"]
        assert set(scene.supervisor.workers) == {"web", "tools:main~none"}
        assert [settings.worker for settings in scene.supervisor.settings()] == ["web", "none", "web"]
        first, _, last = scene.supervisor.orders
        assert bytes(first.settings) == bytes(last.settings)


async def test_after_the_death_of_a_worker_the_next_call_finds_another(tmp_path: Path) -> None:
    async with a_gate(tmp_path, rules=BOTH) as scene:
        await scene.run(FETCH)
        scene.network.kill("web")
        del scene.supervisor.workers["web"]

        assert (await scene.run(call("web_fetch", "c2", url="https://example.com/"))).output == "c2 done"


async def test_a_worker_that_cannot_be_had_fails_the_call(tmp_path: Path) -> None:
    async with a_gate(tmp_path, rules=BOTH) as scene:
        scene.network.kill("supervisor")

        with pytest.raises(Failed, match="supervisor"):
            await scene.run(FETCH)


async def test_reading_a_url_is_a_fetch_for_rules_questions_and_workers(tmp_path: Path) -> None:
    rules = Permissions(allow=("Read", "Web(example.com)"), deny=("Web(evil.net)",)).lines("config.toml")
    async with a_gate(tmp_path, rules=rules) as scene:
        allowed = await scene.run(call("read", path="https://example.com/a.png"))
        denied = await scene.authorise(call("read", path="HTTP://evil.net/a.png"))
        scene.ask_for(call("read", "c3", path="https://other.net/a.png"))
        _, asked = await scene.question()
        explained = await scene.ui.ask("gate", Explain(call=call("read", path="https://other.net/")), Explanation)

        assert allowed.output == "c1 done"
        assert set(scene.supervisor.workers) == {"web"}
        assert isinstance(denied, Denied)
        assert (asked.call.name, asked.call.arguments) == ("web_fetch", '{"url":"https://other.net/a.png"}')
        assert (explained.tool, explained.verdict) == ("web_fetch", "ask")


@pytest.mark.parametrize("arguments", ['{"path": "src/a.py"}', '{"path": "ftp://a.b/c"}', '{"path": 1}', "{", "[1]"])
def test_reading_anything_else_is_reading(arguments: str) -> None:
    wanted = ToolCall(call_id="c", name="read", arguments=arguments)

    assert meant(wanted) == wanted
