"""What other agents have of a folder: found where they keep it, the newest first."""

import json
import os
from pathlib import Path

from ui.session_files.foreign.places import Found, files_in, of_folder

HERE = "/home/ann/my.garden"


def written(path: Path, first: object, at: float) -> Path:
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(first) + "\n")
    os.utime(path, (at, at))
    return path


def test_those_of_this_folder_are_found_and_no_others(tmp_path: Path) -> None:
    claude, codex, pi = tmp_path / ".claude/projects", tmp_path / ".codex/sessions/2026/03", tmp_path / ".pi/agent"
    one = written(claude / "-home-ann-my-garden" / "1.jsonl", {"type": "user"}, 300)
    written(claude / "-home-ann-elsewhere" / "1.jsonl", {"type": "user"}, 400)
    two = written(codex / "01" / "rollout-1.jsonl", {"type": "session_meta", "payload": {"cwd": HERE}}, 100)
    written(codex / "02" / "rollout-2.jsonl", {"type": "session_meta", "payload": {"cwd": "/elsewhere"}}, 500)
    written(codex / "03" / "rollout-3.jsonl", ["no", "session"], 500)
    three = written(pi / "sessions" / "--a--" / "1.jsonl", {"type": "session", "cwd": HERE}, 200)
    written(pi / "sessions" / "--b--" / "2.jsonl", {"type": "session", "cwd": 7}, 600)

    found = of_folder(HERE, tmp_path, {})

    assert found == [
        Found(agent="claude", path=str(one), modified_at=300, bytes=one.stat().st_size),
        Found(agent="pi", path=str(three), modified_at=200, bytes=three.stat().st_size),
        Found(agent="codex", path=str(two), modified_at=100, bytes=two.stat().st_size),
    ]


def test_an_agent_may_keep_them_elsewhere(tmp_path: Path) -> None:
    path = written(tmp_path / "mine" / "sessions" / "x" / "1.jsonl", {"type": "session", "cwd": HERE}, 1)

    found = of_folder(HERE, tmp_path / "home", {"PI_CODING_AGENT_DIR": str(tmp_path / "mine")})

    assert [one.path for one in found] == [str(path)]


def test_in_a_folder_session_files_are_found_and_no_link_is_followed(tmp_path: Path) -> None:
    wanted = [written(tmp_path / name / "s.jsonl", {}, 1) for name in ("a", "b")]
    written(tmp_path / "c" / "subagents" / "agent-1.jsonl", {}, 1)
    written(tmp_path / "d" / "notes.txt", {}, 1)
    (tmp_path / "a" / "round").symlink_to(tmp_path)

    assert files_in(tmp_path) == wanted
