"""What the model and its user are told of the types of agents that files define."""

from pathlib import Path

import msgspec

from actors.agent.compaction.parts import parts
from actors.agent.prompt import changes
from actors.agent.prompt.system_prompt import AGENTS, KINDS_HEAD, composed, joined
from actors.settings.config import Settings
from actors.settings.mcp.servers import McpServer

FILE = "---\nname: {name}\ndescription: looks for {name}\n---\nLook.\n"


def workspace(tmp_path: Path, name: str = "leaks") -> tuple[Settings, Path]:
    home, cwd = tmp_path / "home", tmp_path / "work"
    (home / "agents").mkdir(parents=True, exist_ok=True)
    cwd.mkdir(exist_ok=True)
    path = home / "agents" / "one.md"
    path.write_text(FILE.format(name=name))
    return Settings(home=str(home), cwd=str(cwd), session_id="s", run_id="r"), path


def test_each_file_has_its_place_in_the_window(tmp_path: Path) -> None:
    settings, path = workspace(tmp_path)
    told = composed(settings).sections

    listed = parts(joined(told), told, [], [], carried=0)

    assert [part.detail for part in listed if part.name == AGENTS] == [str(path)]


def test_they_are_one_list_wherever_they_are_from(tmp_path: Path) -> None:
    settings, _ = workspace(tmp_path)

    prompt = joined(composed(settings).sections)

    (own,) = [part for part in prompt.split("\n\n---\n\n") if part.startswith(KINDS_HEAD)]
    assert "- explore: " in own
    assert own.endswith("- leaks: looks for leaks (may write in a worktree)")


def test_one_that_is_new_is_told_alone(tmp_path: Path) -> None:
    settings, _ = workspace(tmp_path)
    before = composed(settings).sections
    workspace(tmp_path, "races")
    now = composed(settings).sections

    told = changes.note(before, changes.changed(before, now))

    assert "for `spawn_agent`" in told
    assert "- races: looks for races" in told
    assert "explore" not in told


def test_in_a_copy_it_is_told_that_the_servers_of_the_session_are_not_there(tmp_path: Path) -> None:
    settings, _ = workspace(tmp_path)
    server = McpServer(name="box", transport="stdio", command="box", source="/c", scope="user")
    copy = msgspec.structs.replace(settings, cwd=str(tmp_path), mcp=(server,), servers_cwd=settings.cwd)

    told = {
        folder: [part.text for part in composed(here).sections if part.name == "servers_elsewhere"]
        for folder, here in {
            "copy": copy,
            "same folder": msgspec.structs.replace(copy, cwd=settings.cwd),
            "without servers": msgspec.structs.replace(copy, mcp=()),
        }.items()
    }

    assert [told["same folder"], told["without servers"]] == [[], []]
    (text,) = told["copy"]
    assert f"work in {settings.cwd}" in text
    assert f"not in {tmp_path}, where you are" in text
