"""Codex: the Responses API; its commands run in its own sandbox, which may write in the workspace.

For a model that it does not know it has one tool, a shell, and `apply_patch` within that: so it reads and writes.
Its screen is started without the server that it else leaves running, which is in no tree of processes.
"""

from pathlib import Path

from tests.bench.agents.agent import Agent, Tools
from tests.bench.place import Place
from tests.bench.plan import Call

CONFIGURATION = """\
model = "instant"
model_provider = "bench"
approval_policy = "never"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false
[model_providers.bench]
name = "bench"
base_url = "{url}"
wire_api = "responses"
env_key = "BENCH_KEY"
[analytics]
enabled = false
[otel]
exporter = "none"
[projects."{workspace}"]
trust_level = "trusted"
"""
PATCH = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: {path}\n+{line}\n*** End Patch\nEOF"


def _shell(line: str) -> Call:
    return Call("exec_command", {"cmd": line})


TOOLS = Tools(
    read=lambda path: _shell(f"cat {path}"),
    write=lambda path, line: _shell(PATCH.format(path=path, line=line)),
    bash=_shell,
)


def agent(program: str, home: Path, place: Place) -> Agent:
    (home / ".codex").mkdir(parents=True)
    configuration = CONFIGURATION.format(url=place.url, workspace=place.workspace)
    (home / ".codex" / "config.toml").write_text(configuration)
    return Agent(
        name="codex",
        command=(program,),
        headless=("exec",),
        screen=("--no-daemon",),
        environment=place.alone(home, BENCH_KEY="none"),
        tools=TOOLS,
        prompt="\u203a",
        interrupted="interrupted",
    )
