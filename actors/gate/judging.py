"""From a call to the decision about it: what it touches, what is decided about each, and what it may do then."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from actors.errors import BadConfiguration
from actors.gate import offers
from actors.gate.contents import carried
from actors.gate.deciding import decide, denial, in_the_light_of_rules
from actors.gate.decision import BUILT_IN, Context, Decision, Judgement
from actors.gate.matching import rule
from actors.gate.places import secrets_below
from actors.gate.subjects import Command, File, Subject, Whole
from actors.gate.touched import Touched, touched
from actors.globs import covers
from actors.messages.conversation import ToolCall
from actors.messages.model import ToolSpec
from actors.messages.tool import Grant, Mode, Verdict
from actors.permissions import Permissions

__all__ = ["Context", "Decision", "Judgement", "judge", "visible"]

STRICT: dict[Verdict, int] = {"allow": 0, "ask": 1, "deny": 3}
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True)
class _Case:
    """One call, before the rules are looked at."""

    found: Touched
    tool: ToolSpec

    def decisions(self, context: Context) -> list[tuple[Subject, Decision]]:
        """The tool as a whole can only be denied here, where what it touches says the rest."""
        whole = Whole(self.tool.effect)
        standing = decide(whole, self.tool, context)
        if standing.verdict == "deny" or not self.found.subjects:
            return [(whole, standing)]
        subjects = [in_the_light_of_rules(subject, context) for subject in self.found.subjects]
        return [(subject, decide(subject, self.tool, context)) for subject in subjects]

    def decision(self, context: Context) -> Decision:
        return _strictest(self.decisions(context))


def judge(call: ToolCall, spec: ToolSpec, context: Context) -> Judgement:
    case = _Case(touched(call, spec, context), spec)
    decisions = case.decisions(context)
    decision = _strictest(decisions)
    judgement = Judgement(
        replace(decision, change=_change(case, decision, context)),
        case.found.call,
        _grant(case, context) if decision.verdict != "deny" else Grant(),
        parts=tuple(f"{each.verdict}: {each.why}" for subject, each in decisions if isinstance(subject, Command)),
    )
    if decision.verdict != "ask" or decision.strong:
        return judgement
    exactly = _offer(case, context, lambda subject: offers.remembered(subject, spec, context))
    return replace(
        judgement,
        session=exactly,
        always=exactly,
        wider=_offer(case, context, lambda subject: offers.wider(subject, context)),
    )


def visible(spec: ToolSpec, context: Context) -> bool:
    """Whether the model sees the tool at all: not what is denied whatever its arguments are."""
    return denial(Whole(spec.effect), spec, context) is None


def _strictest(decisions: list[tuple[Subject, Decision]]) -> Decision:
    """The first of several."""
    return max((decision for _, decision in decisions), key=_strictness)


def _strictness(decision: Decision) -> int:
    return STRICT[decision.verdict] + bool(decision.strong)


def _offer(case: _Case, context: Context, rules: Callable[[Subject], tuple[str, ...]]) -> tuple[str, ...]:
    """Rules for all that is asked about; none where they would not in fact allow the call."""
    asked = [subject for subject, decision in case.decisions(context) if decision.verdict == "ask"]
    offered = [rules(subject) for subject in asked]
    if not all(offered):
        return ()
    texts = tuple(dict.fromkeys(text for each in offered for text in each))
    try:
        lines = Permissions(allow=texts).lines("offered")
    except BadConfiguration:
        return ()  # it cannot be written as a rule
    with_them = replace(context, rules=(*context.rules, *lines))
    return texts if case.decision(with_them).verdict == "allow" else ()


def _change(case: _Case, decision: Decision, context: Context) -> str:
    if decision.strong or decision.verdict == "allow":
        return ""
    if decision.source != BUILT_IN:
        return offers.how_to_lift(decision.rule, decision.source)
    verdicts = {mode: case.decision(replace(context, mode=mode)).verdict for mode in MODES}
    if decision.verdict == "deny":
        modes = [mode for mode in MODES if verdicts[mode] != "deny"]
        return f"another mode: {', '.join(modes)}" if modes else ""
    modes = [mode for mode in MODES if verdicts[mode] == "allow"]
    rules = _offer(case, context, lambda subject: offers.remembered(subject, case.tool, context))
    return offers.how_to_allow(rules or _exactly(case, context), modes, context.home)


def _exactly(case: _Case, context: Context) -> tuple[str, ...]:
    """What may be written by hand and is not offered: it would be of use only once, or is for the user to think of."""
    return _offer(case, context, lambda subject: offers.by_hand(subject, case.tool, context))


def _grant(case: _Case, context: Context) -> Grant:
    subjects, leaving = case.found.subjects, case.found.leaving
    paths: list[Path] = []
    for subject in subjects:
        match subject:
            case File(place=place):
                paths += [place.real, place.entry]
            case Command(outside=outside):
                paths += [context.workspace, *(place.real for place in outside)]
            case _:
                continue
    return Grant(
        paths=tuple(dict.fromkeys(map(str, paths))),
        hidden=_hidden(subjects, context) if paths else (),
        network=leaving.network,
        sandboxed=not leaving.unsandboxed and case.tool.runs_in != "open",
    )


def _hidden(subjects: tuple[Subject, ...], context: Context) -> tuple[str, ...]:
    """What is denied to read; what is asked about, unless this call is about it; and credentials below a folder."""
    named = [subject.place for subject in subjects if isinstance(subject, File)]
    commands = [subject for subject in subjects if isinstance(subject, Command)]
    named += [place for command in commands for place in (*command.reads, *carried(command, context))]
    patterns: list[str] = []
    for line in context.rules:
        given = rule(line.text)
        if given.scope != "read" or line.verdict == "allow":
            continue
        pattern = given.pattern or "**"
        if line.verdict == "deny" or not any(covers(pattern, place.real, context.workspace) for place in named):
            patterns += [pattern] if pattern.endswith("**") else [pattern, f"{pattern.rstrip('/')}/**"]
    for subject in subjects:
        if isinstance(subject, File) and subject.access == "read":
            patterns += secrets_below(subject.place.real)
    return tuple(dict.fromkeys(patterns))
