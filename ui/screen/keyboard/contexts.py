"""Where keys count, and the table of each such place: what keys.toml, /keys and the page of keys go by."""

from dataclasses import dataclass
from typing import Any

from ui.screen.composer.keymap import EDITING, Binding
from ui.screen.controls import ANYWHERE, COMPOSING, NOTHING_TYPED
from ui.screen.pager.pager import FOLDS, KEYS
from ui.screen.questions.queue import ANSWERS, LISTS, NOTES
from ui.screen.questions.session_keys import SESSIONS


@dataclass(frozen=True)
class Context:
    name: str
    """Its table in keys.toml."""
    title: str
    bindings: tuple[Binding[Any], ...]
    beside: tuple[str, ...] = ()
    """Contexts that have the keys at the same time: what is bound here is not heard there."""
    typing: bool = True
    """A character alone is text."""


ALL = (
    Context("anywhere", "anywhere", ANYWHERE, ("composing", "editing", "question", "list", "sessions", "note")),
    Context("composing", "in the composer", (*COMPOSING, *NOTHING_TYPED), ("anywhere", "editing")),
    Context("editing", "while text is edited", EDITING, ("anywhere", "composing", "note")),
    Context("question", "in a question", ANSWERS, ("anywhere",), typing=False),
    Context("list", "in a list", LISTS, ("anywhere", "sessions")),
    Context("sessions", "in a list of sessions", SESSIONS, ("anywhere", "list")),
    Context("note", "while a note is written with an answer", NOTES, ("anywhere", "editing")),
    Context("pager", "in the pager", (*KEYS, *FOLDS), typing=False),
)
"""A context whose keys come from a table of its own is one row here; its room takes them by `KeyMap.by_key`."""
BY_NAME = {context.name: context for context in ALL}
