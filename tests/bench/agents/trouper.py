"""Trouper itself, from the working tree, in the mode that asks nothing; its commands run in its sandbox."""

from tests.bench.agents.agent import Agent, Tools
from tests.bench.place import Place, command
from tests.bench.plan import Call

TOOLS = Tools(
    read=lambda path: Call("read", {"path": path}),
    write=lambda path, line: Call("write", {"path": path, "content": f"{line}\n"}),
    bash=lambda line: Call("bash", {"command": line}),
)


def agent(place: Place) -> Agent:
    return Agent(
        name="trouper",
        command=tuple(command()),
        headless=("--mode", "auto", "-p"),
        screen=("--mode", "auto"),
        environment=place.environment(),
        tools=TOOLS,
        prompt="❯",
        interrupted="interrupted",
    )
