"""`trouper permissions` from end to end, and that it tells what really happens."""

import json
from pathlib import Path

import pytest

from tests.system.harness import Event, Place

pytestmark = pytest.mark.slow
FORCE = '{"command": "git push --force"}'


def explained(place: Place, tool: str, *more: str, **arguments: object) -> Event:
    finished = place.run("permissions", "explain", tool, json.dumps(arguments), "--json", *more)
    assert (finished.code, finished.err) == (0, "")
    found: Event = json.loads(finished.out)
    return found


def test_a_decision_names_its_rule_its_file_and_what_would_change_it(place: Place) -> None:
    config = place.home / "config.toml"
    config.write_text('[permissions]\nallow = ["Write(docs/**)"]\ndeny = ["Read(**/.env)"]\n')

    allowed = explained(place, "write", path="docs/a.md", content="")
    denied = explained(place, "read", "--mode", "auto", path="src/.env")
    asked = explained(place, "write", path="src/a.py", content="")
    closed = explained(place, "write", "--allow", "Write", path=".git/config", content="")

    assert (allowed["verdict"], allowed["rule"], allowed["source"]) == ("allow", "Write(docs/**)", str(config))
    assert (denied["verdict"], denied["rule"], denied["mode"]) == ("deny", "Read(**/.env)", "auto")
    assert denied["change"] == f'take "Read(**/.env)" out of {config}'
    assert (asked["verdict"], asked["rule"]) == ("ask", "mode default")
    assert asked["change"].startswith("--allow 'Write(src/a.py)', or in ")
    assert (closed["verdict"], closed["source"], closed["change"]) == ("deny", "built in", "")
    assert not (place.workspace / "docs").exists()


def test_for_people_it_is_a_few_lines(place: Place) -> None:
    finished = place.run("permissions", "explain", "bash", FORCE, "--mode", "auto", "--allow", "Bash")

    first, *rest = finished.out.splitlines()
    assert finished.code == 0
    assert first.startswith("ask (every time): `git push --force`: ")
    assert [line.split()[0] for line in rest] == ["mode", "rule", "from", "runs", "change"]
    assert rest[-1].endswith("nothing: no rule and no mode answers it, only you")


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (("explain", "bash", "ls"), 2, "the arguments are not a JSON object"),
        (("explain", "wrote", "{}"), 1, 'there is no tool "wrote". The tools are: read, '),
        (("explain", "bash", "{}", "--allow", "Bsh"), 2, '--allow: unknown rule "Bsh"'),
        (("remove", "Bash(make test)"), 1, 'the rule "Bash(make test)" is in neither of '),
        (("remove", "Bsh"), 2, 'unknown rule "Bsh"'),
    ],
)
def test_a_mistake_is_told(place: Place, arguments: tuple[str, ...], code: int, expected: str) -> None:
    finished = place.run("permissions", *arguments)

    assert finished.code == code
    assert expected in finished.err


def local_file(place: Place, rule: str) -> Path:
    folder = place.workspace / ".trouper"
    folder.mkdir(mode=0o700)
    path = folder / "config.local.toml"
    path.write_text(f"# mine\n[permissions]\nallow = ['{rule}'] # often\n")
    return path


def test_rules_are_listed_with_their_files_and_removed(place: Place) -> None:
    (place.home / "config.toml").write_text('[permissions]\ndeny = ["Web(evil.net)"]\n')
    local = local_file(place, "Bash(make test)")

    listed = place.run("permissions", "list").out
    rows = json.loads(place.run("permissions", "list", "--json", "--allow", "Edit").out)
    removed = place.run("permissions", "remove", "Bash(make test)")

    assert listed.splitlines() == [
        f"deny  Web(evil.net)    {place.home}/config.toml",
        f"allow Bash(make test)  {local}",
    ]
    assert rows[-1] == {"verdict": "allow", "text": "Edit", "source": "--allow"}
    assert (removed.code, removed.out) == (0, f"removed Bash(make test) from {local}\n")
    assert local.read_text() == "# mine\n[permissions]\nallow = [] # often\n"


def test_what_is_explained_is_what_happens(place: Place) -> None:
    local_file(place, "Write(docs/**)")
    for path, code in (("docs/a.md", 0), ("src/a.py", 3), (".git/hooks/pre-commit", 3), ("../outside.txt", 3)):
        verdict = explained(place, "write", path=path, content="x")["verdict"]
        called = place.run("tools", "call", "write", json.dumps({"path": path, "content": "x"}))

        assert ((verdict == "allow"), called.code) == (code == 0, code)
        assert (place.workspace / path).exists() is (code == 0)


def test_what_a_command_allows_itself_does_not_count_where_nothing_stops_it(place: Place) -> None:
    (place.home / "config.toml").write_text('sandbox = "none"\n')
    local = place.workspace / ".trouper" / "config.local.toml"
    harmless = f"mkdir -p {local.parent} && printf '[permissions]\\nallow = [\"Write\"]\\n' > {local}"
    (place.workspace / "tests.sh").write_text(harmless)

    place.run("tools", "call", "bash", json.dumps({"command": "sh tests.sh"}), "--allow", "Bash")
    before = place.run("permissions", "explain", "write", '{"path": "a.py", "content": ""}')
    trusted = place.run("permissions", "trust")
    after = explained(place, "write", path="a.py", content="")

    assert local.read_text() == '[permissions]\nallow = ["Write"]\n'
    assert before.out.startswith("ask: ")
    assert "look at it with: trouper permissions trust" in before.err
    assert (trusted.code, trusted.out) == (0, f"{local.read_text()}\n{local} counts as it is now.\n")
    assert (after["verdict"], after["source"]) == ("allow", str(local))


def test_in_the_sandbox_nothing_is_kept_of_the_rules(place: Place) -> None:
    local_file(place, "Bash(make test)")

    found = explained(place, "bash", command="make test")

    assert (found["verdict"], found["sandbox"] != "none") == ("allow", True)
    assert (place.home / "run" / "local-rules").exists() is (found["sandbox"] == "none")


def test_a_committed_file_can_only_tighten(place: Place) -> None:
    local = local_file(place, "Write")
    local.rename(local.with_name("config.toml"))

    finished = place.run("permissions", "list")

    assert finished.code == 2
    assert '"allow" may only be set in your own config file' in finished.err
