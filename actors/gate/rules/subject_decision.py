"""What is decided about one thing a call touches. Deny > ask > allow; each step below beats the ones after it.

closed places > the mode's denials > deny rules > unrestricted > what is asked about every time > ask rules > a rule
that names a deletion > what else is deleted > allow rules and what was given for the session > what leaves the
workspace or the sandbox > the mode's table. Unrestricted, no place is closed.
"""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path

from msgspec.structs import replace

from actors.common.globs import may_be_in, may_match_below
from actors.gate.bash.language.parts import Part
from actors.gate.decision import BUILT_IN, DELETION, Context, Decision
from actors.gate.rules.matching import allows, allows_path, lifts, rule, tightens
from actors.gate.rules.modes import TABLE, Does
from actors.gate.subjects.command_words import cut, may_be_command
from actors.gate.subjects.folder_contents import carried, git_words, is_carried, mentioned, moves, searched
from actors.gate.subjects.git_versions import shows_files
from actors.gate.subjects.places import Place, closed, holds_closed
from actors.gate.subjects.repositories import top_of_repository
from actors.gate.subjects.subject import Command, File, Kind, Site, Subject, Whole, effect_of
from actors.gate.subjects.system_places import anybody_may_look
from actors.messages.conversation import Effect
from actors.messages.model import ToolSpec
from actors.messages.tool import Verdict
from actors.settings.permissions import RuleLine, is_path

OUTSIDE = "which is outside the workspace"
UNNAMED = "a host that nobody named"
WHOLE_TREES = ("move", "delete", "copy")
"""Tools that write a folder with all that is in it."""
PATTERN = set("*?[{")
"""What the shell makes several paths of."""
VERBS: dict[Effect, str] = {"read": "look", "write": "write", "execute": "run commands", "network": "use the network"}


def decide(subject: Subject, tool: ToolSpec, context: Context) -> Decision:
    """subject: as `in_the_light_of_rules` leaves it."""
    steps = (denial, _unrestricted, _every_time, _asked, _lifted, _losing, _allowed, _leaving)
    for step in steps:
        if decision := step(subject, tool, context):
            return decision
    return _by_table(subject, tool, context)


def denial(subject: Subject, tool: ToolSpec, context: Context) -> Decision | None:
    """What nothing else is asked after."""
    closed_to_it = None if context.unrestricted else _closed(subject, tool, context)
    return closed_to_it or _by_mode(subject, tool, context) or denied_by_rule(subject, tool, context)


def _closed(subject: Subject, tool: ToolSpec, context: Context) -> Decision | None:
    if isinstance(subject, Command) and subject.part.denied:
        return Decision("deny", "never run", BUILT_IN, f"`{cut(subject.part.text)}`: {subject.part.denied}")
    for why in _closings(subject, tool, context):
        return Decision("deny", "closed to tools", BUILT_IN, why)
    return None


def _closings(subject: Subject, tool: ToolSpec, context: Context) -> Iterator[str]:
    whys: list[str] = []
    match subject:
        case File(access=access, place=place):
            whys = [closed(place, access, context)]
            if access == "write" and tool.name in WHOLE_TREES:
                whys.append(holds_closed(place, context))
        case Command(reads=reads, writes=writes):
            whys += [closed(place, "read", context) for place in reads]
            whys += [closed(place, "write", context) for place in writes]
        case Site() | Kind() | Whole():
            pass
    yield from filter(None, whys)


def _by_mode(subject: Subject, _tool: ToolSpec, context: Context) -> Decision | None:
    effect = effect_of(subject)
    if TABLE[context.mode][effect] != "deny":
        return None
    why = f"mode {context.mode} does not allow to {VERBS.get(effect, effect)}"
    return Decision("deny", f"mode {context.mode}", BUILT_IN, why)


def denied_by_rule(subject: Subject, tool: ToolSpec, context: Context) -> Decision | None:
    return _by_line("deny", subject, tool, context)


def _unrestricted(_subject: Subject, _tool: ToolSpec, context: Context) -> Decision | None:
    return Decision("allow", "unrestricted", BUILT_IN, "everything runs unasked") if context.unrestricted else None


def _every_time(subject: Subject, _tool: ToolSpec, context: Context) -> Decision | None:
    why = ""
    match subject:
        case Command(part=part, leaves=leaves, lost=lost, outside=outside):
            gone = next((place for place in lost if place in outside), None)
            danger = part.danger or ("" if context.apart and not leaves else part.danger_outside)
            said = danger or (f"it deletes {gone.shown}, {OUTSIDE}" if gone else "")
            why = said and f"`{cut(part.text)}`: {said}"
        case File(deleted=True, own=False, place=place) if not place.is_inside(context.workspace):
            why = f"it deletes {place.shown}, {OUTSIDE}"
        case _:
            return None
    return Decision("ask", "asked every time", BUILT_IN, why, strong=why) if why else None


def _lifted(subject: Subject, tool: ToolSpec, context: Context) -> Decision | None:
    """A deletion, by a rule that names it: leave to run anything is none."""
    lines = _allowing(context) if _loss(subject, context) else []
    return next((_by(line, subject) for line in lines if lifts(rule(line.text), subject, tool, context)), None)


def _losing(subject: Subject, _tool: ToolSpec, context: Context) -> Decision | None:
    why = _loss(subject, context)
    return Decision("ask", DELETION, BUILT_IN, why, strong=why if context.mode == "auto" else "") if why else None


def _loss(subject: Subject, context: Context) -> str:
    """What of worth can be lost; "" for nothing."""
    if context.typed:
        return ""
    match subject:
        case Command(part=part) if part.loses:
            return f"`{cut(part.text)}`: {part.loses}"
        case Command(part=part, lost=(place, *_)) if context.loss != "":
            return f"`{cut(part.text)}`: {context.loss or f'it deletes {place.shown}'}"
        case File(deleted=True, place=place) if context.loss != "":
            return f"it deletes {place.shown}{f': {context.loss}' if context.loss else ''}"
        case _:
            return ""


def _asked(subject: Subject, tool: ToolSpec, context: Context) -> Decision | None:
    return _by_line("ask", subject, tool, context)


def _by_line(verdict: Verdict, subject: Subject, tool: ToolSpec, context: Context) -> Decision | None:
    for line in context.rules:
        if line.verdict == verdict and tightens(rule(line.text), subject, tool, context):
            return _by(line, subject, _by_content(line, subject, context))
    return None


def _by_content(line: RuleLine, subject: Subject, context: Context) -> str:
    """Where a rule is about a command for what is in a folder: that, and what to do instead."""
    given = rule(line.text)
    if given.scope != "read" or not given.pattern or not isinstance(subject, Command):
        return ""
    folder = is_carried(given.pattern, subject, context)
    return f": {folder} may hold files that it hides; the tools move and copy look whether it does" if folder else ""


def _allowed(subject: Subject, tool: ToolSpec, context: Context) -> Decision | None:
    for line in _allowing(context):
        if allows(rule(line.text), subject, tool, context):
            return _by(line, subject)
    return None


def _leaving(subject: Subject, tool: ToolSpec, context: Context) -> Decision | None:
    """What no mode allows by itself."""
    match subject:
        case Site(host=host) if TABLE[context.mode]["web"] == "allow" and host not in context.named:
            why = f"{cut(host) or 'its host'} is named neither by you nor by a result or a file here"
            return Decision("ask", UNNAMED, BUILT_IN, why)
        case File(access=access, place=place) if not place.is_inside(context.workspace):
            if access == "read" and anybody_may_look(place):
                return None
            if subject.own and not subject.moved_to:
                return None
            led = "" if str(place.real) == place.given else f" (it leads to {cut(str(place.real))})"
            return Decision("ask", "outside the workspace", BUILT_IN, f"{place.shown} is outside the workspace{led}")
        case Command(part=part) if why := _unknown(subject, context):
            return Decision("ask", "not known before it runs", BUILT_IN, f"`{cut(part.text)}`: {why}")
        case Command(part=part, outside=(first, *_)):
            why = f"`{cut(part.text)}`: {first.shown} is outside the workspace"
            return Decision("ask", "outside the workspace", BUILT_IN, why)
        case Command(part=part, leaves=leaves) if leaves:
            return Decision("ask", "leaving the sandbox", BUILT_IN, f"`{cut(part.text)}`: {leaves}")
        case Command() if not context.contained:
            why = (
                "there is no sandbox here"
                if context.level == "none"
                else "without namespaces the sandbox holds too little"
            )
            return Decision("ask", "no sandbox", BUILT_IN, f"{why}, so every command asks")
        case Whole() if tool.runs_in == "open":
            return Decision("ask", "leaving the sandbox", BUILT_IN, f"{tool.name} runs outside it, with your sign-in")
        case _:
            return None


def _unknown(command: Command, context: Context) -> str:
    """What the sandbox holds anyway is no reason to ask in auto; see DECISIONS: what the line does not show."""
    is_held = context.mode == "auto" and (context.apart or context.typed) and not command.leaves
    return command.ruled or command.part.unsure or ("" if is_held else command.part.unseen)


def _by_table(subject: Subject, tool: ToolSpec, context: Context) -> Decision:
    """Of a command the table is asked about what the part does."""
    effect: Does = _does(subject.part) if isinstance(subject, Command) else effect_of(subject)
    if effect == "network" and tool.runs_in == "web":
        effect = "web"
    verdict = TABLE[context.mode][effect]
    why = f"{_about(subject)}mode {context.mode} {'allows it' if verdict == 'allow' else 'asks'}"
    return Decision(verdict, f"mode {context.mode}", BUILT_IN, why)


def _does(part: Part) -> Effect:
    """What touches files that nobody can name beforehand may as well be code."""
    return "execute" if part.blind else part.effect


def _about(subject: Subject) -> str:
    match subject:
        case File(access=access, place=place):
            return f"{place.shown} is {'read' if access == 'read' else 'written'}: "
        case Command(part=part):
            does = {"read": "only looks", "write": "changes files that it names", "execute": "runs code"}
            return (
                f"`{cut(part.text)}` {'names files nobody knows before it runs' if part.blind else does[part.effect]}: "
            )
        case Site(host=host):
            return f"{cut(host)}: " if host else ""
        case Kind(name=name):
            return f"an agent of the type {cut(name)}: "
        case Whole():
            return ""


def _by(line: RuleLine, subject: Subject, because: str = "") -> Decision:
    done = {"deny": "denied", "ask": "asked about", "allow": "allowed"}[line.verdict]
    match subject:
        case File(place=place):
            what = f"{place.shown} is "
        case Command(part=part):
            what = f"`{cut(part.text)}` is "
        case Site(host=host) if host:
            what = f"{cut(host)} is "
        case Kind(name=name):
            what = f"an agent of the type {cut(name)} is "
        case _:
            what = ""
    why = f'{what}{done} by the rule "{line.text}" ({line.source}){because}'
    return Decision(line.verdict, line.text, line.source, why)


def _allowing(context: Context) -> list[RuleLine]:
    return [line for line in (*context.rules, *context.session) if line.verdict == "allow"]


def in_the_light_of_rules(subject: Subject, context: Context) -> Subject:
    """A command, without the outside places that rules allow; and why a rule may be about it that does not name it."""
    if not isinstance(subject, Command):
        return subject
    allowing = [rule(line.text) for line in _allowing(context)]
    outside = tuple(
        place for place in subject.outside if not any(allows_path(given, place, context) for given in allowing)
    )
    return replace(subject, outside=outside, ruled=_may_be_tightened(subject, context))


def _may_be_tightened(command: Command, context: Context) -> str:
    """Why a rule that denies or asks may be about it though its words do not say so; "" where none is."""
    text = command.part.text
    rules = [rule(line.text) for line in context.rules if line.verdict != "allow"]
    if command.part.unsure and any(each.scope in ("bash", "read", "write") for each in rules):
        return command.part.unsure
    commands = [each.pattern for each in rules if each.scope == "bash" and not is_path(each.pattern)]
    if denied := next((pattern for pattern in commands if pattern and may_be_command(pattern, text)), ""):
        return f"nobody knows before it runs whether it is {denied.removesuffix(':*')}, for which there is a rule"
    written = [each.pattern for each in rules if each.scope == "write" and each.pattern]
    if named := _may_be_one_of(command.writes, written, context):
        return f"{named} may be a path that a rule is about"
    if written and command.part.astray:
        return "nobody knows before it runs what it writes, and there is a rule about that"
    return _may_show(command, context)


def _may_show(command: Command, context: Context) -> str:
    """Why it may show what a rule hides though it does not name it; "" where it does not."""
    hiding = [line for line in context.rules if line.verdict != "allow" and rule(line.text).scope == "read"]
    files = [rule(line.text).pattern or "**" for line in hiding]
    if not files:
        return ""
    if named := _may_be_one_of((*command.reads, *carried(command, context)), files, context):
        return f"{named} may be a path that a rule is about"
    if command.part.blind and (not command.masked or moves(command)):
        return "it may name a path that a rule is about, and only namespaces can hide that"
    for line, pattern in zip(hiding, files, strict=True):
        if word := mentioned(pattern, command, context):
            return f'{cut(word)} may be a file that the rule "{line.text}" is about, and only namespaces can hide it'
        if folder := searched(pattern, command, context):
            return f'in {folder} may be files that the rule "{line.text}" is about, and only namespaces can hide them'
    top = top_of_repository(context)
    inside = (line for line, pattern in zip(hiding, files, strict=True) if may_be_in(pattern, top, context.workspace))
    if any(shows_files(words) for words in git_words(command)) and (about := next(inside, None)):
        return (
            f'it may show out of git\'s objects what the rule "{about.text}" is about, and no sandbox hides that; '
            "the tools git_show and git_diff leave such files out"
        )
    return ""


def _may_be_one_of(places: Iterable[Place], patterns: list[str], context: Context) -> str:
    """The first path with a pattern of the shell in it that may be one of these."""
    for place in places:
        known = takewhile(lambda part: not PATTERN & set(part), place.plain.parts)
        folder = Path(*known)
        if folder != place.plain and any(may_match_below(each, folder, context.workspace) for each in patterns):
            return place.shown
    return ""


def visible(spec: ToolSpec, context: Context) -> bool:
    """Whether the model sees the tool at all: not what rules deny whatever its arguments are.

    What its mode denies it does see: services cache by prefix, tools first, and the mode may change with every turn.
    """
    return denied_by_rule(Whole(spec.effect), spec, context) is None
