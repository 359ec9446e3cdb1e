"""What no combination of rules, modes, grants and flags can do to a decision."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.gate.decision import Context, Judgement
from actors.gate.rules.modes import TABLE
from actors.messages.tool import Verdict
from actors.settings.permissions import Permissions, RuleLine
from tests.actors.gate.cases import FILE, TOOLS, around, judged
from tests.actors.gate.rules.adversarial import Long, long_ones

ORDER: tuple[Verdict, ...] = ("allow", "ask", "deny")
PATHS = ("src/a.py", ".", "../beside/b.txt", "~/notes.txt", "/etc/hosts", ".env", "secrets/k", "new/x.py")
CLOSED = ("~/.ssh/id", "../home/auth.json", "/etc/shadow")
COMMANDS = (
    *("ls src", "npm test", "npm test && make", "cat ../beside/b.txt", "mkdir new", "pip install x", "git push"),
    *("mv src q", "cp -r . q", "grep -r x .", "rg x", "git show HEAD", "git log --oneline", "rsync -a src/ q"),
    *("./tool; ls", "cat secrets/k", "cat ~/notes.txt && npm test", "echo x > new.txt", "$X y"),
)
DANGEROUS = ("git push --force", "ls; sudo ls", "chown me a")
DELETING = ("rm -rf build", "ls; git reset --hard", "git restore src/a.py")
RULES = (
    *("Read", "Write", "Bash", "Web", "Edit", "Delete", "BashBackground", "WebSearch", "Mcp", "MultiEdit"),
    *("Read(**)", "Read(/**)", "Read(~/**)", "Read(secrets/**)", "Read(**/.env)", "Read(src/*)", "Read(../beside/**)"),
    *("Write(**)", "Write(/**)", "Write(src/**)", "Write(new/*)", "Write(.env)"),
    *("Bash(npm test)", "Bash(npm:*)", "Bash(/**)", "Bash(~/**)", "Bash(pip install:*)", "Bash(ls:*)", "Bash(git:*)"),
    *("Bash(./tool)", "Bash(cat:*)", "Bash(make)", "Bash(rm:*)", "Bash(rm -rf build)", "Bash(git push --force)"),
    *("Web(example.com)", "Web(*.example.com)", "Web(*)", "Mcp(github:*)"),
)
rules = st.lists(st.sampled_from(RULES), max_size=3).map(tuple)
flags = st.sampled_from([{}, {"network": True}, {"unsandboxed": True}])


def calls(paths: tuple[str, ...], commands: tuple[str, ...]) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    path = st.sampled_from(paths)
    return st.one_of(
        st.tuples(st.sampled_from(["read", "write", "edit", "delete"]), path.map(lambda one: {"path": one})),
        st.tuples(st.just("copy"), st.builds(lambda a, b: {"source": a, "destination": b}, path, path)),
        st.tuples(
            st.just("multi_edit"), st.lists(path, max_size=3).map(lambda all_: {"edits": [{"path": p} for p in all_]})
        ),
        st.tuples(st.just("todo"), st.sampled_from([{}, {"persist": True}])),
        st.tuples(
            st.sampled_from(["bash", "bash_background"]),
            st.builds(lambda command, more: {"command": command, **more}, st.sampled_from(commands), flags),
        ),
        st.tuples(st.just("web_fetch"), st.sampled_from(["https://example.com", "x"]).map(lambda url: {"url": url})),
        st.tuples(st.sampled_from(["web_search", "gh", "github___create_issue"]), st.just({})),
    )


@st.composite
def contexts(draw: st.DrawFn) -> Context:
    permissions = Permissions(allow=draw(rules), ask=draw(rules), deny=draw(rules))
    return Context(
        mode=draw(st.sampled_from(sorted(TABLE))),
        rules=permissions.lines(FILE),
        session=lines("allow", draw(rules)),
        workspace=Path("/"),
        home=Path("/"),
        level=draw(st.sampled_from(["bubblewrap", "namespaces", "landlock", "none"])),
        allow_unsandboxed=draw(st.booleans()),
    )


def lines(verdict: Verdict, texts: tuple[str, ...]) -> tuple[RuleLine, ...]:
    return tuple(RuleLine(verdict=verdict, text=text, source="added") for text in texts)


def with_rules(context: Context, more: tuple[RuleLine, ...]) -> Context:
    return replace(context, rules=(*context.rules, *more))


Judge = Callable[[Context, tuple[str, dict[str, Any]]], Judgement]


@pytest.fixture
def judge_in(workspace: Path) -> Judge:
    def judge(context: Context, call: tuple[str, dict[str, Any]]) -> Judgement:
        placed = replace(context, workspace=workspace, home=workspace.parent / "home")
        return judged(placed, call[0], **call[1])

    return judge


anything = calls((*PATHS, *CLOSED), (*COMMANDS, *DANGEROUS, *DELETING))
many = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@many
@given(contexts(), anything, rules)
def test_an_allow_rule_or_a_grant_never_takes_anything_away(
    judge_in: Judge, context: Context, call: tuple[str, dict[str, Any]], more: tuple[str, ...]
) -> None:
    before = judge_in(context, call).decision.verdict

    by_rule = judge_in(with_rules(context, lines("allow", more)), call).decision.verdict
    by_grant = judge_in(replace(context, session=(*context.session, *lines("allow", more))), call).decision.verdict

    assert max(ORDER.index(by_rule), ORDER.index(by_grant)) <= ORDER.index(before)


@many
@given(contexts(), anything, rules, st.sampled_from(["ask", "deny"]))
def test_a_rule_that_tightens_never_loosens(
    judge_in: Judge, context: Context, call: tuple[str, dict[str, Any]], more: tuple[str, ...], how: Verdict
) -> None:
    before, after = judge_in(context, call), judge_in(with_rules(context, lines(how, more)), call)

    assert ORDER.index(after.decision.verdict) >= ORDER.index(before.decision.verdict)
    assert set(before.grant.hidden) <= set(after.grant.hidden) or after.decision.verdict != before.decision.verdict


@many
@given(contexts(), anything, rules, st.data())
def test_nothing_lifts_a_deny(
    judge_in: Judge, context: Context, call: tuple[str, dict[str, Any]], more: tuple[str, ...], data: st.DataObject
) -> None:
    """A deny by a rule or a closed place holds in every mode; one by the mode against all but another mode."""
    denied = judge_in(context, call).decision
    loosened = replace(
        with_rules(context, lines("allow", more)),
        level="bubblewrap",
        session=lines("allow", more),
        allow_unsandboxed=True,
    )
    if denied.rule != f"mode {context.mode}":
        loosened = replace(loosened, mode=data.draw(st.sampled_from(sorted(TABLE))))

    if denied.verdict == "deny":
        assert judge_in(loosened, call).decision.verdict == "deny"


@many
@given(contexts(), anything)
def test_plan_and_research_neither_write_nor_run(
    judge_in: Judge, context: Context, call: tuple[str, dict[str, Any]]
) -> None:
    name, arguments = call
    looking = [judge_in(replace(context, mode=mode), call).decision.verdict for mode in ("plan", "research")]

    if TOOLS[name].effect in ("write", "execute") or "persist" in arguments:
        assert looking == ["deny", "deny"]


@many
@given(contexts(), calls(CLOSED, ("cat ~/.ssh/id", "ls; cat ../home/x", "cp a ~/.ssh/b")))
def test_what_is_closed_is_denied_to_whoever_names_it(
    judge_in: Judge, context: Context, call: tuple[str, dict[str, Any]]
) -> None:
    if call[0] in ("read", "write", "edit", "delete", "copy", "bash", "bash_background"):
        assert judge_in(context, call).decision.verdict == "deny"


@many
@given(contexts(), calls(PATHS, DANGEROUS))
def test_what_is_asked_every_time_is_never_allowed(
    judge_in: Judge, context: Context, call: tuple[str, dict[str, Any]]
) -> None:
    if call[0] in ("bash", "bash_background"):
        judgement = judge_in(context, call)

        assert judgement.decision.verdict != "allow"
        assert judgement.decision.verdict == "deny" or judgement.decision.strong
        assert (judgement.session, judgement.always, judgement.wider) == ((), (), ())


@many
@given(contexts(), anything)
def test_what_is_offered_answers_the_question(
    judge_in: Judge, context: Context, call: tuple[str, dict[str, Any]]
) -> None:
    judgement = judge_in(context, call)

    for offered in filter(None, (judgement.session, judgement.always, judgement.wider)):
        assert judgement.decision.verdict == "ask"
        assert judge_in(with_rules(context, lines("allow", offered)), call).decision.verdict == "allow"
        assert (
            judge_in(replace(context, session=(*context.session, *lines("allow", offered))), call).decision.verdict
            == "allow"
        )


@many
@given(contexts(), anything)
def test_every_decision_names_its_rule_and_its_source(
    judge_in: Judge, context: Context, call: tuple[str, dict[str, Any]]
) -> None:
    decision = judge_in(context, call).decision

    assert decision.rule
    assert decision.why
    assert decision.source == "built in" or RuleLine(
        verdict=decision.verdict, text=decision.rule, source=decision.source
    ) in (*context.rules, *context.session)


MANY = 6000
"""Characters: more levels than Python goes down, and seconds for what is not linear."""
odd = st.text(st.sampled_from("ab/.~*?[]{}$`'\"\\ \0\t\n:|&;<>()-=@%\u00e9\uff45") | st.characters(), max_size=40)
long = st.sampled_from(["a" * 5000, "a/" * 600, "~nobody/x", "/" * 300, "../" * 200, "~"])


@many
@given(contexts(), st.sampled_from(sorted(TOOLS)), odd | long, rules)
def test_whatever_is_asked_there_is_a_decision(
    judge_in: Judge, context: Context, tool: str, text: str, more: tuple[str, ...]
) -> None:
    names = ("path", "source", "destination", "command", "url", "input")
    patch = f"*** Begin Patch\n*** Update File: {text}\n--- {text}\n+++ {text}\n"
    arguments = {**dict.fromkeys(names, text), "edits": [{"path": text}]}

    for given_arguments in (arguments, {**arguments, "input": patch}):
        judgement = judge_in(with_rules(context, lines("deny", more)), (tool, given_arguments))

        assert judgement.decision.verdict in ORDER


@pytest.mark.parametrize("long_one", long_ones(), ids=lambda one: one.name)
def test_what_is_made_to_keep_the_gate_busy_is_decided(workspace: Path, long_one: Long) -> None:
    context = around(workspace, "default", deny=("Read(**/.env)", "Bash(git push:*)"), allow=("Bash(ls:*)",))

    judgement = judged(context, "bash", command=long_one.text(MANY))

    assert judgement.decision.verdict in ORDER


def test_what_is_too_long_to_be_analysed_asks_even_in_auto(workspace: Path) -> None:
    context = around(workspace, "auto")

    judgement = judged(context, "bash", command="uv run ls;" * 6000)

    assert judgement.decision.verdict == "ask"
    assert judgement.decision.why.endswith("it is too long to be analysed")


GROWING = "; ".join(("a=0123456789abcdef", *(f"{to}=${of}${of}" for of, to in pairwise("abcdefghijklmnop"))))
IN_A_FUNCTION = f"x={'x' * 1000}; f() {{ echo {'$x' * 900}; }}; " + "f; " * 50


@pytest.mark.parametrize("command", [f"{GROWING}; echo $p", f'{GROWING}; echo "$p$p"', IN_A_FUNCTION])
def test_values_that_grow_without_end_are_too_long_to_be_analysed(workspace: Path, command: str) -> None:
    judgement = judged(around(workspace, "auto"), "bash", command=command)

    assert judgement.decision.verdict == "ask"
    assert judgement.decision.why.endswith("it is too long to be analysed")


def test_what_is_nothing_but_errors_is_given_up_long_before_its_end(workspace: Path) -> None:
    """Parsed to its end it takes seconds, and the square of its length."""
    judgement = judged(around(workspace, "auto"), "bash", command=")" * 32_000)

    assert judgement.decision.verdict == "ask"
    assert judgement.decision.why.endswith("it is too long to be analysed")
