"""Scripts of sed that are taken to look only are taken so by the sed of this machine."""

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.gate.bash.command_line import parts
from actors.gate.bash.language.words import Word
from actors.gate.bash.programs.argument_programs import sed

PIECES = (
    "/",
    "[",
    "]",
    "\\",
    "^",
    "[:alpha:]",
    "[.",
    ".]",
    "[=",
    "|",
    "a",
    " ",
    "n",
    "c",
    ";",
    "p;a ",
    "s/",
    "x",
    "\n",
)
ENDS = ("e x", "/e x", "]/e x", "/b/;e x", "\ne x", "/w f", "]|p\nr f", "/x/e", "a\ne x", "I;R f")
SANDBOX = ("sed", "--sandbox", "-n")


def real_sed_refuses(script: str) -> bool:
    """Because it runs, reads or writes."""
    ran = subprocess.run([*SANDBOX, script, "/dev/null"], capture_output=True, check=False)
    return b"sandbox" in ran.stderr


needs_gnu_sed = pytest.mark.skipif(
    subprocess.run([*SANDBOX, "p", "/dev/null"], capture_output=True, check=False).returncode != 0,
    reason="this sed cannot say what a script does",
)


@needs_gnu_sed
@settings(max_examples=1500, deadline=None)
@given(
    st.sampled_from(("/", "s/", "s|", "1,/", "p;/", "a", "")), st.lists(st.sampled_from(PIECES)), st.sampled_from(ENDS)
)
def test_no_script_that_acts_is_taken_to_look(start: str, pieces: list[str], end: str) -> None:
    script = start + "".join(pieces) + end

    assert sed("sed", (Word(script),)).effect == "execute" or not real_sed_refuses(script)


@pytest.mark.parametrize(
    "script",
    [
        *("/[/p;a ]/e ./x", "/[^/p;a ]/e ./x", "/[]/p;a ]/e ./x", "/[[:alpha:]/p;a ]/e ./x", "/[[.].]/p;a ]/r x"),
        *("s/[/]/;a ]/e ./x", "s|[|]|;a ]|x|e", "s,[,a,];a ],x,w f", r"s/a\c/b/;a /x/e", r"/\c/p;a /e ./x", "a\ne ./x"),
    ],
)
def test_where_seds_see_different_ends_it_acts(script: str) -> None:
    assert [part.effect for part in parts(f"sed '{script}' f", sandboxed=True)] == ["execute"]


@pytest.mark.parametrize(
    "script",
    [
        *("s/[^[:alnum:]]/x/g", r"s/[\/]/x/", "s/[][]//g", "s|[a-z]*/|x|", "/^[[:space:]]*$/d", r"s/\[a\]/b/"),
        *(r"s/\([^)]*\)/\1/", r"s/\/usr\/[a-z]*\//x/", "s/[[]/x/", "/a/,/[b-d]/{s/[.]/,/;p}", "a\\\ntext", "i text"),
    ],
)
def test_brackets_that_are_read_one_way_only_look(script: str) -> None:
    assert [part.effect for part in parts(f"sed '{script}' f", sandboxed=True)] == ["read"]


@pytest.mark.parametrize("option", ["-i../x/*", "-Ei./../x*", "--in-place=/x/*"])
def test_a_copy_of_the_old_text_that_is_kept_elsewhere_is_more_than_an_edit(option: str) -> None:
    assert [part.effect for part in parts(f"sed '{option}' s/a/b/ f", sandboxed=True)] == ["execute"]
