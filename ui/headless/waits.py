"""For whom an agent waits, as the supervisor tells it, which is outside of all that can hang."""

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.system import DescribeTree, Tree

WHAT = {
    "store": "the session database",
    "gate": "rules and hooks",
    "providers": "the model service",
    "checkpoints": "records of files, and copies to work in",
    "tools": "commands and hooks",
    "web": "a web page",
    "agent": "a subagent",
}
"""By the first part of an actor's name."""
UNKNOWN = "what it waited for is not known"


async def looked_up(mailbox: Mailbox) -> Tree | None:
    """All actors as they are now; None where nobody tells. The supervisor waits for nobody itself."""
    try:
        return await mailbox.ask("supervisor", DescribeTree(), Tree)
    except Failed:
        return None


def waited_for(tree: Tree | None, asker: str) -> tuple[str, ...]:
    """Those that the asker waits for, then those that these wait for, and so on; each once."""
    asked = {actor.name: actor.waits_for for actor in tree.actors} if tree is not None else {}
    found = [asker]
    for name in found:
        found += [other for other in dict.fromkeys(asked.get(name, ())) if other not in found]
    return tuple(found[1:])


def in_words(tree: Tree | None, asker: str) -> str:
    """For people: what the asker is held up by."""
    actor = next((each for each in tree.actors if each.name == asker), None) if tree is not None else None
    if actor is None:
        return UNKNOWN
    if actor.state == "restarting":
        return f"{asker} had to be started again ({actor.last_error})"
    if names := waited_for(tree, asker):
        return f"{asker} waited for {', '.join(map(_explained, names))}"
    return f"{asker} was at work itself, such as with reading AGENTS.md"


def _explained(name: str) -> str:
    return f"{name} ({WHAT.get(name.partition(':')[0], 'another part')})"
