"""`trouper mcp` from end to end: what it writes, what it says, and what a session makes of it."""

import json
import stat
import sys
from pathlib import Path

import pytest

from tests.system.harness import LAUNCHER, Event, Place, answer
from tests.ui.screen.pty_stage import PtyTerminal

pytestmark = pytest.mark.slow
BROUGHT = {"one": {"command": "one", "args": ["\x1b[2J", "a\nb"]}, "two": {"url": "https://two/mcp"}}
TOKEN = "ghp_0123456789012345678901234"


def brings(place: Place, **servers: object) -> Path:
    path = place.workspace / ".mcp.json"
    path.write_text(json.dumps({"mcpServers": servers}, indent=1))
    return path


def listed(place: Place) -> dict[str, Event]:
    finished = place.run("mcp", "list", "--json")
    assert finished.code == 0
    return {row["name"]: row for row in json.loads(finished.out)}


def users(place: Place) -> Event:
    entries: Event = json.loads((place.home / "mcp.json").read_text())["mcpServers"]
    return entries


def test_a_server_is_added_shown_switched_and_removed(place: Place) -> None:
    added = place.run("mcp", "add", "local", "-e", "A=${A:-1}", "--", "sh", "-c", "echo $0 -- $1", "--", "-x")
    place.run("mcp", "add", "remote", "--url", "https://h/mcp", "--header", "Authorization: Bearer ${TOKEN}")
    place.run("mcp", "add-json", "older", '{"type": "sse", "url": "http://127.0.0.1:1/sse"}')
    shown = place.run("mcp", "get", "remote").out
    off = place.run("mcp", "disable", "local")
    rows = listed(place)
    on = place.run("mcp", "enable", "local")
    gone = place.run("mcp", "remove", "older")

    path = place.home / "mcp.json"
    assert (added.code, added.out, added.err) == (0, f"added local to {path}\n", "")
    assert users(place) == {
        "local": {"command": "sh", "args": ["-c", "echo $0 -- $1", "--", "-x"], "env": {"A": "${A:-1}"}},
        "remote": {"url": "https://h/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}},
    }
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert 'headers         {"Authorization":"Bearer ${TOKEN}"}' in shown.splitlines()
    assert {name: (row["transport"], row["enabled"], row["counts"]) for name, row in rows.items()} == {
        "local": ("stdio", False, False),
        "remote": ("http", True, True),
        "older": ("sse", True, True),
    }
    assert [off.code, on.code, gone.code] == [0, 0, 0]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("add", "a"), 2, "say either a command, behind --, or --url URL"),
        (("add", "a", "--url", "https://h/", "--", "x"), 2, "say either a command"),
        (("add", "a b", "--", "x"), 2, "a name has letters, digits, - and _"),
        (("add", "a", "--url", "nowhere"), 2, "url is no address such as https://host/mcp. Nothing was changed."),
        (("add", "a", "-t", "http", "--", "x"), 2, 'transport "http" does not go with "command"'),
        (("add", "a", "-e", "planted", "--", "x"), 2, "write NAME=VALUE"),
        (("add", "a", "-e", "A=1", "--url", "https://h/"), 2, "--env is of a server that is run"),
        (("add", "a", "npx", "-y", "x"), 2, "is written behind --: trouper mcp add a -- npx -y x"),
        (("list", "--jsn"), 2, "unrecognized arguments: --jsn"),
        (("add-json", "a", "{"), 2, "the JSON is not valid JSON"),
        (("add-json", "a", '{"command": "x", "comand": "y"}'), 2, 'not known here, did you mean "command"?'),
        (("add-json", "a", '{"command": "x", "sandbox": false}', "-s", "workspace"), 2, "only be said in your own"),
        (("get", "goth"), 2, 'no MCP server is called "goth" here. Did you mean goth2?'),
        (("remove", "b"), 2, 'no MCP server is called "b" here. See: trouper mcp list'),
        (("add", "goth2", "--", "y"), 2, 'has "goth2" already. Put this in its place: --replace'),
        (("import", "nobody"), 2, "invalid choice"),
        (("import", "codex"), 1, "codex: nothing is configured here."),
    ],
)
def test_a_mistake_is_told_and_changes_nothing(place: Place, arguments: tuple[str, ...], code: int, said: str) -> None:
    place.run("mcp", "add", "goth2", "--", "x")

    finished = place.run("mcp", *arguments)

    assert finished.code == code
    assert said in finished.err
    assert "planted" not in finished.err
    assert users(place) == {"goth2": {"command": "x"}}
    assert not (place.workspace / ".mcp.json").exists()


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        (("sentry", "--transport", "http", "https://h/mcp"), {"type": "http", "url": "https://h/mcp"}),
        (("-s", "local", "-t", "streamable-http", "a", "https://h/"), {"type": "http", "url": "https://h/"}),
        (("a", "-e", "K=V", "L=W", "--", "sh", "x"), {"command": "sh", "args": ["x"], "env": {"K": "V", "L": "W"}}),
        (
            ("a", "--url", "https://h/", "--bearer-token-env-var", "T"),
            {"url": "https://h/", "headers": {"Authorization": "Bearer ${T}"}},
        ),
    ],
)
def test_a_line_for_another_program_works(place: Place, line: tuple[str, ...], entry: Event) -> None:
    added = place.run("mcp", "add", *line)

    assert (added.code, added.err) == (0, "")
    assert list(users(place).values()) == [entry]


def test_a_mistake_is_in_the_list(place: Place) -> None:
    (place.home / "mcp.json").write_text('{"mcpServers": {"a b": {"command": "x"}}}')

    listed = place.run("mcp", "list")

    assert listed.code == 0
    assert "a name has letters, digits, - and _" in listed.out
    assert "take it out: trouper mcp remove 'a b'" in listed.out


def test_a_server_for_the_project_is_one_for_the_workspace(place: Place) -> None:
    place.run("mcp", "add", "a", "--scope", "project", "--", "sh")

    assert json.loads((place.workspace / ".mcp.json").read_text()) == {"mcpServers": {"a": {"command": "sh"}}}


def test_a_secret_in_clear_is_warned_about_and_never_shown(place: Place) -> None:
    added = place.run("mcp", "add", "hub", "--url", "http://h/mcp", "-H", f"Authorization: Bearer {TOKEN}")
    shown = [place.run("mcp", *words) for words in (("get", "hub"), ("get", "hub", "--json"), ("list",))]

    assert (
        "hub: headers.Authorization looks like a secret in clear. By reference, with the secret in your environment: "
        "'Bearer ${HUB_TOKEN}'"
    ) in added.err
    assert "http, not https" in added.err
    assert [TOKEN in one.out + one.err for one in (added, *shown)] == [False] * 4
    assert users(place)["hub"]["headers"] == {"Authorization": f"Bearer {TOKEN}"}


def test_a_server_of_the_folder_counts_once_it_is_trusted_as_it_is(place: Place) -> None:
    path = brings(place, **BROUGHT)

    alone = place.run("mcp", "trust", "one")
    trusted = place.run("mcp", "trust", "one", "--yes")
    rows = listed(place)
    brings(place, **{**BROUGHT, "one": {"command": "other"}})
    changed = place.run("mcp", "trust", "--yes")

    assert (alone.code, trusted.code) == (1, 0)
    assert "nobody is here to say yes, so nothing was changed. Without the question: --yes" in alone.err
    assert "\x1b" not in alone.out
    assert alone.out.endswith(
        "trusted, it would:\n  run one '\\x1b[2J' 'a\\nb'\n  do so in the sandbox, with a network\n\n"
    )
    assert trusted.out.endswith("one counts here from now on.\n")
    assert [(row["counts"], row["trusted"]) for row in rows.values()] == [(True, True), (False, False)]
    assert "what has changed since you trusted it:\n  | --- trusted" in changed.out
    assert [row["counts"] for row in listed(place).values()] == [True, True]
    assert place.run("mcp", "trust").out.startswith("There is nothing to trust here")
    assert path.exists()


def test_what_one_adds_to_the_folder_or_leaves_out_there_is_decided(place: Place) -> None:
    path = brings(place)
    path.chmod(0o644)
    added = place.run("mcp", "add", "-s", "workspace", "mine", "--", "sh")
    counts = listed(place)["mine"]["counts"]
    left = place.run("mcp", "disable", "mine")
    rows = listed(place)
    again = place.run("mcp", "enable", "mine")
    removed = place.run("mcp", "remove", "mine")

    assert (added.code, added.err, counts) == (0, "", True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert (left.code, rows["mine"]["counts"], rows["mine"]["error"][:11]) == (0, False, "not trusted")
    assert (again.code, removed.code) == (2, 0)
    assert "it counts once you trust it: trouper mcp trust" in again.err
    assert json.loads(path.read_text()) == {"mcpServers": {}}


def test_one_with_a_mistake_stops_a_session_and_can_be_taken_out(place: Place) -> None:
    (place.home / "mcp.json").write_text('{"mcpServers": {"bad": {"command": 1}, "good": {"command": "x"}}}')

    stopped = place.run("-p", "hi", "--model", place.script(answer("Hi.")))
    shown = place.run("mcp", "get", "bad")
    removed = place.run("mcp", "remove", "bad")

    assert stopped.code == 2
    assert (
        f'{place.home}/mcp.json: the MCP server "bad": command: it has to be text, not a whole number.' in stopped.err
    )
    assert (shown.code, removed.code) == (1, 0)
    assert users(place) == {"good": {"command": "x"}}


def test_servers_in_toml_are_changed_there(place: Place) -> None:
    path = place.home / "config.toml"
    path.write_text('# mine\n[mcp.a] # first\ncommand = "x"\n')

    place.run("mcp", "disable", "a")
    disabled = path.read_text()
    place.run("mcp", "enable", "a")
    refused = place.run("mcp", "add", "a", "--replace", "--", "y")

    assert disabled == '# mine\n[mcp.a] # first\ncommand = "x"\nenabled = false\n'
    assert path.read_text() == '# mine\n[mcp.a] # first\ncommand = "x"\n'
    assert refused.code == 2
    assert f'"a" is in {path}: change it there' in refused.err


def test_headless_a_notice_names_what_is_left_out_and_the_ways_to_trust_it(place: Place) -> None:
    path = brings(place, **BROUGHT)
    model = place.script(answer("Hi."), answer("Hi."))

    left_out = place.prompt(model).finish()
    trusted = place.prompt(model, "--trust-mcp").finish()

    notice = (
        f"{path}: not trusted by you as they are, so left out: one; two. Look and decide: trouper mcp trust; "
        "for one run: --trust-mcp"
    )
    assert f"trouper: {notice}\n" in left_out.err
    assert [event["text"] for event in left_out.events if event["type"] == "notice"] == [notice]
    assert "left out" not in trusted.err
    assert [row["counts"] for row in listed(place).values()] == [False, False]


def test_servers_of_other_programs_are_shown_and_then_taken_over(place: Place) -> None:
    top = place.home.parent
    (top / ".claude.json").write_text(
        json.dumps(
            {
                "mcpServers": {"hub": {"type": "http", "url": "https://h/", "headersHelper": "x"}, "odd": {}},
                "projects": {str(place.workspace): {"mcpServers": {"here": {"command": "sh", "env": {"A": TOKEN}}}}},
            }
        )
    )
    (top / ".codex").mkdir()
    (top / ".codex" / "config.toml").write_text('[mcp_servers.hub]\nurl = "https://other/"\n')

    every = place.run("mcp", "import")
    dry = place.run("mcp", "import", "claude-code")
    before = (place.home / "mcp.json").exists()
    taken = place.run("mcp", "import", "claude-code", "--yes")
    again = place.run("mcp", "import", "claude-code", "--yes")
    conflict = place.run("mcp", "import", "codex", "--yes")

    assert [one.code for one in (every, dry, taken, again, conflict)] == [0] * 5
    assert "  hub  https://other/  [left out: counts less than the one above]\n" in every.out
    assert before is False
    assert dry.out.endswith(f"Nothing was changed. To write 2 servers into {place.home}/mcp.json: --yes\n")
    assert "      a command that makes headers (headersHelper) is not run here\n" in dry.out
    assert '  odd  [left out: has a mistake: it has neither "command" nor "url"]\n' in dry.out
    assert TOKEN not in every.out + dry.out + taken.out + taken.err
    assert "here: env.A looks like a secret in clear" in taken.err
    assert users(place) == {
        "hub": {"type": "http", "url": "https://h/"},
        "here": {"command": "sh", "env": {"A": TOKEN}},
    }
    assert "There is nothing to take over.\n" in again.out
    assert f"hub  https://other/  [left out: is in {place.home}/mcp.json already: remove" in conflict.out


@pytest.mark.parametrize(("said", "counts"), [("y", True), ("", False)])
def test_on_a_terminal_it_is_asked(place: Place, said: str, counts: bool) -> None:
    brings(place, **BROUGHT)
    argv = [sys.executable, "-P", str(LAUNCHER), "mcp", "trust", "one"]
    terminal = PtyTerminal(argv, place.workspace, place.environment)
    try:
        terminal.wait_for("Trust exactly this, in this folder (one)? [y/N]")
        terminal.type(f"{said}\n")

        assert terminal.wait_for_end() == 0
        assert listed(place)["one"]["counts"] is counts
    finally:
        terminal.close()
