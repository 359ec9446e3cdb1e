"""What is asked about commits and branches for the user."""

from actors.checkpoints.worktrees.branches import naming, stacking, uncommitted
from actors.checkpoints.worktrees.keyed_folder import OfHome
from actors.messages.base import Done, Message
from actors.messages.checkpoint import CommitChanges, CommitWork, MakeBranch

Wanted = CommitChanges | CommitWork | MakeBranch


def answer(among: OfHome, wanted: Wanted) -> Message:
    """Raises Failed, GitFailed, OSError."""
    match wanted:
        case CommitChanges():
            return uncommitted.commit(among, wanted)
        case CommitWork():
            return stacking.commit(among, wanted)
        case MakeBranch():
            naming.make_branch(among, wanted)
            return Done()
