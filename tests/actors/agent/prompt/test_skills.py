"""Skills in the system prompt: the user's first, the repository's quoted, each told when it changes."""

from pathlib import Path

from actors.agent.prompt.changes import changed, note
from actors.agent.prompt.system_prompt import SKILLS_HEAD, composed, joined
from actors.settings.config import Settings


def a_skill(place: Path, name: str, description: str) -> None:
    (place / name).mkdir(parents=True, exist_ok=True)
    (place / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {description}\n---\nbody")


def settings(folder: Path) -> Settings:
    return Settings(home=str(folder / "home"), cwd=str(folder / "work"), session_id="s", run_id="r")


def test_they_are_one_list_at_the_end(tmp_path: Path) -> None:
    a_skill(tmp_path / "home/skills", "mine", "for me")
    a_skill(tmp_path / "work/.claude/skills", "theirs", "for all")

    text = joined(composed(settings(tmp_path)).sections)

    assert text.endswith(f"\n\n---\n\n{SKILLS_HEAD}\n- mine: for me\n> - theirs: for all")


def test_without_any_nothing_is_said_of_them(tmp_path: Path) -> None:
    assert SKILLS_HEAD not in joined(composed(settings(tmp_path)).sections)


def test_a_new_one_is_told_by_itself(tmp_path: Path) -> None:
    a_skill(tmp_path / "home/skills", "mine", "for me")
    before = composed(settings(tmp_path)).sections
    a_skill(tmp_path / "work/.claude/skills", "theirs", "for all")

    said = note(before, changed(before, composed(settings(tmp_path)).sections))

    assert str(tmp_path / "work/.claude/skills/theirs/SKILL.md") in said
    assert said.endswith("\n\n> - theirs: for all")
    assert "mine" not in said
