"""What the user has changed and not committed, as a commit that no branch has: for who is to work on top of it."""

import tempfile
from pathlib import Path

from actors.checkpoints.worktrees import kept_work, users_repository
from actors.checkpoints.worktrees.branches.handing_over import NAMES, hand_over
from actors.checkpoints.worktrees.keyed_folder import OfHome
from actors.checkpoints.worktrees.problems import refused
from actors.checkpoints.worktrees.users_repository import OID
from actors.checkpoints.worktrees.work import record_work, told
from actors.messages.checkpoint import CommitChanges, CommitMade


def commit(among: OfHome, wanted: CommitChanges) -> CommitMade:
    """HEAD itself where nothing is changed; of the same changes the same commit. Raises Failed, GitFailed, OSError."""
    users = users_repository.find(Path(wanted.cwd).resolve())
    head = users.commit_of_head()
    if not OID.fullmatch(head):
        raise refused(f"{users.top} has no commits yet.", "Make a first one: git commit")
    with kept_work.reading(among, users) as git, tempfile.TemporaryDirectory(dir=git.folder) as folder:
        users_repository.inspect(users, git)
        work = record_work(git, users.top, head, among)
        if work.commit == head:
            return CommitMade(commit=head, left_out=told(work.lost))
        tree = git.run("rev-parse", "--verify", f"{work.commit}^{{tree}}").decode().strip()
        said = wanted.message.encode(errors="replace")
        at = git.run("log", "-1", "--format=%ct", head).decode().strip()
        times = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"{at} +0000")
        made = git.run("commit-tree", tree, "-p", head, given=said, variables=NAMES | times).decode().strip()
        hand_over(git, users, made, head, Path(folder, "arrived"))
    return CommitMade(commit=made, left_out=told(work.lost))
