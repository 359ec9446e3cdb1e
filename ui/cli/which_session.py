"""The session, and the place in it, that the user means by arguments of a command."""

from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.store import FindSession, ReadTree, SessionOpened, Sessions, SessionSummary, TreeNode
from actors.settings.config import Settings

HELP = "its id or the beginning of that, its name, its number in the list, or words of it"


async def meant(mailbox: Mailbox, settings: Settings, said: str, *, trashed: bool = False) -> SessionSummary:
    """trashed: of those that were deleted. Raises Failed(unknown_session)."""
    asked = FindSession(said=said, cwd=settings.cwd, trashed=trashed)
    (found,) = (await mailbox.insist("store", asked, Sessions)).sessions
    return found


async def places(mailbox: Mailbox, session_id: str) -> list[TreeNode]:
    """Raises Failed."""
    async with mailbox.stream("store", ReadTree(session_id=session_id)) as stream:
        nodes = [node async for node in stream if isinstance(node, TreeNode)]
        await stream.result(SessionOpened)
    return nodes


async def entry_id(mailbox: Mailbox, session_id: str, said: str) -> str:
    """Of the one place whose id begins so; what is none of these the store may know. Raises Failed."""
    begun = [node.entry_id for node in await places(mailbox, session_id) if node.entry_id.startswith(said)]
    if said in begun or not begun:
        return said
    if len(begun) > 1:
        raise failed(
            "unknown_session", f'there is more than one entry whose id begins with "{said}".', "Say more of it."
        )
    return begun[0]
