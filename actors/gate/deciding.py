"""What is decided about one thing a call touches. Deny > ask > allow; each step below beats the ones after it.

closed places > the mode's denials > deny rules > what is asked about every time > ask rules > allow rules and what was
given for the session > what leaves the workspace or the sandbox > the mode's table.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from actors.gate.bash.parts import Part
from actors.gate.contents import carried, git_words, is_carried, mentioned, moves, searched
from actors.gate.decision import BUILT_IN, Context, Decision
from actors.gate.matching import allows, allows_path, rule, tightens
from actors.gate.modes import TABLE
from actors.gate.places import closed, holds_closed
from actors.gate.subjects import Command, File, Site, Subject, Whole, effect_of
from actors.gate.versions import shows_files
from actors.gate.wording import may_be_command
from actors.globs import may_match_below
from actors.messages.conversation import Effect
from actors.messages.model import ToolSpec
from actors.messages.tool import Verdict
from actors.permissions import RuleLine, is_path

WHOLE_TREES = ("move", "delete", "copy")
"""Tools that write a folder with all that is in it."""
PATTERN = set("*?[{")
"""What the shell makes several paths of."""
VERBS: dict[Effect, str] = {"read": "look", "write": "write", "execute": "run commands", "network": "use the network"}


def decide(subject: Subject, tool: ToolSpec, context: Context) -> Decision:
    subject = in_the_light_of_rules(subject, context)
    steps = (denial, _every_time, _asked, _allowed, _leaving)
    for step in steps:
        if decision := step(subject, tool, context):
            return decision
    return _by_table(subject, context)


def denial(subject: Subject, tool: ToolSpec, context: Context) -> Decision | None:
    """What nothing else is asked after."""
    steps = (_closed, _by_mode, _denied)
    return next((decision for step in steps if (decision := step(subject, tool, context))), None)


def _closed(subject: Subject, tool: ToolSpec, context: Context) -> Decision | None:
    if isinstance(subject, Command) and subject.part.denied:
        return Decision("deny", "never run", BUILT_IN, f"`{subject.part.text}`: {subject.part.denied}")
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
        case Site() | Whole():
            pass
    yield from filter(None, whys)


def _by_mode(subject: Subject, _tool: ToolSpec, context: Context) -> Decision | None:
    effect = effect_of(subject)
    if TABLE[context.mode][effect] != "deny":
        return None
    why = f"mode {context.mode} does not allow to {VERBS.get(effect, effect)}"
    return Decision("deny", f"mode {context.mode}", BUILT_IN, why)


def _denied(subject: Subject, tool: ToolSpec, context: Context) -> Decision | None:
    return _by_line("deny", subject, tool, context)


def _every_time(subject: Subject, tool: ToolSpec, _context: Context) -> Decision | None:
    why = ""
    match subject:
        case Command(part=part):
            why = part.danger and f"`{part.text}`: {part.danger}"
        case File(deleted=True, place=place):
            why = f"it deletes {place.given}"
        case _ if tool.always_asks:
            why = "what is deleted is gone" if tool.name == "delete" else f"{tool.name} is asked about every time"
        case _:
            return None
    return Decision("ask", "asked every time", BUILT_IN, why, strong=why) if why else None


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


def _leaving(subject: Subject, _tool: ToolSpec, context: Context) -> Decision | None:
    """What no mode allows by itself."""
    match subject:
        case File(place=place) if not place.is_inside(context.workspace):
            led = "" if str(place.real) == place.given else f" (it leads to {place.real})"
            return Decision("ask", "outside the workspace", BUILT_IN, f"{place.given} is outside the workspace{led}")
        case Command(part=part) if part.unsure:
            return Decision("ask", "not known before it runs", BUILT_IN, f"`{part.text}`: {part.unsure}")
        case Command(part=part, outside=(first, *_)):
            why = f"`{part.text}`: {first.given} is outside the workspace"
            return Decision("ask", "outside the workspace", BUILT_IN, why)
        case Command(part=part, leaves=leaves) if leaves:
            return Decision("ask", "leaving the sandbox", BUILT_IN, f"`{part.text}`: {leaves}")
        case Command() if not context.contained:
            why = "there is no sandbox here, so every command asks"
            return Decision("ask", "no sandbox", BUILT_IN, why)
        case _:
            return None


def _by_table(subject: Subject, context: Context) -> Decision:
    """Of a command the table is asked about what the part does."""
    effect = _does(subject.part) if isinstance(subject, Command) else effect_of(subject)
    verdict = TABLE[context.mode][effect]
    why = f"{_about(subject)}mode {context.mode} {'allows it' if verdict == 'allow' else 'asks'}"
    return Decision(verdict, f"mode {context.mode}", BUILT_IN, why)


def _does(part: Part) -> Effect:
    """What touches files that nobody can name beforehand may as well be code."""
    return "execute" if part.blind else part.effect


def _about(subject: Subject) -> str:
    match subject:
        case File(access=access, place=place):
            return f"{place.given} is {'read' if access == 'read' else 'written'}: "
        case Command(part=part):
            does = {"read": "only looks", "write": "changes files that it names", "execute": "runs code"}
            return f"`{part.text}` {'names files nobody knows before it runs' if part.blind else does[part.effect]}: "
        case Site(host=host):
            return f"{host}: " if host else ""
        case Whole():
            return ""


def _by(line: RuleLine, subject: Subject, because: str = "") -> Decision:
    done = {"deny": "denied", "ask": "asked about", "allow": "allowed"}[line.verdict]
    match subject:
        case File(place=place):
            what = f"{place.given} is "
        case Command(part=part):
            what = f"`{part.text}` is "
        case Site(host=host) if host:
            what = f"{host} is "
        case _:
            what = ""
    why = f'{what}{done} by the rule "{line.text}" ({line.source}){because}'
    return Decision(line.verdict, line.text, line.source, why)


def _allowing(context: Context) -> list[RuleLine]:
    return [line for line in (*context.rules, *context.grants) if line.verdict == "allow"]


def in_the_light_of_rules(subject: Subject, context: Context) -> Subject:
    """A command, without the outside places that rules allow; and unsure, where it may name what a rule hides."""
    if not isinstance(subject, Command):
        return subject
    allowing = [rule(line.text) for line in _allowing(context)]
    outside = tuple(
        place for place in subject.outside if not any(allows_path(given, place, context) for given in allowing)
    )
    part = replace(subject.part, unsure=subject.part.unsure or _may_be_tightened(subject, context))
    return replace(subject, outside=outside, part=part)


def _may_be_tightened(command: Command, context: Context) -> str:
    """Why a rule that denies or asks may be about it though its words do not say so; "" where none is."""
    text = command.part.text
    rules = [rule(line.text) for line in context.rules if line.verdict != "allow"]
    commands = [each.pattern for each in rules if each.scope == "bash" and not is_path(each.pattern)]
    if denied := next((pattern for pattern in commands if pattern and may_be_command(pattern, text)), ""):
        return f"nobody knows before it runs whether it is {denied.removesuffix(':*')}, for which there is a rule"
    return _may_show(command, context)


def _may_show(command: Command, context: Context) -> str:
    """Why it may show what a rule hides though it does not name it; "" where it does not."""
    hiding = [line for line in context.rules if line.verdict != "allow" and rule(line.text).scope == "read"]
    files = [rule(line.text).pattern or "**" for line in hiding]
    if not files:
        return ""
    if named := _may_be_hidden(command, files, context):
        return f"{named} may be a path that a rule is about"
    if command.part.blind and (not command.masked or moves(command)):
        return "it may name a path that a rule is about, and only bubblewrap can hide that"
    for line, pattern in zip(hiding, files, strict=True):
        if word := mentioned(pattern, command, context):
            return f'{word} may be a file that the rule "{line.text}" is about, and only bubblewrap can hide it'
        if folder := searched(pattern, command, context):
            return f'in {folder} may be files that the rule "{line.text}" is about, and only bubblewrap can hide them'
    if any(shows_files(words) for words in git_words(command)):
        return (
            f'it may show out of git\'s objects what the rule "{hiding[0].text}" is about, and no sandbox hides that; '
            "the tools git_show and git_diff leave such files out"
        )
    return ""


def _may_be_hidden(command: Command, patterns: list[str], context: Context) -> str:
    """The first of its paths with a pattern of the shell in it that may be one of these."""
    for place in (*command.reads, *carried(command, context)):
        known = takewhile(lambda part: not PATTERN & set(part), place.plain.parts)
        folder = Path(*known)
        if folder != place.plain and any(may_match_below(each, folder, context.workspace) for each in patterns):
            return place.given
    return ""
