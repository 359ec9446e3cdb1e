"""The patterns of rules."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.common.globs import TooLong, covers, folded, folded_text, matches, may_match_below

WORKSPACE = Path("/work/project")


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("a.py", "/work/project/a.py", True),
        ("./a.py", "/work/project/a.py", True),
        ("a.py", "/work/project/src/a.py", False),
        ("*.py", "/work/project/a.py", True),
        ("*.py", "/work/project/src/a.py", False),
        ("**/*.py", "/work/project/a.py", True),
        ("**/*.py", "/work/project/src/deep/a.py", True),
        ("src/**", "/work/project/src", True),
        ("src/**", "/work/project/src/deep/a.py", True),
        ("src/**", "/work/project/srcs/a.py", False),
        ("src/", "/work/project/src", True),
        ("src/**/test_?.py", "/work/project/src/test_1.py", True),
        ("src/**/test_?.py", "/work/project/src/x/test_12.py", False),
        ("**/.env*", "/work/project/.env.local", True),
        ("[id].tsx", "/work/project/[id].tsx", True),
        ("[id].tsx", "/work/project/i.tsx", False),
        ("/etc/**", "/etc/passwd", True),
        ("/**", "/etc/passwd", True),
        ("/", "/", True),
        ("~/.ssh/**", f"{Path.home()}/.ssh/id_ed25519", True),
        ("~", f"{Path.home()}", True),
        ("a+b(c).py", "/work/project/a+b(c).py", True),
        ("a.py", "/work/project/aXpy", False),
        ("*", "/work/project/line\nbreak", True),
    ],
)
def test_a_pattern_covers(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, Path(path), WORKSPACE) is expected


@given(st.text(alphabet="ab*?[]!/.~-^\\", min_size=1, max_size=12))
def test_every_text_is_a_pattern(pattern: str) -> None:
    assert matches(pattern, Path("/work/project/a"), WORKSPACE) in {True, False}


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("secrets", "/work/project/secrets/deep/a", True),
        ("secrets/**", "/work/project/SECRETS/a", True),
        ("Secrets", "/work/project/secrets", True),
        ("secrets/*.pem", "/work/project/secrets/a.key", False),
        ("secrets", "/work/project/secrets2", False),
    ],
)
def test_to_be_sure_a_folder_covers_what_is_in_it_in_any_case(pattern: str, path: str, expected: bool) -> None:
    assert covers(pattern, Path(path), WORKSPACE) is expected


@pytest.mark.parametrize(
    ("pattern", "folder", "expected"),
    [
        ("src/keep/**", "/work/project/src", True),
        ("src/keep/**", "/work/project/src/keep/deep", True),
        ("src/keep/**", "/work/project/docs", False),
        ("**/.env", "/work/project/anything", True),
        ("src/*.py", "/work/project/src/a.py", True),
        ("src/*.py", "/work/project/src/deep/er", False),
        ("/etc/**", "/", True),
    ],
)
def test_what_is_below_a_folder_may_match(pattern: str, folder: str, expected: bool) -> None:
    assert may_match_below(pattern, Path(folder), WORKSPACE) is expected


def test_many_wildcards_take_no_time() -> None:
    assert not matches("/".join(["**", "a*a*a*b"] * 40), Path("/" + "/".join(["a" * 60] * 60)), WORKSPACE)


def test_what_takes_too_many_steps_is_covered_and_does_not_match() -> None:
    pattern, path = "/" + "**/*/" * 60 + "b", Path("/" + "/".join("a" * 500))

    assert covers(pattern, path, WORKSPACE)
    assert may_match_below(pattern, path, WORKSPACE)
    with pytest.raises(TooLong):
        matches(pattern, path, WORKSPACE)


@pytest.mark.parametrize("path", ["/", "/a", "/Home/Usér/.SSH", "/home/use\u0301r/a b", "//home/a", "a/B", "=/\u0338a"])
def test_a_path_as_it_is_written_folds_as_a_path_does(path: str) -> None:
    assert folded_text(path) == folded(Path(path))
