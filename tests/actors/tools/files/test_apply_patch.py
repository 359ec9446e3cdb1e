"""`apply_patch`: both formats, all or nothing."""

import textwrap
from pathlib import Path

import pytest

from actors.messages.tool import Grant
from actors.tools.base import Worker
from tests.actors.tools.conftest import Call, calling

FILE = """\
import os


class A:
    def run(self):
        x = 1
        return x


class B:
    def run(self):
        x = 1
"""


DIFF = "--- a/b.cs\n+++ b/b.cs\n@@ -1,2 +1,2 @@\n-{}using A;\n+{}using B;\n x\n"


def v4a(*lines: str) -> str:
    return "\n".join(["*** Begin Patch", *lines, "*** End Patch"])


@pytest.fixture(autouse=True)
def file(folder: Path) -> Path:
    path = folder / "a.py"
    path.write_text(FILE)
    return path


async def test_a_patch_adds_updates_moves_and_deletes(folder: Path, call: Call) -> None:
    (folder / "old.py").write_text("gone\n")
    (folder / "moved.sh").write_text("one\ntwo\n")
    (folder / "moved.sh").chmod(0o755)
    patch = v4a(
        "*** Update File: a.py",
        "@@",
        " import os",
        "+import sys",
        "*** Add File: docs/new.md",
        "+# New",
        "+",
        "+text",
        "*** Update File: moved.sh",
        "*** Move to: bin/run.sh",
        "@@",
        "-two",
        "+three",
        "*** Delete File: old.py",
    )

    outcome = await call("apply_patch", input=patch)

    assert outcome.output.splitlines() == ["Done:", "M a.py", "A docs/new.md", "R moved.sh -> bin/run.sh", "D old.py"]
    assert outcome.summary == "+6 \N{MINUS SIGN}3 in 4 files"
    assert (folder / "a.py").read_text() == FILE.replace("import os\n", "import os\nimport sys\n")
    assert (folder / "docs/new.md").read_text() == "# New\n\ntext\n"
    assert (folder / "bin/run.sh").read_text() == "one\nthree\n"
    assert (folder / "bin/run.sh").stat().st_mode & 0o777 == 0o755
    assert not (folder / "moved.sh").exists()
    assert not (folder / "old.py").exists()


@pytest.mark.parametrize(
    ("hunk", "expected"),
    [
        (
            ["@@ class B:", "-        x = 1", "+        x = 2"],
            FILE.replace("B:\n    def run(self):\n        x = 1", "B:\n    def run(self):\n        x = 2"),
        ),
        (
            ["@@ class B:", "@@     def run(self):", "+        y = 0"],
            FILE.replace("class B:\n    def run(self):\n", "class B:\n    def run(self):\n        y = 0\n"),
        ),
        (["@@ class B:", " class B:", "+    y = 0"], FILE.replace("class B:\n", "class B:\n    y = 0\n")),
        (["@@ class B", "+    y = 0"], FILE.replace("class B:\n", "class B:\n    y = 0\n")),
        ([" import os", "+import sys"], FILE.replace("import os\n", "import os\nimport sys\n")),
        (["@@", " import os   ", "+import sys"], FILE.replace("import os\n", "import os\nimport sys\n")),
        (["@@", " x = 1", "-return x", "+        return 2"], FILE.replace("return x", "return 2")),
        (["@@", "         x = 1", "*** End of File"], FILE),
        (["@@", "-        x = 1", "+        x = 3", "*** End of File"], FILE[: -len("x = 1\n")] + "x = 3\n"),
        (["@@", "+last"], FILE + "last\n"),
        (["@@ -1,1 +1,2 @@", " import os", "+import sys"], FILE.replace("import os\n", "import os\nimport sys\n")),
        (
            [
                "@@",
                " import os",
                "+import sys",
                "",
                "",
                "@@",
                " class A:",
                "-    def run(self):",
                "+    def go(self):",
                "",
            ],
            FILE.replace("import os\n", "import os\nimport sys\n").replace("def run", "def go", 1),
        ),
    ],
)
async def test_hunks_are_placed(file: Path, call: Call, hunk: list[str], expected: str) -> None:
    outcome = await call("apply_patch", input=v4a("*** Update File: a.py", *hunk))

    assert not outcome.failed, outcome.output
    assert file.read_text() == expected


@pytest.mark.parametrize(
    "wrapped", ["<<'EOF'\n{}\nEOF", "apply_patch <<EOF\n{}\nEOF\n", "```\n{}\n```", "\n\n{}\n\n", "{}\n"]
)
async def test_a_wrapper_is_no_harm(file: Path, call: Call, wrapped: str) -> None:
    patch = v4a("*** Update File: a.py", "@@", "-import os", "+import sys")

    outcome = await call("apply_patch", input=wrapped.format(patch))

    assert not outcome.failed, outcome.output
    assert file.read_text() == FILE.replace("import os", "import sys")


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ("", "This is no patch"),
        ("hello", "This is no patch"),
        ("*** Begin Patch\n*** Delete File: a.py", "seems to be cut off"),
        ("*** Update File: a.py\n@@\n-x", "A patch begins with"),
        (v4a("*** Update File: a.py"), "has no hunk"),
        (v4a("*** Update File: a.py", "@@"), "This hunk is empty"),
        (v4a("*** Update File: a.py", "@@", "import os"), "Line 4 of the patch: Every line of a hunk begins with"),
        (v4a("*** Change File: a.py"), "is none of"),
        (v4a("*** Add File: b.py", "x = 1"), "Every line of a new file begins with +."),
        (v4a("*** Add File: a.py", "+x"), "a.py exists already"),
        (v4a("*** Update File: b.py", "@@", "-x", "+y"), "No such file: b.py"),
        (v4a("*** Delete File: b.py"), "No such file: b.py"),
        (v4a("*** Update File: a.py", "*** Move to: c.py", "@@", "-nope", "+y"), "these lines are not in the file"),
        (v4a("*** Update File: a.py", "@@ class C:", "-x", "+y"), "there is no line `class C:` (its @@)"),
        (v4a("*** Update File: a.py", "@@", "-class D:", "+y"), "Nearest lines:\n     4\tclass A:"),
        (v4a("*** Update File: a.py", "@@ class B:", "-import os", "+y"), "only at line 1, before the hunk above"),
        (v4a("*** Add File: ../b.py", "+x"), "outside the workspace"),
        (v4a("*** Add File: .git/hooks/pre-commit", "+x"), "protected"),
        (v4a("*** Delete File: .git/config"), "protected"),
    ],
)
async def test_what_does_not_fit_changes_nothing(folder: Path, call: Call, patch: str, said: str) -> None:
    first = patch.replace("*** Begin Patch", "*** Begin Patch\n*** Add File: first.txt\n+x")

    alone = await call("apply_patch", input=patch)
    second = await call("apply_patch", input=first)

    assert alone.failed
    assert said in alone.output
    assert second.failed
    assert [path.name for path in folder.iterdir()] == ["a.py"]
    assert (folder / "a.py").read_text() == FILE


async def test_an_empty_patch_is_no_patch(call: Call) -> None:
    assert "The patch is empty" in (await call("apply_patch", input=v4a())).output


GIT = """\
diff --git a/a.py b/a.py
index 111..222 100644
--- a/a.py
+++ b/a.py
@@ -1,2 +1,3 @@
 import os
+import sys
\x20
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+one
+two
\\ No newline at end of file
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/was.txt b/is.txt
similarity index 50%
rename from was.txt
rename to is.txt
--- a/was.txt
+++ b/is.txt
@@ -1,2 +1,2 @@
 same
-left
+right
--\x20
2.43.0
"""


async def test_a_git_diff(folder: Path, call: Call) -> None:
    (folder / "old.txt").write_text("gone\n")
    (folder / "was.txt").write_text("same\nleft\n")

    outcome = await call("apply_patch", input=GIT)

    assert outcome.output.splitlines() == ["Done:", "M a.py", "A new.txt", "D old.txt", "R was.txt -> is.txt"]
    assert (folder / "a.py").read_text() == FILE.replace("import os\n", "import os\nimport sys\n")
    assert (folder / "new.txt").read_text() == "one\ntwo"
    assert (folder / "is.txt").read_text() == "same\nright\n"
    assert not (folder / "old.txt").exists()
    assert not (folder / "was.txt").exists()


@pytest.mark.parametrize(
    "header", ["@@ -12,1 +12,1 @@", "@@ -10,9 +10,9 @@ class B:", "@@ -99 +99 @@", "@@ -14,3 +14,3 @@"]
)
async def test_a_hunk_is_found_near_its_place_whatever_its_counts(file: Path, call: Call, header: str) -> None:
    diff = f"--- a.py\n+++ a.py\n{header}\n     def run(self):\n-        x = 1\n+        x = 2\n"

    outcome = await call("apply_patch", input=diff)

    assert not outcome.failed, outcome.output
    assert file.read_text() == FILE[: -len("x = 1\n")] + "x = 2\n"


@pytest.mark.parametrize("header", ["@@ @@", "@@", "@@ def run(self):", "@@ ... @@"])
async def test_a_hunk_without_numbers(file: Path, call: Call, header: str) -> None:
    outcome = await call("apply_patch", input=f"--- a/a.py\n+++ b/a.py\n{header}\n-import os\n+import sys\n")

    assert not outcome.failed, outcome.output
    assert file.read_text() == FILE.replace("import os", "import sys")


@pytest.mark.parametrize(
    ("diff", "said"),
    [
        ("diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n", "binary patches"),
        ("diff --git a/a.py b/a.py\nold mode 100644\nnew mode 100755\n", "no hunk"),
        ("diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n", "symlinks"),
        ("--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-nope\n+x\n", "Hunk 1 of a.py: these lines are not in the file"),
        ("+++ b/a.py\n--- a/a.py\n@@ -1 +1 @@\n-import os\n+x\n", "no unified diff"),
    ],
)
async def test_a_diff_that_cannot_be_applied(file: Path, call: Call, diff: str, said: str) -> None:
    outcome = await call("apply_patch", input=diff)

    assert outcome.failed
    assert said in outcome.output
    assert file.read_text() == FILE


async def test_line_ends_stay_as_they_are(folder: Path, call: Call) -> None:
    (folder / "dos.txt").write_bytes(b"one\r\ntwo\r\nthree")
    hunk = textwrap.dedent("""\
        *** Begin Patch
        *** Update File: dos.txt
        @@
         one
        -two
        +2
         three
        *** End Patch""")

    outcome = await call("apply_patch", input=hunk)

    assert not outcome.failed
    assert (folder / "dos.txt").read_bytes() == b"one\r\n2\r\nthree"


async def test_a_file_that_changed_since_it_was_read_is_left_alone(file: Path, call: Call) -> None:
    await call("read", path="a.py")
    file.write_text("import os\n# mine\n")

    outcome = await call("apply_patch", input=v4a("*** Update File: a.py", "@@", "-import os", "+import sys"))

    assert "changed on disk" in outcome.output
    assert file.read_text() == "import os\n# mine\n"


async def test_a_write_that_fails_half_way_is_taken_back(folder: Path, call: Call) -> None:
    (folder / "z").write_text("in the way of a folder")
    patch = v4a("*** Update File: a.py", "@@", "-import os", "+import sys", "*** Add File: z/deep/new.txt", "+x")

    outcome = await call("apply_patch", input=patch)

    assert outcome.failed
    assert (folder / "a.py").read_text() == FILE
    assert sorted(path.name for path in folder.iterdir()) == ["a.py", "z"]


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("form", [v4a("*** Update File: b.cs", "@@", "-{}using A;", "+{}using B;", " x"), DIFF])
async def test_a_byte_order_mark_stays_and_is_not_in_the_way(folder: Path, call: Call, mark: str, form: str) -> None:
    (folder / "b.cs").write_bytes(b"\xef\xbb\xbfusing A;\r\nx\r\n")

    outcome = await call("apply_patch", input=form.replace("{}", mark))

    assert not outcome.failed, outcome.output
    assert (folder / "b.cs").read_bytes() == b"\xef\xbb\xbfusing B;\r\nx\r\n"


async def test_mixed_line_ends_stay_and_what_comes_ends_as_what_goes(folder: Path, call: Call) -> None:
    (folder / "b.txt").write_bytes(b"a\r\nb\nc\r\nd")

    outcome = await call(
        "apply_patch", input=v4a("*** Update File: b.txt", "@@", " a", "-b", "+B", "-c", "+C", "+c", " d")
    )

    assert not outcome.failed, outcome.output
    assert (folder / "b.txt").read_bytes() == b"a\r\nB\nC\r\nc\r\nd"


@pytest.mark.parametrize(
    ("text", "hunk", "said"),
    [
        ("a  b\nc\n", ["-a b", "-c"], "There are lines that look the same:\nline 1: at column 2 it has 2 spaces"),
        ("a\u200bb\n", ["-ab"], "line 1: at column 2 it has U+200B ZERO WIDTH SPACE, not `b`"),
        (
            "a\nb\nc\n",
            ["-a", "-c"],
            "Line 1 is as in the hunk, but then comes\n     2\tb\nwhere the hunk has\n      \tc",
        ),
        ("a\n\nb\n", ["-a", "-b"], "Line 1 is as in the hunk, but then comes\n     2\t\nwhere"),
    ],
)
async def test_how_a_hunk_differs_is_named(folder: Path, call: Call, text: str, hunk: list[str], said: str) -> None:
    (folder / "b.txt").write_text(text)

    outcome = await call("apply_patch", input=v4a("*** Update File: b.txt", "@@", *hunk))

    assert said in outcome.output


async def test_what_was_not_judged_as_deleted_is_not(folder: Path, worker: Worker) -> None:
    granted = calling(worker.granted(Grant(paths=(str(folder / "a.py"),))))
    allowed = calling(worker.granted(Grant(paths=(str(folder / "a.py"),), deleted=(str(folder / "a.py"),))))

    patched = await granted("apply_patch", input=v4a("*** Delete File: a.py"))
    deleted = await granted("delete", path="a.py")
    assert patched.failed
    assert deleted.failed
    assert "deletes a.py was not allowed" in patched.output
    assert (folder / "a.py").exists()
    await allowed("apply_patch", input=v4a("*** Delete File: a.py"))
    assert not (folder / "a.py").exists()
