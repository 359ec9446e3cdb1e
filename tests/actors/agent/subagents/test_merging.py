"""Which files of a patch are meant."""

from actors.agent.subagents.merging import below_top, chosen, told
from actors.messages.checkpoint import Patch
from actors.messages.tool import Merging

FILES = ("a.txt", "src/b.py", "src/c.py", "src2/d.py")


def test_files_are_named_one_by_one_or_by_their_folder() -> None:
    assert chosen(FILES, ()) == FILES
    assert chosen(FILES, ("a.txt", "src")) == ("a.txt", "src/b.py", "src/c.py")
    assert chosen(FILES, (".",)) == FILES


def test_a_workspace_within_the_repository_calls_them_otherwise() -> None:
    patch = Patch(base="0", text="diff", files=FILES, id="1")

    assert [below_top(path, "src") for path in ("b.py", "../a.txt", ".")] == ["src/b.py", "a.txt", "src"]
    assert told(patch, ("src/b.py", "a.txt"), "src") == Merging(files=("../a.txt", "b.py"), diff="diff", id="1")
