"""The file tools of the real program: through the gate, in the sandboxed worker, on real files."""

import json
from pathlib import Path

import pytest
from PIL import Image

from actors.confinement.limits import MASKS
from tests.system.harness import Finished, Place

pytestmark = pytest.mark.slow
PATCH = """\
*** Begin Patch
*** Update File: a.py
*** Move to: src/b.py
@@
-x = 1
+x = 2
*** Add File: src/__init__.py
+# new
*** End Patch
"""


def call_tool(place: Place, name: str, arguments: dict[str, object], *more: str) -> Finished:
    return place.run("tools", "call", name, json.dumps(arguments), *more)


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if ".trouper" not in path.parts)


def test_a_patch_goes_through_the_gate_whole(place: Place) -> None:
    (place.workspace / "a.py").write_text("x = 1\n")

    asked = call_tool(place, "apply_patch", {"input": PATCH})
    done = call_tool(place, "apply_patch", {"input": PATCH}, "--mode", "accept-edits")

    assert asked.code == 3
    assert (done.code, done.out.splitlines()) == (0, ["Done:", "R a.py -> src/b.py", "A src/__init__.py"])
    assert names(place.workspace) == ["src", "src/__init__.py", "src/b.py"]


@pytest.mark.parametrize("mode", ["default", "accept-edits", "auto"])
def test_a_deletion_asks_in_every_mode_unless_a_rule_names_it(place: Place, mode: str) -> None:
    (place.workspace / "a.py").write_text("x = 1\n")
    patch = "*** Begin Patch\n*** Delete File: a.py\n*** End Patch"

    deleted = call_tool(place, "delete", {"path": "a.py"}, "--mode", mode, "--allow", "Write")
    patched = call_tool(place, "apply_patch", {"input": patch}, "--mode", mode, "--allow", "ApplyPatch")

    assert (deleted.code, patched.code) == (3, 3)
    assert names(place.workspace) == ["a.py"]
    assert call_tool(place, "delete", {"path": "a.py"}, "--mode", mode, "--allow", "Delete").code == 0


@pytest.mark.parametrize(
    "patch",
    [
        "hello\n*** Update File: a.py\n--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n",
        "--- a/a.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n *** Update File: a.py\n-x = 1\n",
        "--- a/a.py\n+++ b/a.py\n--- a/a.py\nIndex: a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n",
        "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n--- a/a.py\n\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n",
    ],
)
def test_no_way_to_write_a_patch_hides_that_it_deletes(place: Place, patch: str) -> None:
    (place.workspace / "a.py").write_text("x = 1\n")

    patched = call_tool(place, "apply_patch", {"input": patch}, "--mode", "accept-edits", "--deny", "Delete")

    assert patched.code != 0, patched.out
    assert names(place.workspace) == ["a.py"]


def test_an_image_is_read_in_the_sandbox(place: Place) -> None:
    Image.new("RGB", (3000, 30), "red").save(place.workspace / "wide.png")

    result = call_tool(place, "read", {"path": "wide.png"}, "--json")

    (attachment,) = json.loads(result.out)["attachments"]
    assert attachment["media_type"] == "image/png"


def test_a_denied_file_is_nowhere_to_be_read(place: Place) -> None:
    (place.workspace / "keys").mkdir()
    (place.workspace / "keys" / "one.txt").write_text("needle\n")
    (place.workspace / "link.txt").symlink_to("keys/one.txt")
    (place.workspace / "two.txt").write_text("needle\n")
    for number in range(MASKS + 1):
        (place.workspace / f"{number}.key").write_text("needle\n")
    deny = ("--deny", "Read(keys/**)", "--deny", "Read(**/*.key)", "--mode", "auto")

    grepped = call_tool(place, "grep", {"pattern": "needle"}, *deny)
    read = call_tool(place, "read", {"path": "link.txt"}, *deny)
    copied = call_tool(place, "copy", {"source": "keys", "destination": "open"}, *deny)
    moved = call_tool(place, "move", {"source": "keys", "destination": "open"}, *deny)

    left_out = "[left out, because it may not be read: keys/**, **/*.key]"
    assert grepped.out.splitlines() == ["two.txt:1:needle", left_out]
    assert [each.code != 0 for each in (read, copied, moved)] == [True, True, True]
    assert "open" not in names(place.workspace)


@pytest.mark.parametrize("path", [".git/hooks/pre-commit", "lib/.git/config", ".trouper/config.toml", "~nobody/../x\0"])
def test_what_nobody_may_write_is_not_written(place: Place, path: str) -> None:
    before = names(place.workspace)

    finished = call_tool(place, "write", {"path": path, "content": "x"}, "--mode", "auto", "--allow", "Write(/**)")

    assert finished.code != 0
    assert names(place.workspace) == before
