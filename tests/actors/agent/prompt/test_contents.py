"""What a prompt is made of can be told part by part, each with the file it is from."""

from actors.agent.prompt.contents import Part, contents
from actors.agent.session.history import History
from actors.messages.conversation import Compacted, Instructed, Section

ROLE = Section(name="role", text="You are an agent.")
SKILL = Section(name="skills", origin="/w/.agents/skills/x/SKILL.md", text="> - x: how")


def test_each_part_is_named_with_its_file_and_size() -> None:
    history = History("s")
    assert contents(history) == []

    history.next_entry(Instructed(sections=(ROLE, SKILL)))
    history.next_entry(Instructed(sections=(Section(name="role", text="You."),)))

    assert contents(history) == [Part("role", "", 4), Part("skills", "/w/.agents/skills/x/SKILL.md", 10)]


def test_after_a_compaction_there_is_none_until_the_next_turn() -> None:
    history = History("s")
    history.next_entry(Instructed(sections=(ROLE,)))
    history.next_entry(Compacted(why="asked"))

    assert contents(history) == []
