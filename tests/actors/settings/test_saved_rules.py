"""Writing answers down: what is added, what is kept, what is refused."""

import os
import stat
import subprocess
import tomllib
from multiprocessing import get_context
from pathlib import Path

import pytest

from actors.errors import BadConfiguration
from actors.settings import config, trust
from actors.settings.saved_rules import forget, remember

COMMENTED = """\
# mine

[permissions] # what runs
# tests
allow = [
  "Bash(make test)", # often
  # more to come
]
deny   =   ["Read(**/.env)"]

# checks
[[hooks.pre_tool]]
command = "check" # fast
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".trouper" / "config.local.toml"


def given(path: Path, text: str) -> None:
    """The user's own."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    trust.vouch(path.parent.parent / "home", path, text)


def rules(home: Path, workspace: Path) -> list[str]:
    settings = config.load(home, workspace, {}, session_id="s", run_id="r")
    return [f"{line.verdict} {line.text}" for line in settings.rules]


def allowed(path: Path) -> list[str]:
    found: list[str] = tomllib.loads(path.read_text())["permissions"]["allow"]
    return found


def test_the_first_answer_makes_the_file_for_its_user_alone(home: Path, path: Path) -> None:
    remember(path, ("Bash(make test)", "Write(src/**)"), home)

    assert path.read_text() == '[permissions]\nallow = ["Bash(make test)", "Write(src/**)"]\n'
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(file.name for file in path.parent.iterdir()) == [".gitignore", "config.local.toml"]


def test_git_sees_what_the_team_has_there_and_nothing_of_the_user(home: Path, path: Path) -> None:
    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=path.parent.parent, capture_output=True, text=True, check=True)
        return done.stdout

    git("init", "-q")
    remember(path, ("Bash(make test)",), home)
    (path.parent / ".config.local.toml.x1y2").touch()  # left by a kill

    alone = git("status", "--porcelain", ".trouper")
    git("clean", "-fdq", ".trouper")
    (path.parent / "config.toml").touch()

    assert alone == ""
    assert git("status", "--porcelain", "-uall", ".trouper") == "?? .trouper/config.toml\n"


def test_everything_else_stays_as_it_is(home: Path, path: Path) -> None:
    given(path, COMMENTED)

    remember(path, ("Web(docs.python.org)",), home)
    added = path.read_text()
    forget(path, "Web(docs.python.org)", home)

    without = [line for line in added.splitlines() if "docs.python.org" not in line]
    assert without == COMMENTED.splitlines()
    assert allowed(path) == ["Bash(make test)"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# only a comment\n",
        'permissions.deny = ["Bash"]\n[hooks]\n',
        'permissions = { deny = ["Bash"] }\n',
        "[permissions]\nallow = []\n",
        '[[hooks.stop]]\ncommand = "x"',
        "[permissions]\r\ndeny = ['Edit']\r\n",
    ],
)
def test_any_way_of_writing_it_is_added_to(home: Path, path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_bytes(text.encode())
    trust.vouch(home, path, text)
    before = tomllib.loads(text)

    remember(path, ('Bash(echo "a\\b")', "Read(~/x/**)"), home)

    permissions = {**before.get("permissions", {}), "allow": ['Bash(echo "a\\b")', "Read(~/x/**)"]}
    assert tomllib.loads(path.read_bytes().decode()) == {**before, "permissions": permissions}


def test_what_is_there_is_not_added_again(home: Path, path: Path) -> None:
    given(path, COMMENTED)

    remember(path, ("Bash(make test)",), home)

    assert path.read_text() == COMMENTED


def test_what_was_remembered_counts_the_next_time(tmp_path: Path, home: Path, path: Path) -> None:
    remember(path, ("Bash(make test)",), home)

    settings = config.load(tmp_path / "home", tmp_path, {}, session_id="s", run_id="r")

    assert [(line.text, line.source) for line in settings.rules] == [("Bash(make test)", str(path))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[permissions", "not valid TOML"),
        ("[permissions]\nalow = []", "Did you mean allow"),
        ('[permissions]\nallow = "Bash"', "it has to be a list, not text"),
    ],
)
def test_a_broken_file_is_left_alone(home: Path, path: Path, text: str, expected: str) -> None:
    given(path, text)

    with pytest.raises(BadConfiguration, match=expected):
        remember(path, ("Edit",), home)

    assert path.read_text() == text


def test_a_file_that_nobody_vouched_for_is_left_alone(home: Path, path: Path) -> None:
    path.parent.mkdir()
    path.write_text(COMMENTED)

    with pytest.raises(BadConfiguration, match=r"a rule in it would not count\. Look at it with: trouper permissions"):
        remember(path, ("Edit",), home)

    assert path.read_text() == COMMENTED
    assert (forget(path, "Bash(make test)", home), trust.record(home, path).text) == (True, None)


def test_nothing_is_written_through_a_link(home: Path, path: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    path.parent.symlink_to("elsewhere")

    with pytest.raises(BadConfiguration, match="is, or is in, a symlink"):
        remember(path, ("Edit",), home)

    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_what_was_only_tightening_is_added_to_and_counts(home: Path, path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    path.write_text("[permissions]\ndeny = ['Web']\n")

    remember(path, ("Edit",), home)

    assert rules(home, tmp_path) == ["deny Web", "allow Edit"]


def test_killed_between_vouching_and_writing_it_tightens_until_the_same_answer(
    home: Path, path: Path, tmp_path: Path
) -> None:
    remember(path, ("Edit",), home)
    before = path.read_text()
    remember(path, ("Write",), home)
    path.write_text(before)  # as it is when it never came to writing it

    killed = config.load(home, tmp_path, {}, session_id="s", run_id="r")
    remember(path, ("Write",), home)

    assert (killed.rules, [str(path) in notice for notice in killed.notices]) == ((), [True])
    assert rules(home, tmp_path) == ["allow Edit", "allow Write"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_what_cannot_be_written_leaves_what_counted(home: Path, path: Path) -> None:
    remember(path, ("Edit",), home)
    before = trust.record(home, path)
    path.parent.chmod(0o500)

    with pytest.raises(BadConfiguration, match="cannot write"):
        remember(path, ("Write",), home)

    path.parent.chmod(0o700)
    assert trust.record(home, path) == before


def test_only_rules_are_written_down(home: Path, path: Path) -> None:
    with pytest.raises(BadConfiguration, match="unknown rule"):
        remember(path, ("Anything",), home)

    assert not path.exists()


def test_a_rule_is_forgotten_wherever_it_is(home: Path, path: Path) -> None:
    given(path, COMMENTED)

    assert (forget(path, "Read(**/.env)", home), forget(path, "Read(**/.env)", home)) == (True, False)
    assert tomllib.loads(path.read_text())["permissions"] == {"allow": ["Bash(make test)"], "deny": []}
    assert forget(path.with_name("other.toml"), "Edit", home) is False


@pytest.mark.slow
def test_two_sessions_that_remember_at_once_lose_nothing(home: Path, path: Path) -> None:
    path.parent.mkdir()
    context = get_context("spawn")
    rules = [f"Bash(task {number})" for number in range(8)]
    processes = [context.Process(target=remember, args=(path, (rule,), home)) for rule in rules]

    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert sorted(allowed(path)) == rules
