"""What is to be reviewed: from how the user names it to its changes. Nothing of a repository is run for that."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from actors.common.globs import covers
from actors.common.plurals import how_many
from actors.settings.redaction import redacted
from ui.common.harmless import exposed_line
from ui.common.usage_errors import Usage
from ui.findings.writing import is_report
from ui.review import patches, pull_requests
from ui.review.changes import Changes, FileChange, Skipped, of_new_file
from ui.source_text import reading
from ui.source_text.decoding import LONGEST_LINE, decoded
from ui.source_text.languages import is_code
from ui.source_text.looking_git import GitFailed, LookingGit, TooMuch
from ui.source_text.reading import NotRegular, TooBig
from ui.source_text.source_file import Reason

MOST_BYTES = 8 * 1024 * 1024
"""Of a patch: far more than can be reviewed at once."""
MOST_NEW = 2_000
"""Files that git does not know yet."""
SURROUNDINGS = 40
"""Lines before and after each change."""
NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""The tree without files, which every git has."""
DIFF = (
    *("diff", "--no-ext-diff", "--no-textconv", "--submodule=short", "--ignore-submodules=dirty", "--no-color"),
    *("--find-renames", "--diff-algorithm=histogram", f"--unified={SURROUNDINGS}", "--inter-hunk-context=0"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--end-of-options"),
)
SHALLOW = "If the clone is a shallow one: git fetch --unshallow"
STDIN = "-"
MAIN_BRANCHES = ("refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/master", "refs/remotes/origin/main")
Kind = Literal["working tree", "commits", "patch", "pull request"]


class Target(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    kind: Kind
    what: str
    """For people, such as "main..feature"; harmless, one line."""
    changes: Changes
    top: str = ""
    """Of the repository here, absolute: the paths are relative to it. "" outside of one."""
    head: str = ""
    """Whole id of the commit with the changes; "" where there is none, or it is not known."""
    is_here: bool = True
    """The repository has that commit."""


def find(said: str, folder: Path, hidden: Sequence[str], *, staged: bool) -> Target:
    """said: as the user names it; "": what is not committed. hidden: patterns of rules that close files to reading.

    Raises Usage.
    """
    try:
        target = _find(said, folder, staged=staged)
    except TooMuch as error:
        raise Usage(
            f"{error} That is too much for one review: name fewer commits, such as HEAD~3..HEAD, or give a part of it: "
            "git diff … -- FOLDER | trouper review -"
        ) from error
    except GitFailed as error:
        raise Usage(str(error)) from error
    except patches.BadPatch as error:
        raise Usage(f"this patch cannot be read: {error}") from error
    top = _top(folder)
    changes = _without_closed(target.changes, top or folder, folder, hidden)
    return msgspec.structs.replace(target, changes=changes, top=str(top or ""))


def _find(said: str, folder: Path, *, staged: bool) -> Target:
    """Raises Usage, GitFailed, BadPatch."""
    if said == STDIN:
        return _of_stdin()
    try:
        git = LookingGit(folder)
    except GitFailed as error:
        if pull_requests.ADDRESS.match(said):
            return _of_pull_request(said, folder, None)
        raise Usage(f"{error} Elsewhere a patch can be reviewed: trouper review - < FILE") from error
    if not said:
        return _staged(git) if staged else _of_working_tree(git)
    if git.commit(f"refs/heads/{said}") or not pull_requests.named(said):
        return _of_commits(git, said)
    return _of_pull_request(said, git.top, git)


def _of_stdin() -> Target:
    if os.isatty(sys.stdin.fileno()):
        raise Usage("- is a patch on standard input: git diff | trouper review -")
    data = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise TooMuch(f"the patch has more than {MOST_BYTES // 1024 // 1024} MB.")
    found = patches.parse(data)
    if data.strip() and not (found.files or found.skipped):
        raise patches.BadPatch('there is no file in it: none has lines with "---", "+++" and "@@".')
    return Target(kind="patch", what="a patch", changes=found)


def _of_pull_request(said: str, folder: Path, git: LookingGit | None) -> Target:
    found, patch = pull_requests.read(pull_requests.named(said), folder, MOST_BYTES)
    head = found.head_ref_oid if pull_requests.COMMIT.fullmatch(found.head_ref_oid) else ""
    return Target(
        kind="pull request",
        what=f"#{found.number} {found.title}".strip(),
        changes=patches.parse(patch),
        head=head,
        is_here=bool(git and head and git.commit(head)),
    )


def _staged(git: LookingGit) -> Target:
    patch = git.run(*DIFF[:-1], "--cached", DIFF[-1], git.commit("HEAD") or NOTHING, "--", most=MOST_BYTES)
    return Target(kind="working tree", what="what is staged", changes=patches.parse(patch))


def _of_working_tree(git: LookingGit) -> Target:
    git.without_filters()
    known = patches.parse(git.run(*DIFF, git.commit("HEAD") or NOTHING, "--", most=MOST_BYTES))
    files, skipped = _new_files(git)
    found = Changes(files=(*known.files, *files), skipped=(*known.skipped, *skipped))
    return Target(kind="working tree", what="what is not committed", changes=found)


def _new_files(git: LookingGit) -> tuple[list[FileChange], list[Skipped]]:
    """That git does not know yet, and does not ignore."""
    names = git.run("ls-files", "--others", "--exclude-standard", "-z").split(b"\0")[:-1]
    if len(names) > MOST_NEW:
        raise TooMuch(f"git does not know {how_many(len(names), 'file')} here. Ignore them, or: git add what counts.")
    files: list[FileChange] = []
    skipped: list[Skipped] = []
    size = 0
    for path in map(os.fsdecode, names):
        is_repository = path.endswith("/")  # of its own: git names the folder
        found = "not a regular file" if is_repository else patches.reason_for(path) or _new_file(git.top, path)
        if isinstance(found, FileChange):
            files.append(found)
            size += sum(len(line.text) for line in found.hunks[0])
        else:
            skipped.append(Skipped(exposed_line(path), found))
        if size > MOST_BYTES:
            raise TooMuch(f"the new files have more than {MOST_BYTES // 1024 // 1024} MB.")
    return files, skipped


def _new_file(top: Path, path: str) -> FileChange | Reason:
    try:
        data = reading.read(top, path)
    except NotRegular:
        return "not a regular file"
    except TooBig:
        return "too large"
    except OSError:
        return "unreadable"
    if is_report(data):
        return "own report"
    text = decoded(data)
    if text is None:
        return "binary"
    if not text:
        return "empty"
    if any(len(line) > LONGEST_LINE for line in text.split("\n")):
        return "generated"
    return of_new_file(path, redacted(text, in_code=is_code(path)))


def _of_commits(git: LookingGit, said: str) -> Target:
    """Of a range what its second end has since it left the first; of a branch since it left the main one."""
    begin, dots, end = said.partition("...") if "..." in said else said.partition("..")
    if dots:
        head = _commit(git, end or "HEAD")
        base = _parting(git, _commit(git, begin or "HEAD"), head)
    else:
        head = _commit(git, said)
        is_branch = git.commit(f"refs/heads/{said}") or git.commit(f"refs/remotes/{said}")
        base = _parting(git, _main_branch(git, said), head) if is_branch else _before(git, head)
    patch = git.run(*DIFF, base, head, "--", most=MOST_BYTES)
    return Target(kind="commits", what=exposed_line(said), changes=patches.parse(patch), head=head)


def _commit(git: LookingGit, name: str) -> str:
    """Raises Usage."""
    if found := git.commit(name):
        return found
    hint = "Name a branch, a commit, BASE..HEAD, '#123' or -."
    if (git.top / name).exists():
        hint = f"It is a file: git diff HEAD -- {exposed_line(name)} | trouper review -"
    raise Usage(f"{exposed_line(name)} is no commit here. {hint}")


def _main_branch(git: LookingGit, branch: str) -> str:
    """The commit that its main branch is at, which others leave; else HEAD. Raises Usage."""
    name = next((name for name in MAIN_BRANCHES if git.commit(name)), "HEAD")
    if name.rpartition("/")[2] == branch or (name == "HEAD" and git.commit(branch) == git.commit("HEAD")):
        raise Usage(f"{branch} is what others are compared with. Say since when: trouper review COMMIT..{branch}")
    return git.commit(name)


def _parting(git: LookingGit, base: str, head: str) -> str:
    """Where the two have parted. Raises Usage."""
    try:
        return git.run("merge-base", base, head).decode().split("\n")[0].strip()
    except GitFailed as error:
        raise Usage(f"the two have no commit in common here. {SHALLOW}") from error


def _before(git: LookingGit, commit: str) -> str:
    """Its first parent; the empty tree for the first of all. Raises Usage."""
    parent = git.commit(f"{commit}^")
    if not parent and b"\nparent " in git.run("cat-file", "commit", commit).partition(b"\n\n")[0]:
        raise Usage(f"the commit before {commit[:12]} is not here. {SHALLOW}")
    return parent or NOTHING


def _top(folder: Path) -> Path | None:
    """What the paths of a patch are relative to; None where there is no repository."""
    try:
        return LookingGit(folder).top
    except GitFailed:
        return None


def _without_closed(found: Changes, top: Path, root: Path, hidden: Sequence[str]) -> Changes:
    """root: which relative patterns begin at."""
    closed = {
        file.path
        for file in found.files
        for path in {file.path, file.before or file.path}
        if any(covers(pattern, top / path, root) for pattern in hidden)
    }
    return Changes(
        files=tuple(file for file in found.files if file.path not in closed),
        skipped=(*found.skipped, *(Skipped(path, "closed by a rule") for path in sorted(closed))),
    )
