"""What a real shell really runs is among the parts that were found before."""

import shlex
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actors.gate.bash.command_line import parts
from actors.gate.bash.language.parts import Part
from tests.actors.gate.bash.stubs import NAMES, Stubs

MARK = " ¦ "
"""Stands between what can be chosen; ⏎ is a line's end."""
WORDS = """
a ¦ -x ¦ 'c d' ¦ "c d" ¦ c\\ d ¦ $v ¦ "$v" ¦ ${v} ¦ $'\\x61' ¦ a* ¦ {a,b} ¦ $(foo a) ¦ "$(bar)" ¦ `foo` ¦ ~ ¦ x=1
--y=z ¦ '' ¦ # ¦ a#b ¦ $((1+1)) ¦ <(foo) ¦ 1 ¦ '$(bar)' ¦ \\; ¦ ! ¦ é ¦ ls ¦ $w ¦ "a  b"
"""
REDIRECTS = """
 ¦  ¦  ¦  > o ¦  2>&1 ¦  < a ¦  >> o 2>/dev/null ¦  &> o ¦  <<< x ¦  > o b ¦  <<E⏎$(foo)⏎E ¦  <<'E'⏎$(foo)⏎E
"""
FORMS = """
{0}; {1} ¦ {0} && {1} ¦ {0} || {1} ¦ {0} | {1}
{0} & {1} ¦ {0}⏎{1} ¦ ({0}); {1} ¦ {{ {0}; {1}; }}
! {0} ¦ {0} |& {1} ¦ if {0}; then {1}; fi ¦ for x in a b; do {0}; {1}; done
for v in ls foo; do $v x; done; {0} ¦ case a in a) {0};; *) {1};; esac ¦ f() {{ {0}; }}; f; {1} ¦ x=$({0}); {1}
foo "$({0})" "`bar`" ¦ while false; do {0}; done; {1} ¦ {0} # {1} ¦ {0} \\⏎ && {1}
sh -c {2} ¦ bash -c {2} x ¦ eval {2} ¦ env v=1 sh -c {2}
cat <<E | {1}⏎$({0})⏎E ¦ [[ -f a ]] && {0} ¦ v=bar; $v; {0} ¦ v='ls -x'; $v; {0}
time {0} ¦ command {0} ¦ nohup {0} ¦ env {0}
timeout 5 {0} ¦ echo a | xargs {0} ¦ exec {0} ¦ w={2}; eval "$w"
ls() {{ {0}; }}; {1} ¦ ls() {{ {0}; }}; command {1} ¦ trap {2} EXIT ¦ find a -exec {0} \\;
v+=x; {0} ¦ set -- {0}; "$@" ¦ {0};{1}& ¦ sh <<'E'⏎{0}⏎E
echo {2} | sh ¦ sh <<< {2} ¦ (v=foo); $v {0} ¦ true && v=ls || {0}; $v
declare v=bar; $v; {0} ¦ {0} > >({1}) ¦ [[ $({0}) ]]; {1} ¦ echo ${{q:-$({0})}}
a=($({0}) {1}); ${{a[@]}} ¦ cd / && {0} ¦ read v <<< foo; $v; {0} ¦ until {0}; do {1}; break; done
"""


def choices(table: str) -> list[str]:
    lines = table.strip("\n").split("\n")
    return [choice.replace("⏎", "\n") for line in lines for choice in line.split(MARK)]


@st.composite
def simple(draw: st.DrawFn) -> str:
    words = [
        draw(st.sampled_from((*NAMES, *NAMES, "\\ls", "'foo'", 'b""ar', "$v", "l\\s"))),
        *draw(st.lists(st.sampled_from(choices(WORDS)), max_size=3)),
    ]
    return (
        draw(st.sampled_from(("", "", "", "v=ls ", "w=1 ")))
        + " ".join(words)
        + draw(st.sampled_from(choices(REDIRECTS)))
    )


@st.composite
def lines(draw: st.DrawFn) -> str:
    line = draw(simple())
    for form in draw(st.lists(st.sampled_from(choices(FORMS)), max_size=3)):
        line = form.format(line, draw(simple()), shlex.quote(line))
    return line


@st.composite
def chains(draw: st.DrawFn) -> str:
    """Commands, each with whatever is between it and the next: where a line ends, a command does."""
    links = st.sampled_from((" | ", " | ", "\n", "\n", "; ", " && ", " |\n", " &&\n", " \\\n", " & ", " |& ", "\n\n"))
    command = (
        st.sampled_from(NAMES) | st.sampled_from(NAMES) | st.sampled_from(("foo > o", "bar 2>&1", "[ a ]")) | simple()
    )
    return "".join(draw(command) + draw(links) for _ in range(draw(st.integers(2, 6)))) + draw(command)


def soups() -> st.SearchStrategy[str]:
    """Signs of the shell and names in any order; hardly any of it is a command line, and that must be found, too."""
    signs = (*NAMES, *NAMES, " ", " ", " ", "\n", *"a;&|(){}'\"`\\#><E!=", "$(", "<<E", "$v", "v=ls")
    return st.lists(st.sampled_from(signs), max_size=14).map("".join)


def missed(really: list[tuple[str, ...]], found: tuple[Part, ...]) -> list[tuple[str, ...]]:
    """What was run and neither found nor said to be unknown."""
    if any(part.unsure for part in found):
        return []
    texts = [part.text for part in found]
    return [run for run in really if not any(_may_be(run, text) for text in texts)]


def _may_be(run: tuple[str, ...], text: str) -> bool:
    exact = not any(sign in text for sign in ("$", "`", "*", "...", "<(", "'", "~", "{}"))
    if exact:
        return text.split(" ") == list(run)
    return text.split(" ")[0] == run[0]


@pytest.fixture(scope="module")
def stubs() -> Stubs:
    return Stubs(Path(tempfile.mkdtemp()))


@pytest.mark.slow
@given(line=lines())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_is_run_that_was_not_found(stubs: Stubs, line: str) -> None:
    assert missed(stubs.run(line), parts(line, sandboxed=True)) == []


@pytest.mark.slow
@given(line=chains())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_is_run_in_a_chain_of_commands_that_was_not_found(stubs: Stubs, line: str) -> None:
    assert missed(stubs.run(line), parts(line, sandboxed=True)) == []


@pytest.mark.slow
@given(line=soups())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_is_run_out_of_a_soup_of_signs_that_was_not_found(stubs: Stubs, line: str) -> None:
    assert missed(stubs.run(line), parts(line, sandboxed=True)) == []
