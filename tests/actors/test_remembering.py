"""Writing answers down: what is added, what is kept, what is refused."""

import stat
import tomllib
from multiprocessing import get_context
from pathlib import Path

import pytest

from actors import config
from actors.errors import BadConfiguration
from actors.remembering import forget, remember

HOME = Path("/no/home")
"""Nothing is kept there."""
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
def path(tmp_path: Path) -> Path:
    return tmp_path / ".trouper" / "config.local.toml"


def given(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def allowed(path: Path) -> list[str]:
    found: list[str] = tomllib.loads(path.read_text())["permissions"]["allow"]
    return found


def test_the_first_answer_makes_the_file_for_its_user_alone(path: Path) -> None:
    remember(path, ("Bash(make test)", "Write(src/**)"), HOME)

    assert path.read_text() == '[permissions]\nallow = ["Bash(make test)", "Write(src/**)"]\n'
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (path.parent / ".gitignore").read_text() == "config.local.toml\n"
    assert sorted(file.name for file in path.parent.iterdir()) == [".gitignore", "config.local.toml"]


def test_everything_else_stays_as_it_is(path: Path) -> None:
    given(path, COMMENTED)

    remember(path, ("Web(docs.python.org)",), HOME)
    added = path.read_text()
    forget(path, "Web(docs.python.org)", HOME)

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
def test_any_way_of_writing_it_is_added_to(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_bytes(text.encode())
    before = tomllib.loads(text)

    remember(path, ('Bash(echo "a\\b")', "Read(~/x/**)"), HOME)

    permissions = {**before.get("permissions", {}), "allow": ['Bash(echo "a\\b")', "Read(~/x/**)"]}
    assert tomllib.loads(path.read_bytes().decode()) == {**before, "permissions": permissions}


def test_what_is_there_is_not_added_again(path: Path) -> None:
    given(path, COMMENTED)

    remember(path, ("Bash(make test)",), HOME)

    assert path.read_text() == COMMENTED


def test_what_was_remembered_counts_the_next_time(tmp_path: Path, path: Path) -> None:
    remember(path, ("Bash(make test)",), HOME)

    settings = config.load(tmp_path / "home", tmp_path, {}, session_id="s", run_id="r")

    assert [(line.text, line.source) for line in settings.rules] == [("Bash(make test)", str(path))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[permissions", "not valid TOML"),
        ("[permissions]\nalow = []", "Did you mean allow"),
        ('[permissions]\nallow = "Bash"', "Expected `array`"),
    ],
)
def test_a_broken_file_is_left_alone(path: Path, text: str, expected: str) -> None:
    given(path, text)

    with pytest.raises(BadConfiguration, match=expected):
        remember(path, ("Edit",), HOME)

    assert path.read_text() == text


def test_a_file_that_would_not_count_is_left_alone(path: Path) -> None:
    given(path, COMMENTED)
    path.chmod(0o666)

    with pytest.raises(BadConfiguration, match="a rule in it would not count: others may write to"):
        remember(path, ("Edit",), HOME)

    assert path.read_text() == COMMENTED


def test_only_rules_are_written_down(path: Path) -> None:
    with pytest.raises(BadConfiguration, match="unknown rule"):
        remember(path, ("Anything",), HOME)

    assert not path.exists()


def test_a_rule_is_forgotten_wherever_it_is(path: Path) -> None:
    given(path, COMMENTED)

    assert (forget(path, "Read(**/.env)", HOME), forget(path, "Read(**/.env)", HOME)) == (True, False)
    assert tomllib.loads(path.read_text())["permissions"] == {"allow": ["Bash(make test)"], "deny": []}
    assert forget(path.with_name("other.toml"), "Edit", HOME) is False


@pytest.mark.slow
def test_two_sessions_that_remember_at_once_lose_nothing(path: Path) -> None:
    path.parent.mkdir()
    context = get_context("spawn")
    rules = [f"Bash(task {number})" for number in range(8)]
    processes = [context.Process(target=remember, args=(path, (rule,), HOME)) for rule in rules]

    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert sorted(allowed(path)) == rules
