"""`trouper permissions` from end to end, and that it tells what really happens."""

import json
import tempfile
from pathlib import Path

import pytest

from actors.settings import trust
from tests.system.harness import Event, Place, answer, call

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
    assert allowed["change"].startswith("--deny 'Write(docs/a.md)', or in ")
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
        (("explain", "read", '{"file": "a.py"}'), 1, "Malformed arguments for read"),
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
    text = f"# mine\n[permissions]\nallow = ['{rule}'] # often\n"
    path.write_text(text)
    trust.vouch(place.home, path, text)
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
    assert rows[-1] == {"verdict": "allow", "text": "Edit", "source": "--allow", "counts": True}
    assert (removed.code, removed.out) == (0, f"removed Bash(make test) from {local}\n")
    assert local.read_text() == "# mine\n[permissions]\nallow = [] # often\n"


def test_what_is_explained_is_what_happens(place: Place) -> None:
    local_file(place, "Write(docs/**)")
    for path, code in (("docs/a.md", 0), ("src/a.py", 3), (".git/hooks/pre-commit", 3), ("../outside.txt", 3)):
        verdict = explained(place, "write", path=path, content="x")["verdict"]
        called = place.run("tools", "call", "write", json.dumps({"path": path, "content": "x"}))

        assert ((verdict == "allow"), called.code) == (code == 0, code)
        assert (place.workspace / path).exists() is (code == 0)


@pytest.mark.parametrize("sandbox", ["auto", "none"])
def test_what_a_command_allows_itself_does_not_count_in_any_folder(place: Place, sandbox: str) -> None:
    (place.home / "config.toml").write_text(f'sandbox = "{sandbox}"\n')
    local = place.workspace / "app" / ".trouper" / "config.local.toml"
    harmless = f"mkdir -p {local.parent} && printf '[permissions]\\nallow = [\"Write\"]\\n' > {local}"
    (place.workspace / "tests.sh").write_text(harmless)

    place.run("tools", "call", "bash", json.dumps({"command": "sh tests.sh"}), "--allow", "Bash")
    there = ("--cwd", str(local.parent.parent))
    before = place.run("permissions", "explain", "write", '{"path": "a.py", "content": ""}', *there)
    listed = place.run("permissions", "list", *there)
    trusted = place.run("permissions", "trust", "--yes", *there)
    after = explained(place, "write", *there, path="a.py", content="")

    assert before.out.startswith("ask: ")
    assert before.err == (
        f"trouper: {local} was not trusted by you, so this does not count: allow Write. "
        "Look at it and decide: trouper permissions trust\n"
    )
    assert listed.out.splitlines() == [
        "",
        "left out, because you have not trusted it as it is (trouper permissions trust):",
        f"allow Write  {local}",
    ]
    shown = f'{local}:\n  | [permissions]\n  | allow = ["Write"]\n\ntrusted, it would:\n  allow Write\n\n'
    assert (trusted.code, trusted.out) == (0, f"{shown}{local} counts as it is now.\n")
    assert (after["verdict"], after["source"]) == ("allow", str(local))


def test_where_nobody_is_asked_nothing_is_trusted(place: Place) -> None:
    local = local_file(place, "Write")
    local.write_text(local.read_text().replace("Write", "Bash"))

    refused = place.run("permissions", "trust")

    assert refused.code == 1
    assert "trusted, it would:\n  allow Bash\n" in refused.out
    assert "nobody is here to say yes, so nothing was changed. Without the question: --yes" in refused.err
    assert place.run("permissions", "explain", "bash", '{"command": "make"}').out.startswith("ask: ")


def test_trust_shows_what_has_changed_since(place: Place) -> None:
    local = local_file(place, "Write")
    local.write_text(local.read_text().replace("Write", "Bash"))

    trusted = place.run("permissions", "trust", "--yes")

    assert "what has changed since you trusted it:\n" in trusted.out
    assert "  | -allow = ['Write'] # often\n  | +allow = ['Bash'] # often\n" in trusted.out
    assert place.run("permissions", "trust", "--yes").out == "There is nothing to trust here: nothing is left out.\n"


def test_what_looks_like_more_than_it_is_is_set_off_and_cleaned(place: Place) -> None:
    local = local_file(place, "Write")
    local.write_text(f"# \x9b31m \u202e\n# {local} counts as it is now.\n")

    shown = place.run("permissions", "trust", "--yes").out.splitlines()

    assert shown[1:3] == ["  | # \\x9b31m \\u202e", f"  | # {local} counts as it is now."]


def test_headless_the_notice_is_on_stderr_and_an_event(place: Place) -> None:
    local = place.workspace / ".trouper" / "config.toml"
    local.parent.mkdir()
    local.write_text('[permissions]\nallow = ["Write"]\n')

    finished = place.prompt(place.script(answer("Hi."))).finish()

    notice = (
        f"{local} was not trusted by you, so this does not count: allow Write. "
        "Look at it and decide: trouper permissions trust"
    )
    assert f"trouper: {notice}\n" in finished.err
    assert [event["text"] for event in finished.events if event["type"] == "notice"] == [notice]


@pytest.mark.parametrize(
    ("name", "arguments", "expected", "said"),
    [
        ("bash", {"command": "echo ok"}, (0, False, False), "ok"),
        ("bash", {"command": "false"}, (1, True, False), "[exit 1]"),
        ("write", {"path": "/outside", "content": ""}, (3, True, True), "/outside is outside the workspace"),
        ("wrote", {}, (1, True, False), 'there is no tool "wrote"'),
    ],
)
def test_a_call_answers_in_json_whatever_comes_of_it(
    place: Place, name: str, arguments: Event, expected: tuple[int, bool, bool], said: str
) -> None:
    finished = place.run("tools", "call", name, json.dumps(arguments), "--mode", "auto", "--json")

    answered = json.loads(finished.out)
    assert (finished.code, answered["failed"], answered["denied"]) == expected
    assert said in answered["output"]
    assert finished.err == ""


@pytest.mark.parametrize(("then", "code", "reason"), [("ls", 0, "done"), ("mkdir a", 3, "refused")])
def test_only_what_was_not_worked_around_is_a_failure(place: Place, then: str, code: int, reason: str) -> None:
    script = place.script(
        answer("", call("bash", command="touch a")), answer("", call("bash", command=then)), answer("That is that.")
    )

    alone = place.run("-p", "go on", "--output", "json", "--model", script)
    (place.workspace / "tasks.jsonl").write_text('{"id": "a", "prompt": "go on"}\n')
    batch = place.run("batch", "tasks.jsonl", "--out", "out.jsonl", "--model", script)

    told, line = json.loads(alone.out), json.loads((place.workspace / "out.jsonl").read_text())
    assert (alone.code, told["reason"], len(told["refused"])) == (code, reason, 1 if code == 0 else 2)
    assert (batch.code, line["reason"], line["refused"]) == (min(code, 1), reason, told["refused"])


def test_in_auto_the_sandbox_holds_and_a_network_that_was_missing_is_told(place: Place) -> None:
    script = "import urllib.request as u; u.urlopen('http://example.invalid', timeout=5)"
    command = (
        "export PYTHONPATH=.; sleep 60 & p=$!; kill $p; n=$(echo 1); echo $((n+1)) $PIP_RETRIES; "
        f'head -1 /etc/os-release > seen; echo "{script}" | python3'
    )

    ran = place.run("tools", "call", "bash", json.dumps({"command": command}), "--mode", "auto")
    asked = place.run("tools", "call", "bash", json.dumps({"command": command, "network": True}), "--mode", "auto")

    assert "2 0\n" in ran.out
    assert "network=true" in ran.out
    assert (place.workspace / "seen").stat().st_size > 0
    assert asked.code == 3


@pytest.mark.parametrize("sandbox", ["bubblewrap", "namespaces"])
def test_a_home_folder_in_tmp_is_outside_like_any_other(sandbox: str) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        place = Place(Path(folder).resolve())
        beside, links = place.temporary / "beside", place.workspace / "links"
        for made in (beside, links):
            made.mkdir()
        (beside / "b").write_text("of somebody else")
        (links / "b").symlink_to("../../tmp/beside/b")
        (place.home / "config.toml").write_text(f'sandbox = "{sandbox}"\n')
        commands = (f"cat {beside}/b", "cat ../tmp/beside/b", "cat ~/tmp/beside/b", f"cat {folder[:-1]}*/tmp/beside/b")
        through_links = ("cat links/*", "grep -R of links")
        ran = [
            place.run("tools", "call", "bash", json.dumps({"command": each}), "--mode", "auto")
            for each in (*commands, *through_links, "echo own > /tmp/a && cat /tmp/a")
        ]
        place.close()

    *outside, own = ran
    assert [(each.code, "somebody" in each.out) for each in outside] == [(3, False)] * len(outside)
    assert (own.code, own.out.strip()) == (0, "own")
