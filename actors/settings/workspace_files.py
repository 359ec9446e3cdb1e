"""A workspace's own files, .trouper/config.toml and config.local.toml: what they say, and what of it counts.

Anybody may have written them. What they loosen counts only where exactly their content was vouched for (trust.py);
otherwise they only tighten, and what was vouched for before goes on tightening beside them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec

from actors.common.plurals import named
from actors.errors import BadConfiguration
from actors.settings import toml_files, trust
from actors.settings.permissions import Permissions, RuleLine

TEAM_FILE = ".trouper/config.toml"
"""It may be committed."""
LOCAL_FILE = ".trouper/config.local.toml"
"""One user's, ignored by git; "always" is written down there."""
FILES = (LOCAL_FILE, TEAM_FILE)
"""The first counts more."""
MOST = 64 * 1024
"""Bytes of one: the user has to look at all of it."""
MOST_TURNS = 10_000
MaxTurns = Annotated[int, msgspec.Meta(ge=1, le=MOST_TURNS)]
ONLY_USERS = frozenset(
    ("effort", "mode", "web_search", "dotenv", "providers", "models", "sandbox", "allow_unsandboxed", "environment")
) | {
    "diagnostics",
    "mcp",
    "mcp_tools_tokens",
    "naming_model",
    "repo_map",
    "search",
    "unrestricted",
    "retry_for",
    "theme",
    "editing",
    "announce",
}
"""Keys of the user's own file that a workspace's cannot have."""
TRUST = "trouper permissions trust"


class Hook(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A command that is told of an event by JSON on its stdin and may decide about it on its stdout."""

    command: str
    """A shell's command line; it runs in the sandbox."""
    tools: tuple[str, ...] = ()
    """Of pre_tool and post_tool: only for these; none for all."""
    timeout_s: Annotated[float, msgspec.Meta(gt=0, le=600)] = 10.0
    """One that takes longer has failed."""


class Hooks(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    pre_tool: tuple[Hook, ...] = ()
    """Before a call of a tool."""
    post_tool: tuple[Hook, ...] = ()
    """After it."""
    prompt: tuple[Hook, ...] = ()
    """Before a prompt goes to the model."""
    stop: tuple[Hook, ...] = ()
    """Before a turn ends."""
    session_start: tuple[Hook, ...] = ()
    """When a session begins."""

    def all(self) -> Iterator[tuple[str, Hook]]:
        """Each with its event."""
        for event in self.__struct_fields__:
            yield from ((event, hook) for hook in getattr(self, event))


def together(*hooks: Hooks) -> Hooks:
    events = Hooks.__struct_fields__
    return Hooks(**{event: tuple(hook for each in hooks for hook in getattr(each, event)) for event in events})


class WorkspaceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    model: str = ""
    max_turns: MaxTurns | None = None
    permissions: Permissions = Permissions()
    hooks: Hooks = Hooks()

    def lines(self, source: str) -> tuple[RuleLine, ...]:
        """Raises BadConfiguration."""
        return self.permissions.lines(source)

    def loosens(self, most_turns: int = 0) -> tuple[str, ...]:
        """What of it counts only when it was vouched for, a line each. most_turns: the user's own limit."""
        words = (
            *(f"allow {rule}" for rule in self.permissions.allow),
            *(f"hook {event}: {hook.command}" for event, hook in self.hooks.all()),
            *([f"model {self.model}"] if self.model else []),
            *([f"max_turns {self.max_turns}"] if self.max_turns and self.max_turns > most_turns else []),
        )
        return tuple(each.replace("\n", "\\n") for each in words)  # a second line could pass for something else

    def tightened(self, before: "WorkspaceFile", most_turns: int) -> "WorkspaceFile":
        """What asks, denies and limits, of either; hooks are commands, so only those of before: it was vouched for."""
        ask = dict.fromkeys((*self.permissions.ask, *before.permissions.ask))
        deny = dict.fromkeys((*self.permissions.deny, *before.permissions.deny))
        limits = [turns for turns in (self.max_turns, before.max_turns) if turns is not None]
        return WorkspaceFile(
            max_turns=min([most_turns, *limits]) if limits else None,
            permissions=Permissions(ask=tuple(ask), deny=tuple(deny)),
            hooks=before.hooks,
        )


class LeftOut(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file of the workspace that would loosen and was not vouched for as it is."""

    path: str
    text: str
    """As it was read: what is decided about it is about exactly this."""
    says: WorkspaceFile
    loosens: tuple[str, ...]
    is_new: bool = False
    """The user has not said anything about it yet."""
    notice: str


class Workspace(msgspec.Struct, frozen=True):
    """What counts of both files."""

    model: str
    max_turns: int
    rules: tuple[RuleLine, ...]
    hooks: Hooks
    left_out: tuple[LeftOut, ...]
    notices: tuple[str, ...]


class Found(msgspec.Struct, frozen=True):
    """One of them."""

    path: Path
    text: str
    says: WorkspaceFile
    record: trust.Record
    cannot_say: tuple[str, ...] = ()
    """What nobody can vouch for."""

    @property
    def is_trusted(self) -> bool:
        return self.record.vouches_for(self.text)

    @property
    def before(self) -> WorkspaceFile:
        """What was vouched for. Raises BadConfiguration."""
        return parse(self.record.text or "", self.path)[0]

    def counted(self, most_turns: int) -> WorkspaceFile:
        """Raises BadConfiguration."""
        return self.says if self.is_trusted else self.says.tightened(self.before, most_turns)

    def left_out(self, most_turns: int) -> LeftOut | None:
        loosens = () if self.is_trusted else self.says.loosens(most_turns)
        if not loosens:
            return None
        known = self.record.text is not None
        why = "is not as you trusted it" if known else "was not trusted by you"
        notice = f"{self.path} {why}, so this does not count: {named(loosens)}. Look at it and decide: {TRUST}"
        is_new = not known and not self.record.leaves_out(self.text)
        return LeftOut(
            path=str(self.path), text=self.text, says=self.says, loosens=loosens, is_new=is_new, notice=notice
        )

    def notices(self, most_turns: int) -> tuple[str, ...]:
        """What is to be said of it whoever is there. Raises BadConfiguration."""
        unheard = () if self.record.leaves_out(self.text) else self.cannot_say
        left_out = f"{self.path}: this does not count: {named(unheard)}" if unheard else ""
        return tuple(filter(None, (left_out, self._changed(most_turns))))

    def _changed(self, most_turns: int) -> str:
        """Since it was vouched for."""
        if self.is_trusted or self.record.text is None or self.record.leaves_out(self.text):
            return ""
        if left_out := self.left_out(most_turns):
            return left_out.notice
        held = self.says.tightened(self.before, most_turns)
        if held == self.says.tightened(WorkspaceFile(), most_turns):
            return ""
        gone = "is not as you trusted it" if self.path.exists() else "is gone"
        return f"{self.path} {gone}; what you trusted goes on asking, denying and running its hooks until: {TRUST}"


def read_workspace(home: Path, cwd: Path, most_turns: int) -> Workspace:
    """most_turns: the user's own limit. Raises BadConfiguration."""
    found = [find(home, path) for path in paths(home, cwd)]
    counted = [one.counted(most_turns) for one in found]
    trusted = [one.says for one in found if one.is_trusted]
    turns = next((says.max_turns for says in trusted if says.max_turns), most_turns)
    limits = [says.max_turns for one, says in zip(found, counted, strict=True) if says.max_turns and not one.is_trusted]
    return Workspace(
        model=next((says.model for says in trusted if says.model), ""),
        max_turns=min([turns, *limits]),
        rules=tuple(line for one, says in zip(found, counted, strict=True) for line in says.lines(str(one.path))),
        hooks=together(*(says.hooks for says in counted)),
        left_out=tuple(left for one in found if (left := one.left_out(most_turns))),
        notices=tuple(notice for one in found for notice in one.notices(most_turns)),
    )


def paths(home: Path, cwd: Path) -> tuple[Path, ...]:
    """Where .trouper is TROUPER_HOME its config.toml is the user's own."""
    at_home = (cwd / ".trouper").resolve() == home.resolve()
    return tuple(cwd / name for name in FILES if not (at_home and name == TEAM_FILE))


def local_path(cwd: Path) -> Path:
    return cwd / LOCAL_FILE


def find(home: Path, path: Path) -> Found:
    """Raises BadConfiguration."""
    text = toml_files.text_of(path, MOST)
    says, cannot_say = parse(text, path)
    return Found(path, text, says, trust.record(home, path), cannot_say)


def parse(text: str, path: Path) -> tuple[WorkspaceFile, tuple[str, ...]]:
    """What it says, and why what is left out of that is, a line each. Raises BadConfiguration.

    Only what can forbid nothing is left out: a mistake anywhere else might be in a rule that somebody relies on.
    """
    table = toml_files.table(text, path)
    why_not = {key: why for key, value in table.items() if (why := _why_not(key, value))}
    try:
        says = toml_files.convert({key: table[key] for key in table if key not in why_not}, path, WorkspaceFile)
        says.lines(str(path))
    except BadConfiguration as error:
        raise BadConfiguration(f"{error} Correct it, or move the file away.") from error
    return says, tuple(why.replace("\n", "\\n") for why in why_not.values())


def _why_not(key: str, value: object) -> str:
    """Why this is left out; "" where it is not."""
    is_scripted = key == "model" and isinstance(value, str) and value.strip().startswith("scripted:")
    if key in ONLY_USERS or is_scripted:
        what = "a scripted model" if is_scripted else f'"{key}"'
        return f"{what} may only be set in your own config file: a workspace is not trusted to"
    if key in ("model", "max_turns"):
        return toml_files.why_not({key: value}, WorkspaceFile)
    return ""
