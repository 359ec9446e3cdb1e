"""Claude Code: the Messages API; its tools are allowed by a setting, and no sandbox is on."""

from pathlib import Path

import msgspec

from tests.bench.agents.agent import Agent, Tools
from tests.bench.place import Place
from tests.bench.plan import Call

KEY = "sk-ant-none-00000000000000000000"
QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_TELEMETRY": "1",
}


def agent(program: str, home: Path, place: Place) -> Agent:
    folder = home / ".claude"
    folder.mkdir(parents=True)
    settings = {"model": "instant", "permissions": {"allow": ["Bash", "Read", "Write"]}}
    (folder / "settings.json").write_bytes(msgspec.json.encode(settings))
    known = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [KEY[-20:]]},
        "projects": {str(place.workspace): {"hasTrustDialogAccepted": True}},
    }
    (home / ".claude.json").write_bytes(msgspec.json.encode(known))
    service = {"ANTHROPIC_BASE_URL": place.url.removesuffix("/v1"), "ANTHROPIC_API_KEY": KEY}
    return Agent(
        name="claude",
        command=(program,),
        headless=("-p",),
        environment=place.alone(home, **service, **QUIET),
        tools=_tools(place.workspace),
        prompt="❯",
        interrupted="Interrupted",
    )


def _tools(workspace: Path) -> Tools:
    """Its files are named by absolute paths."""
    return Tools(
        read=lambda path: Call("Read", {"file_path": str(workspace / path)}),
        write=lambda path, line: Call("Write", {"file_path": str(workspace / path), "content": f"{line}\n"}),
        bash=lambda line: Call("Bash", {"command": line}),
    )
