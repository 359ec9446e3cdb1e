"""Who may have whom started and stopped by name, and how many of a kind there may be. Pure."""

from collections.abc import Iterable, Mapping

from actors.common.plurals import how_many
from actors.messages.base import Problem
from supervisor.child import Child
from supervisor.child_spec import ChildSpec, matches, spec_of

Spawned = Mapping[str, str]
"""Every name that was started by one who may only start its own -> who that was. Also of those that are gone."""


def may(tree: Iterable[ChildSpec], spawned: Spawned, asker: str, name: str) -> bool:
    spec = spec_of(tuple(tree), asker)
    if spec is None:
        return False
    if spec.leads or any(matches(pattern, name) for pattern in spec.starts):
        return True
    owners = {owner for each, owner in spawned.items() if family(each) == family(name)}
    return any(matches(pattern, name) for pattern in spec.spawns) and owners <= {asker}


def spawns(tree: Iterable[ChildSpec], asker: str) -> bool:
    """What it starts is its own, and ends with it."""
    spec = spec_of(tuple(tree), asker)
    return spec is not None and bool(spec.spawns)


def family(name: str) -> str:
    """An actor and its workers, which are named after it: agent:sub:x, tools:sub:x, tools:sub:x~none."""
    return name.partition(":")[2].partition("~")[0]


def of(owner: str, spawned: Spawned, children: Mapping[str, Child]) -> tuple[Child, ...]:
    """All that has to end with it, what others have started for them included."""
    families = {family(name) for name, who in spawned.items() if who == owner}
    return tuple(child for name, child in children.items() if family(name) in families)


def no_room(spec: ChildSpec, spawned: Spawned, children: Mapping[str, Child], name: str) -> Problem | None:
    """Why one more may not be started now; no_room where waiting helps."""
    living = [child for child in children.values() if child.spec is spec and not child.ended.is_set()]
    if spec.at_once is not None and len(living) >= spec.at_once:
        text = f"{how_many(len(living), 'agent')} of this kind run already, which is the most at once."
        return Problem(code="no_room", text=text, hint="It can start when one of them has ended.")
    earlier = [each for each in spawned if matches(spec.name, each) and each != name]
    if spec.in_all is not None and len(earlier) >= spec.in_all:
        text = (
            f"{how_many(len(earlier), 'agent')} of this kind were started in this run, which is the most."
        )
        return Problem(code="bad_request", text=text, hint="Go on with those that there are, or do the work itself.")
    return None
