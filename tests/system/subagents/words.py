"""What scripts of these tests are made of."""

from tests.system.harness import Event


def tool(tool_name: str, **arguments: object) -> Event:
    """As `call`, also where an argument is called `name`."""
    return {"name": tool_name, "arguments": arguments}


def spawn(agent: str, prompt: str, **more: object) -> Event:
    return tool("spawn_agent", **{"name": agent, "prompt": prompt, "type": "explore", **more})


def case(prompt: str, *answers: Event) -> Event:
    """Answers of the conversation that begins with this."""
    return {"prompt": prompt, "answers": answers}
