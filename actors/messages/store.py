"""The session store: append, load, list; and small settings that must survive the death of who set them."""

import msgspec

from actors.messages.base import Message
from actors.messages.conversation import Entry

MODE_OF, GRANTS_OF, CONFINED_OF = "mode of session ", "grants of session ", "confinement of session "
"""With a session's id: what the gate remembers of it. A copy has the mode, an import none of them."""


def open_session_key(run_id: str, agent: str) -> str:
    """Under it an agent remembers which session it has open; nothing: still the one of its settings."""
    return f"session/{run_id}/{agent}"


DATABASE = "trouper.db"
"""In TROUPER_HOME."""
DATABASE_FORMAT = 5
"""The newest that this program knows, as SQLite's user_version."""


class OpenSession(Message, frozen=True, kw_only=True):
    """A stream of the session's active path, then SessionOpened; the session is held for this process tree.

    From the `read_from` of the latest compaction on. Attachments have their data as far as a request could take it,
    the newest first.
    """

    session_id: str
    """To resume: as `said` of FindSession, or "" for the latest of the folder."""
    cwd: str
    everywhere: bool = False
    """As of FindSession. What belongs to another folder is not opened here, but named."""
    model: str = ""
    resume: bool = False
    """It must exist; else it is made."""
    branch: str = ""
    """Of the folder's repository, for lists; "" where there is none."""
    at: str | None = None
    """The path that ends with this entry instead of the active one; "" for one without entries."""
    copy_id: str = ""
    """Resumed under this id, as a copy that has all its turns that have ended; the session itself is not held."""


class CloseSession(Message, frozen=True, kw_only=True):
    """It is left: from now on another program may have it. Answered by Done."""

    session_id: str


class HolderOf(Message, frozen=True, kw_only=True):
    """Which program has this session open? Answered by Holder. Fails with unknown_session or ambiguous_session."""

    session_id: str
    """As of OpenSession."""
    cwd: str
    everywhere: bool = False
    """As of FindSession."""


class Holder(Message, frozen=True, kw_only=True):
    """A program that has a session open."""

    session_id: str
    """The whole of it."""
    run_id: str = ""
    pid: int = 0
    """Of its first process; 0: nobody has it."""
    host: str = ""
    terminal: str = ""
    """Such as /dev/pts/3; "" where it has none."""
    since: float = 0.0
    """Seconds since the epoch."""
    state: str = ""
    """What it does now, for people; "" where that was not asked."""


class SessionOpened(Message, frozen=True, kw_only=True):
    """A stream's reply; its items were the session's entries, oldest first."""

    session_id: str
    cwd: str
    branch: str = ""
    """Of its last run."""
    name: str = ""
    """The user's, else a model's; "" where there is none."""
    entries: int


class Append(Message, frozen=True, kw_only=True):
    """Answered by Done when it is on disk. Appending an id that is there already changes nothing."""

    entries: tuple[Entry, ...]


class ListSessions(Message, frozen=True, kw_only=True):
    """Answered by Sessions, the newest first: those with a prompt that are not below another one."""

    cwd: str = ""
    """Only those of this folder; "" for all."""
    below: str = ""
    """Instead all that are below this one: of its subagents, whatever became of them."""
    limit: int = 50


class SessionSummary(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    name: str = ""
    """The user's, else a model's; "" where there is none."""
    title: str
    """The first prompt, shortened."""
    cwd: str
    branch: str = ""
    """Of its last run; "" where there was none."""
    model: str
    """PROVIDER/NAME that answered last, or was asked for first."""
    cost_usd: float | None = None
    """None: a part of it is unknown."""
    bytes: int = 0
    """Of its entries, with what is kept beside them."""
    entries: int
    created_at: float
    updated_at: float


class Sessions(Message, frozen=True, kw_only=True):
    sessions: tuple[SessionSummary, ...]


class FindSession(Message, frozen=True, kw_only=True):
    """Answered by Sessions: the one that is meant.

    Fails with unknown_session where there is none, with ambiguous_session where there is more than one.
    """

    said: str
    """Its id or the beginning of that, its name, its number in the list, or words of its name or first prompt."""
    cwd: str = ""
    """All but an id is looked for among the sessions of this folder; "" for all."""
    everywhere: bool = False
    """Among all after all."""
    trashed: bool = False
    """Among those that were thrown away."""
    several: bool = False
    """Answered by all that may be meant, the newest first."""


class RecapSession(Message, frozen=True, kw_only=True):
    """What was a session about? Answered by Recap.

    Fails with unknown_session where it was thrown away, with ambiguous_session where more than one is meant.
    """

    said: str
    """Its id or the beginning of that, of any folder."""


class Recap(Message, frozen=True, kw_only=True):
    """For a model that works in another session."""

    session_id: str = ""
    """ "" where no id begins so."""
    called: str = ""
    """Its name or first prompt."""
    text: str = ""
    """Its facts, how it was summed up, its last prompts and answers: at most 8,000 characters."""


class SearchSessions(Message, frozen=True, kw_only=True):
    """A stream of Indexing, while what was said since the last search is made ready, then of SearchHit, newest first.

    The reply is Done.
    """

    words: str
    """All of them, as they are written; the last one may be the beginning of a word."""
    cwd: str = ""
    """Only in the sessions of this folder; "" for all."""
    summed_up_of: str = ""
    """Only on the active path of the session with this id, and there only what is before its latest compaction."""
    limit: int = 20


class Indexing(Message, frozen=True, kw_only=True):
    left: int
    """Entries, about."""


class SearchHit(Message, frozen=True, kw_only=True):
    session_id: str
    entry_id: str
    at: float
    kind: str
    """The name of the entry's class."""
    text: str
    """Of the entry, as far as it is searched."""
    called: str
    """The session's name or first prompt."""
    cwd: str


class ReadSession(Message, frozen=True, kw_only=True):
    """A stream of entries, without the data of attachments and without holding it; the reply is SessionOpened."""

    session_id: str
    after: str = ""
    """Of the active path only what follows on this entry, where it is on it."""
    whole_tree: bool = False
    """Every entry, in the order they were written; else those of the active path."""
    attachments: bool = False
    """With their data after all."""
    last: int = 0
    """Of the active path only so many of the last ones, and of long outputs only those of calls that failed: to show
    where the session stands. 0: all."""


class ReadPage(Message, frozen=True, kw_only=True):
    """A stream of the entries of one page of the active path, with their large texts; the reply is SessionOpened.

    Pages begin with a prompt or an answer, so that a call and its result are on one. They are counted from `end` back.
    """

    session_id: str
    end: str = ""
    """Id of its last entry; "" for where the session stands."""
    after: str = ""
    """Id of an entry: nothing up to this one, where it is on the page."""


class ReadPageEnds(Message, frozen=True, kw_only=True):
    """Where the pages up to an entry end, that of the last one among them. Answered by PageEnds."""

    session_id: str
    end: str
    """Id of the last entry of the last page."""


class PageEnds(Message, frozen=True, kw_only=True):
    ends: tuple[str, ...]
    """Ids, that of the first page first."""


class ReadTree(Message, frozen=True, kw_only=True):
    """A stream of TreeNode, in the order they were written; the reply is SessionOpened."""

    session_id: str


class TreeNode(Message, frozen=True, kw_only=True):
    """An entry that one can go to, told in a line."""

    entry_id: str
    parent: str
    """Id of the node that it follows on; "" for the first."""
    before: str
    """Id of the very entry before it: to go there is to go on without this one."""
    last: str = ""
    """Id of the last entry that belongs to it, such as the end of its turn: to go there is to go on after this one."""
    kind: str
    """The name of its body's class."""
    at: float
    text: str = ""
    """Its first words, for people."""
    label: str = ""
    """The user's own name for it."""
    active: bool = False
    """It is on the active path."""


class Label(Message, frozen=True, kw_only=True):
    """Name an entry. Answered by Done; fails with unknown_session where there is none."""

    session_id: str
    entry_id: str
    text: str
    """ "" takes it away."""


class NameSession(Message, frozen=True, kw_only=True):
    """Answered by Done."""

    session_id: str
    name: str
    """ "" goes back to its first prompt."""


class CloneSession(Message, frozen=True, kw_only=True):
    """Copy what is on the active path, or up to an entry of the tree, to a new session. Answered by Done.

    Once it is there, nothing is left to do.
    """

    session_id: str
    copy_id: str
    entry_id: str = ""
    """The last one to be copied; "" for all turns of the active path that have ended."""


class CheckSession(Message, frozen=True, kw_only=True):
    """Look whether all of it is in order, and whether the database is. Answered by Checked."""

    session_id: str
    """The whole of it."""


class Checked(Message, frozen=True, kw_only=True):
    problems: tuple[str, ...]
    """For people; none: all is well."""


class RepairSession(Message, frozen=True, kw_only=True):
    """Make a healed copy of what can be read of its active path; the session itself stays. Answered by Done.

    Once the copy is there, nothing is left to do.
    """

    session_id: str
    copy_id: str


class TrashSession(Message, frozen=True, kw_only=True):
    """It is listed no more, and gone for good after 30 days. Answered by Done; fails where it is open."""

    session_id: str
    """The whole of it."""
    restore: bool = False
    """Take it back out."""


class Remember(Message, frozen=True, kw_only=True):
    key: str
    value: str


class Recall(Message, frozen=True, kw_only=True):
    key: str


class Recalled(Message, frozen=True, kw_only=True):
    value: str | None
