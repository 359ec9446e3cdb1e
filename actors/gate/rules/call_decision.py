"""From a call to the decision about it: what it touches, what is decided about each, and what it may do then."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from actors.common.globs import covers
from actors.errors import BadConfiguration
from actors.gate.decision import BUILT_IN, DELETION, Context, Decision, Judgement
from actors.gate.rules import offers
from actors.gate.rules.matching import rule
from actors.gate.rules.modes import MODES
from actors.gate.rules.subject_decision import decide, in_the_light_of_rules
from actors.gate.subjects.call_subjects import Touched, touched
from actors.gate.subjects.folder_contents import carried
from actors.gate.subjects.places import locate, secrets_below
from actors.gate.subjects.repositories import looked_into
from actors.gate.subjects.subject import Command, File, Subject, Whole
from actors.messages.conversation import ToolCall
from actors.messages.model import ToolSpec
from actors.messages.tool import Grant, Verdict
from actors.settings.permissions import Permissions, RuleLine

STRICT: dict[Verdict, int] = {"allow": 0, "ask": 1, "deny": 3}
MOST_OFFERED = 32
"""Simple commands: rules for more than these nobody reads, and finding out whether they would do takes seconds."""


class _Case(msgspec.Struct, frozen=True):
    """One call, before the rules are looked at."""

    found: Touched
    tool: ToolSpec
    _lit: dict[tuple[RuleLine, ...], list[Subject]] = msgspec.field(default_factory=dict)
    """What it touches, in the light of these rules: the same in every mode."""

    def decisions(self, context: Context) -> list[tuple[Subject, Decision]]:
        """The tool as a whole can only be denied here, where what it touches says the rest."""
        whole = Whole(self.tool.effect)
        standing = decide(whole, self.tool, context)
        if standing.verdict == "deny" or not self.found.subjects:
            return [(whole, standing)]
        rules = (*context.rules, *context.session)
        if rules not in self._lit:
            self._lit[rules] = [in_the_light_of_rules(subject, context) for subject in self.found.subjects]
        return [(subject, decide(subject, self.tool, context)) for subject in self._lit[rules]]

    def decision(self, context: Context) -> Decision:
        return _strictest(self.decisions(context))


def judge(call: ToolCall, spec: ToolSpec, context: Context) -> Judgement:
    locate.cache_clear()  # since the last call the disk may have changed
    case = _Case(touched(call, spec, context), spec)
    decisions = case.decisions(context)
    decision = _strictest(decisions)
    exactly = _offer(case, context, lambda subject: offers.remembered(subject, spec, context))
    judgement = Judgement(
        replace(decision, change=_change(case, decision, exactly, context)),
        case.found.call,
        _grant(case, context) if decision.verdict != "deny" else Grant(),
        parts=tuple(f"{each.verdict}: {each.why}" for subject, each in decisions if isinstance(subject, Command)),
        lost=_lost(case.found.subjects),
        moved_to=_moved_to(case.found.subjects, context),
    )
    if decision.verdict != "ask" or decision.strong:
        return judgement
    return replace(
        judgement,
        session=exactly,
        always=exactly,
        wider=_offer(case, context, lambda subject: offers.wider(subject, context)),
        in_sandbox=_offer(case, context, offers.in_sandbox),
    )


def against(call: ToolCall, spec: ToolSpec, context: Context) -> str:
    """Of a call that is allowed: the rule that would deny it, and the modes in which it is asked about or denied."""
    case = _Case(touched(call, spec, context), spec)
    subjects = case.found.subjects[:MOST_OFFERED] or (Whole(spec.effect),)
    rules = dict.fromkeys(text for subject in subjects for text in offers.by_hand(subject, spec, context))
    denying = next((rule for rule in rules if _denies(rule, case, context)), "")
    modes = [mode for mode in MODES if case.decision(replace(context, mode=mode)).verdict != "allow"]
    return offers.how_to_deny(denying, modes, context.home)


def _denies(rule: str, case: _Case, context: Context) -> bool:
    try:
        lines = Permissions(deny=(rule,)).lines("offered")
    except BadConfiguration:
        return False  # it cannot be written as a rule
    return case.decision(replace(context, rules=(*context.rules, *lines))).verdict == "deny"


def _strictest(decisions: list[tuple[Subject, Decision]]) -> Decision:
    """Of several that for which the others leave the sandbox, too, else the first."""
    return max(decisions, key=lambda decided: (_strictness(decided[1]), _has_to_leave(decided[0])))[1]


def _strictness(decision: Decision) -> int:
    return STRICT[decision.verdict] + bool(decision.strong)


def _has_to_leave(subject: Subject) -> bool:
    if not isinstance(subject, Command) or not subject.leaves:
        return False
    return subject.part.unsandboxed or subject.part.network or any(place in subject.outside for place in subject.writes)


def _offer(case: _Case, context: Context, rules: Callable[[Subject], tuple[str, ...]]) -> tuple[str, ...]:
    """Rules for all that is asked about; none where they would not in fact allow the call."""
    asked = [subject for subject, decision in case.decisions(context) if decision.verdict == "ask"]
    offered = [rules(subject) for subject in asked[: MOST_OFFERED + 1]]
    if not all(offered) or len(offered) > MOST_OFFERED:
        return ()
    texts = tuple(dict.fromkeys(text for each in offered for text in each))
    try:
        lines = Permissions(allow=texts).lines("offered")
    except BadConfiguration:
        return ()  # it cannot be written as a rule
    with_them = replace(context, rules=(*context.rules, *lines))
    return texts if case.decision(with_them).verdict == "allow" else ()


def _change(case: _Case, decision: Decision, exactly: tuple[str, ...], context: Context) -> str:
    if (decision.strong and decision.rule != DELETION) or decision.verdict == "allow":
        return ""
    if decision.source != BUILT_IN:
        return offers.how_to_lift(decision.rule, decision.source)
    verdicts = {mode: case.decision(replace(context, mode=mode)).verdict for mode in MODES}
    if decision.verdict == "deny":
        modes = [mode for mode in MODES if verdicts[mode] != "deny"]
        return f"another mode: {', '.join(modes)}" if modes else ""
    modes = [mode for mode in MODES if verdicts[mode] == "allow"]
    # by hand may be written what would be of use only once, or is for the user to think of
    rules = exactly or _offer(case, context, lambda subject: offers.by_hand(subject, case.tool, context))
    return offers.how_to_allow(rules, modes, context.home)


def _grant(case: _Case, context: Context) -> Grant:
    subjects, leaving = case.found.subjects, case.found.leaving
    paths: list[Path] = []
    deleted: list[Path] = []
    own: list[Path] = []
    for subject in subjects:
        match subject:
            case File(place=place):
                paths += [place.real, place.entry]
                deleted += [place.entry] if subject.deleted else []
                own += [place.real, place.entry] if subject.own else []
            case Command(outside=outside):
                paths += [context.workspace, *(place.real for place in outside)]
            case _:
                continue
    commands = [subject for subject in subjects if isinstance(subject, Command)] if leaving.unsandboxed else []
    folders, anywhere = looked_into(commands, context)
    return Grant(
        paths=tuple(dict.fromkeys(map(str, paths))),
        deleted=tuple(dict.fromkeys(map(str, deleted))),
        own=tuple(dict.fromkeys(map(str, own))),
        hidden=_hidden(subjects, context) if paths else (),
        network=leaving.network,
        sandboxed=not leaving.unsandboxed and case.tool.runs_in != "open",
        folders=folders,
        anywhere=anywhere,
    )


def _lost(subjects: tuple[Subject, ...]) -> tuple[str, ...]:
    """Where a symlink leads as well: some programs delete there."""
    places = [place for subject in subjects if isinstance(subject, Command) for place in subject.lost]
    places += [subject.place for subject in subjects if isinstance(subject, File) and subject.deleted]
    return tuple(dict.fromkeys(str(path) for place in places for path in (place.entry, place.real)))


def _moved_to(subjects: tuple[Subject, ...], context: Context) -> tuple[str, ...]:
    named = [path for subject in subjects if isinstance(subject, Command) for path in subject.part.moved_to]
    places = [locate("." if path is None else path, context.workspace) for path in named]
    places += [subject.place for subject in subjects if isinstance(subject, File) and subject.moved_to]
    return tuple(dict.fromkeys(str(place.real) for place in places))


def _hidden(subjects: tuple[Subject, ...], context: Context) -> tuple[str, ...]:
    """What is denied to read; what is asked about, unless this call is about it; and credentials below a folder."""
    named = [subject.place for subject in subjects if isinstance(subject, File)]
    commands = [subject for subject in subjects if isinstance(subject, Command)]
    named += [place for command in commands for place in (*command.reads, *carried(command, context))]
    patterns: list[str] = []
    for line, pattern in _hiding(context):
        if line.verdict == "deny" or not any(covers(pattern, place.real, context.workspace) for place in named):
            patterns += _with_all_below(pattern)
    for subject in subjects:
        if isinstance(subject, File) and subject.access == "read" and not context.unrestricted:
            patterns += secrets_below(subject.place.real, context)
    return tuple(dict.fromkeys(patterns))


def hiding(context: Context) -> tuple[str, ...]:
    """All that is denied to read or asked about."""
    return tuple(dict.fromkeys(each for _, pattern in _hiding(context) for each in _with_all_below(pattern)))


def _hiding(context: Context) -> Iterator[tuple[RuleLine, str]]:
    for line in context.rules:
        given = rule(line.text)
        if given.scope == "read" and line.verdict != "allow":
            yield line, given.pattern or "**"


def _with_all_below(pattern: str) -> list[str]:
    return [pattern] if pattern.endswith("**") else [pattern, f"{pattern.rstrip('/')}/**"]
