"""What scripts of these tests are made of."""

import subprocess

from tests.system.harness import Event, Place


def tool(tool_name: str, **arguments: object) -> Event:
    """As `call`, also where an argument is called `name`."""
    return {"name": tool_name, "arguments": arguments}


def spawn(agent: str, prompt: str, **more: object) -> Event:
    return tool("spawn_agent", **{"name": agent, "prompt": prompt, "type": "explore", **more})


def case(prompt: str, *answers: Event) -> Event:
    """Answers of the conversation that begins with this."""
    return {"prompt": prompt, "answers": answers}


def git(place: Place, *arguments: str) -> str:
    own = ("-c", "user.name=Somebody", "-c", "user.email=some@body.example")
    return subprocess.run(
        ["git", *own, *arguments],
        cwd=place.workspace,
        env=place.environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def repository(place: Place) -> None:
    (place.workspace / "a.txt").write_text("alpha\n")
    git(place, "init", "-q")
    git(place, "add", "-A")
    git(place, "commit", "-qm", "first")
