"""However a denied or dangerous command is quoted and wrapped, it never looks harmless."""

import shlex

from hypothesis import given, settings
from hypothesis import strategies as st

from actors.gate.bash.analysis import parts

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


@given(disguised(), st.booleans())
@settings(max_examples=300, deadline=None)
def test_a_disguised_command_never_looks_harmless(line: str, sandboxed: bool) -> None:
    found = parts(line, sandboxed=sandboxed)

    assert any(part.denied or part.danger or part.unsure for part in found)


@given(st.sampled_from(EVALUATED), st.sampled_from(COMMANDS), st.booleans())
@settings(max_examples=300, deadline=None)
def test_what_the_shell_evaluates_never_looks_harmless(form: str, command: tuple[str, ...], sandboxed: bool) -> None:
    found = parts(form.format(" ".join(command)), sandboxed=sandboxed)

    assert any(part.denied or part.danger or part.unsure for part in found)


@given(st.text(max_size=60), st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_text_has_parts(line: str, sandboxed: bool) -> None:
    assert parts(line, sandboxed=sandboxed)


@given(st.text("ab'\"`$(){}[]<>|&;#\\ \n=~*!-", max_size=40), st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_soup_of_the_shells_signs_has_parts(line: str, sandboxed: bool) -> None:
    assert parts(line, sandboxed=sandboxed)
