"""Patches of git and of others, whole and broken ones, and those that were made to do harm."""

from textwrap import dedent

import pytest

from ui.review.changes import Changes, Line
from ui.review.patches import BadPatch, parse
from ui.source_text.source_file import Reason

PLAIN = """\
--- a/src/a.py
+++ b/src/a.py
@@ -1,3 +1,3 @@ def f():
 one
-two
+zwei
 three
"""


def patch(text: str) -> Changes:
    return parse(dedent(text).encode())


def rows(changes: Changes, path: str = "src/a.py") -> list[str]:
    file = next(file for file in changes.files if file.path == path)
    return [f"{line.sign}{line.number}@{line.at} {line.text}" for hunk in file.hunks for line in hunk]


def test_lines_have_the_numbers_of_their_side() -> None:
    found = patch(PLAIN)

    assert [(file.path, file.before, file.how) for file in found.files] == [("src/a.py", "", "changed")]
    assert rows(found) == [" 1@1 one", "-2@2 two", "+2@2 zwei", " 3@3 three"]
    assert found.lines == 2


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("diff --git a/x b/x\n--- a/x\n+++ b/x", ("x", "", "changed")),
        ("diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x", ("x", "", "added")),
        ("diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null", ("x", "", "removed")),
        ("diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y", ("y", "x", "changed")),
        ('diff --git "a/\\303\\244" "b/\\303\\244"\n--- "a/\\303\\244"\n+++ "b/\\303\\244"', ("ä", "", "changed")),
        ("--- a/my file.txt\t\n+++ b/my file.txt\t", ("my file.txt", "", "changed")),
        ("--- x.orig\t2024-05-06 07:08:09\n+++ x\t2024-05-06 07:08:10", ("x", "x.orig", "changed")),
        ("diff --git i/x w/x\n--- i/x\n+++ w/x", ("x", "", "changed")),
    ],
)
def test_names_are_read_as_git_and_diff_write_them(header: str, told: tuple[str, str, str]) -> None:
    found = patch(f"{header}\n@@ -1 +1 @@\n-a\n+b\n")

    assert [(file.path, file.before, file.how) for file in found.files] == [told]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("../../etc/passwd", "outside"),
        ("/etc/passwd", "outside"),
        ("x/../../y", "outside"),
        (".git/hooks/pre-commit", "outside"),
        ("x/.GIT/config", "outside"),
        ("a//b", "outside"),
        (".env", "secret file"),
        ("deploy/id_rsa", "secret file"),
        ("uv.lock", "lock file"),
        ("x/\x1b[31m.py", "unprintable name"),
        ("x/\u202egpj.exe", "unprintable name"),
    ],
)
def test_what_is_not_to_be_sent_is_left_out_and_told(path: str, reason: Reason) -> None:
    found = patch(f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-a\n+b\n{PLAIN}")

    assert [file.path for file in found.files] == ["src/a.py"]
    assert [one.reason for one in found.skipped] == [reason]
    assert found.skipped[0].path.isprintable()


def test_what_is_binary_or_no_text_of_people_is_left_out() -> None:
    binary = "diff --git a/x.bin b/x.bin\nindex 1..2 100644\nBinary files a/x.bin and b/x.bin differ\n"
    packed = "diff --git a/y.bin b/y.bin\nindex 1..2\nGIT binary patch\nliteral 3\nKc$~\n\n"
    nul = "--- a/z\n+++ b/z\n@@ -0,0 +1 @@\n+a\0b\n"
    long = f"--- a/l\n+++ b/l\n@@ -0,0 +1 @@\n+{'x' * 30_000}\n"

    found = parse((binary + packed + nul + long + PLAIN).encode())

    assert [file.path for file in found.files] == ["src/a.py"]
    assert [(one.path, one.reason) for one in found.skipped] == [
        ("x.bin", "binary"),
        ("y.bin", "binary"),
        ("z", "binary"),
        ("l", "generated"),
    ]


def test_a_backslash_and_zeros_in_code_are_no_binary_file() -> None:
    assert rows(patch("--- a/src/a.py\n+++ b/src/a.py\n@@ -0,0 +1 @@\n+x = '\\\\x00'\n")) == ["+1@1 x = '\\\\x00'"]


def test_lines_that_look_like_headers_are_lines_where_a_hunk_says_so() -> None:
    found = patch(
        """\
        --- a/src/a.py
        +++ b/src/a.py
        @@ -1,3 +1,3 @@
        --- a/other
        +++ b/other
         diff --git a/x b/x
         @@ -1 +1 @@
        """
    )

    assert rows(found) == ["-1@1 -- a/other", "+1@1 ++ b/other", " 2@2 diff --git a/x b/x", " 3@3 @@ -1 +1 @@"]


def test_mail_around_patches_is_passed_over_and_series_are_put_together() -> None:
    mail = f"From 1 Mon Sep 17\nSubject: [PATCH] x\n\nWords.\n---\n a | 2 +-\n\n{PLAIN}-- \n2.39.5\n\n"

    found = parse((mail + mail.replace("zwei", "due")).encode())

    assert [len(file.hunks) for file in found.files] == [2]


def test_what_mailers_do_to_empty_lines_and_line_ends_does_no_harm() -> None:
    found = parse(b"--- a/src/a.py\r\n+++ b/src/a.py\r\n@@ -1,3 +1,3 @@\r\n one\r\n\r\n-x\r\n+y\r\n")

    assert rows(found) == [" 1@1 one", " 2@2 ", "-3@3 x", "+3@3 y"]


def test_a_line_without_its_end_is_a_line() -> None:
    end = r"\ No newline at end of file"

    assert rows(patch(f"--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-x\n{end}\n+y\n{end}\n")) == ["-1@1 x", "+1@1 y"]


def test_lines_of_any_encoding_are_text_that_cannot_steer_or_hide() -> None:
    found = parse(b"--- a/src/a.py\n+++ b/src/a.py\n@@ -0,0 +1,2 @@\n+\xe4\t\x1b[2J\n+\xe2\x80\xae\n")

    assert rows(found) == ["+1@1 ä\t\\x1b[2J", "+2@2 \\u202e"]


def test_a_secret_does_not_leave_also_where_it_has_several_lines() -> None:
    key = ["-----BEGIN PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG9w0BAQ", "-----END PRIVATE KEY-----"]
    added = "".join(f"+{line}\n" for line in (*key, 'token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"', "after"))

    found = parse(f"--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,6 @@\n-{key[1]}x\n one\n{added}".encode())

    told = "\n".join(rows(found))
    assert "MIIEvQIBADANBgkqhkiG9w0BAQ\n" not in told
    assert "ghp_" not in told
    assert told.endswith("after")
    assert [line.number for line in found.files[0].hunks[0] if line.sign == "+"] == [2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (PLAIN.removesuffix(" three\n"), "ends within the hunk of line 3. Was it cut?"),
        (PLAIN.replace(" three", "three"), "line 7 does not fit the hunk of line 3"),
        (PLAIN.replace("-two", "+two"), "line 7 does not fit the hunk of line 3"),
        (PLAIN.replace("@@ -1,3", "@@ -1,99999999999"), "line 3 is no hunk"),
        ("diff --cc a\n--- a/a\n+++ b/a\n@@@ -1 -1 +1 @@@\n", "line 1: the diff of a merge"),
    ],
)
def test_what_is_broken_is_told_by_its_line(text: str, why: str) -> None:
    with pytest.raises(BadPatch, match=why.replace("?", r"\?")):
        parse(text.encode())


def test_what_is_no_patch_has_no_files() -> None:
    assert parse(b"hello\n--- a\n") == Changes()
    assert parse(b"") == Changes()


def test_a_patch_of_many_hunks_is_read_in_one_go() -> None:
    hunks = "".join(f"@@ -{at} +{at} @@\n-a\n+b\n" for at in range(1, 20_001))

    found = parse(f"--- a/src/a.py\n+++ b/src/a.py\n{hunks}".encode())

    assert found.files[0].hunks[-1] == (Line("-", 20_000, 20_000, "a"), Line("+", 20_000, 20_000, "b"))


def test_what_was_a_file_of_secrets_is_one_under_its_new_name_too() -> None:
    found = patch("diff --git a/.env b/a.txt\n--- a/.env\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n")

    assert (found.files, [one.reason for one in found.skipped]) == ((), ["secret file"])


@pytest.mark.parametrize("has_end", [True, False])
def test_a_key_whose_beginning_is_not_shown_does_not_leave(has_end: bool) -> None:
    key = [f"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ{number:02}" for number in range(9)]
    end = ["-----END RSA PRIVATE KEY-----", "after"] if has_end else []
    lines = [*key, *end]
    hunk = "".join(f" {line}\n" for line in lines[:-1])
    text = f"--- a/src/a.py\n+++ b/src/a.py\n@@ -50,{len(lines)} +50,{len(lines)} @@\n{hunk}-x\n+{lines[-1]}\n"

    told = "\n".join(rows(parse(text.encode())))

    assert "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ03" not in told
    assert told.endswith("after") == has_end
