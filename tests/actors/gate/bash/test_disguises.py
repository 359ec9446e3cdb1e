"""However a denied or dangerous command is quoted and wrapped, it never looks harmless."""

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.gate.bash.command_line import parts
from actors.gate.bash.language.parts import Part

COMMANDS = (
    ("rm", "-rf", "/"),
    ("rm", "-r", "src"),
    ("reboot",),
    ("mkfs.ext4", "/dev/sda1"),
    ("dd", "if=x", "of=/dev/sda"),
    ("tee", "/dev/sda"),
    ("git", "push", "--force"),
    ("git", "reset", "--hard"),
    ("git", "-C", "x", "clean", "-fd"),
    ("git", "checkout", "--", "."),
    ("sudo", "ls"),
    ("find", ".", "-delete"),
    ("psql", "-c", "DROP TABLE x"),
    ("chmod", "-R", "777", "."),
    ("kill", "-9", "1"),
    ("npm", "publish"),
    ("docker", "run", "x"),
    ("shred", "x"),
    ("crontab", "-r"),
)
BEFORE = (
    *(
        "env ",
        "env -i ",
        "env A=1 ",
        "nohup ",
        "timeout 5 ",
        "nice -n 5 ",
        "stdbuf -oL ",
        "setsid ",
        "command ",
        "exec ",
    ),
    *("time ", "xargs ", "xargs -n 1 ", "builtin command ", "eval ", "find . -exec "),
)
AROUND = (
    *(
        "! {}",
        "A=1 {}",
        "2>/dev/null {}",
        "({})",
        "{{ {}; }}",
        "{} | cat",
        "ls | {}",
        "true && {}",
        "ls; {}",
        "{} & ls",
        "ls\n{}\nls",
        "$({})",
        'echo "$({})"',
    ),
    *(
        "if true; then {}; fi",
        "for x in a b; do {}; done",
        "while {}; do ls; done",
        "case x in x) {};; esac",
        "x=$({})",
    ),
    *("f() {{ {}; }}; f", "{} > out", "{} # comment", "ls # comment\n{}", "cat <({})", "echo ${{x:-$({})}}", "\t{}"),
    *("[[ -f x ]] && {}", "echo $((1 + $({})))", "cat <<EOF\n$({})\nEOF", "cat <<'EOF' && {}\n$x\nEOF"),
)
EVALUATED = (
    *(
        "[ -v 'a[$({})]' ]",
        "[[ 'a[$({})]' -eq 1 ]]",
        "echo $(( 'a[$({})]' ))",
        "b['a[$({})]']=1",
        "echo ${{b['$({})']}}",
    ),
    *("x='a[$({})]'; echo $((x))", "for x in 'a[$({})]'; do q[x]=1; done", "declare -i b='a[$({})]'", "let 'a[$({})]'"),
    *("read x <<< 'a[$({})]'; echo ${{q[x]}}", "printf -v 'a[$({})]' x", "unset 'a[$({})]'", "b=(['$({})']=1)"),
    *(
        "compgen -C '{}'",
        "jobs -x {}",
        "mapfile -C '{}' -c 1 a",
        "env -iS '{}'",
        "set -- 'a[$({})]'; echo $(($1))",
    ),
)
GIVEN_A_SHELL = ("sh -c {}", "bash -lc {}", "eval {}", "env bash -c {}", "sh <<< {}", "trap {} EXIT", "x={}; eval $x")


@st.composite
def quoted(draw: st.DrawFn, word: str) -> str:
    """The same word, written in another way."""
    made = ""
    for char in word:
        plain = char if char.isalnum() or char in "-./=:" else f"\\{char}"
        made += draw(
            st.sampled_from(
                (plain, plain, plain, f"'{char}'", f'"{char}"', f"\\{char}", f"$'\\x{ord(char):02x}'", f"''{plain}")
            )
        )
    return made


@st.composite
def disguised(draw: st.DrawFn) -> str:
    words = [draw(quoted(word)) for word in draw(st.sampled_from(COMMANDS))]
    line = draw(st.sampled_from((" ", "\t", "  "))).join(words)
    if draw(st.booleans()):
        line = f"v={words[0]}; $v {' '.join(words[1:])}"
    else:
        line = draw(st.sampled_from(("", *BEFORE))) + draw(st.sampled_from(("", *BEFORE))) + line
        line += draw(st.sampled_from(("", "", r" \;")))
    for form in draw(st.lists(st.sampled_from((*AROUND, *GIVEN_A_SHELL)), max_size=4)):
        if "EOF" in form and "\n" in line:
            continue  # the first line of several would be all that is on the here-document's own
        line = form.format(shlex.quote(line) if form in GIVEN_A_SHELL else line)
    return line


def _is_seen(part: Part) -> bool:
    return bool(part.denied or part.danger or part.danger_outside or part.unsure or part.loses or part.deletes)


@given(disguised(), st.booleans())
@settings(max_examples=300, deadline=None)
def test_a_disguised_command_never_looks_harmless(line: str, sandboxed: bool) -> None:
    found = parts(line, sandboxed=sandboxed)

    assert any(map(_is_seen, found))


@pytest.mark.parametrize(
    "line",
    [
        "ls | cat | cat\nrm -r src\nls > out",
        "ls | cat | cat\n\n  rm -r src\nls 2>&1 | cat",
        "ls | cat | cat # it's\nrm -r src\nls > out",
        "ls | cat | cat \\\n x\nrm -r src\nls > out",
        "ls | cat | cat | cat > out\nrm -r src && ls",
        'echo "$(ls | cat | cat\nrm -r src\nls > out)"',
        "for x in a b; do ls | cat | cat\nrm -r src\nls > out; done",
    ],
)
def test_a_command_ends_where_its_line_does(line: str) -> None:
    found = parts(line, sandboxed=True)

    assert "rm -r src" in [part.text for part in found]
    assert not any(part.unsure for part in found)


@pytest.mark.parametrize(
    "line",
    [
        "[ x =\n./rm ]",
        "cat <<E\nx\nE | cat '$(rm -r src)'",
        "cat <<E\nx\n E\ncat '$(rm -r src)'",
        "cat <<E\nx\\\nE\ncat '$(rm -r src)'",
        "cat <<E\nE \ncat '$(rm -r src)'",
    ],
)
def test_what_the_shell_ends_elsewhere_than_the_parser_is_unsure(line: str) -> None:
    assert any(part.unsure for part in parts(line, sandboxed=True))


@pytest.mark.parametrize(
    "line", ["cat <<E\nx\nE", "cat <<-'E' | cat\n\tx\\\n\tE\nls", "cat <<'E F'\nE\nE F\n(cat <<E\nE\n)"]
)
def test_a_here_document_that_ends_as_it_should_is_known(line: str) -> None:
    assert not any(part.unsure for part in parts(line, sandboxed=True))


@given(st.sampled_from(EVALUATED), st.sampled_from(COMMANDS), st.booleans())
@settings(max_examples=300, deadline=None)
def test_what_the_shell_evaluates_never_looks_harmless(form: str, command: tuple[str, ...], sandboxed: bool) -> None:
    found = parts(form.format(" ".join(command)), sandboxed=sandboxed)

    assert any(map(_is_seen, found))


@given(st.text(max_size=60), st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_text_has_parts(line: str, sandboxed: bool) -> None:
    assert parts(line, sandboxed=sandboxed)


@given(st.text("ab'\"`$(){}[]<>|&;#\\ \n=~*!-", max_size=40), st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_soup_of_the_shells_signs_has_parts(line: str, sandboxed: bool) -> None:
    assert parts(line, sandboxed=sandboxed)
