"""Pi: Chat Completions; it has no sandbox and asks nothing."""

from pathlib import Path

import msgspec

from tests.bench.agents.agent import Agent, Tools
from tests.bench.place import Place
from tests.bench.plan import Call

TOOLS = Tools(
    read=lambda path: Call("read", {"path": path}),
    write=lambda path, line: Call("write", {"path": path, "content": f"{line}\n"}),
    bash=lambda line: Call("bash", {"command": line}),
)


def agent(program: str, home: Path, place: Place) -> Agent:
    folder = home / ".pi" / "agent"
    folder.mkdir(parents=True)
    provider = {
        "baseUrl": place.url,
        "api": "openai-completions",
        "apiKey": "none",
        "models": [{"id": "instant"}],
    }
    settings = {"defaultProvider": "bench", "defaultModel": "instant", "enableInstallTelemetry": False}
    (folder / "models.json").write_bytes(msgspec.json.encode({"providers": {"bench": provider}}))
    (folder / "settings.json").write_bytes(msgspec.json.encode(settings))
    return Agent(
        name="pi",
        command=(program,),
        headless=("-p",),
        environment=place.alone(home, PI_OFFLINE="1"),
        tools=TOOLS,
        prompt="─",
        interrupted="aborted",
    )
