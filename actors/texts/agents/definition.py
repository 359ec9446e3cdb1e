"""One kind of subagent: what the model is told of it, what it is told itself, and what it may at most."""

from pathlib import Path

import msgspec

from actors.texts.instruction_files import REPOSITORYS_WORDS, quoted


class Definition(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    description: str
    """When to use it."""
    prompt: str
    path: Path | None = None
    """The file it is from; None: it is built in."""
    own: bool = True
    """The user's, or built in; else the repository's words, which can ask, not allow."""
    model: str = ""
    """PROVIDER/NAME; "" for its parent's. Never of a repository: it would say where the conversation is sent."""
    tools: tuple[str, ...] = ()
    """As in Confine: only these of what it may otherwise; (): all."""
    may_write: bool = False
    """In a worktree, where the call that spawns it asks for one; else it only looks."""

    @property
    def told(self) -> str:
        """For its own system prompt, with whose words they are."""
        if self.path is None:
            return self.prompt
        if self.own:
            return f"The user's agent {self.name}, from {self.path}:\n\n{self.prompt}"
        return f"{REPOSITORYS_WORDS.format(path=self.path)}\n\n{quoted(self.prompt)}"

    @property
    def listed(self) -> str:
        """A line of its parent's system prompt."""
        line = f"- {self.name}: {self.description}{' (may write in a worktree)' if self.may_write else ''}"
        return line if self.own else quoted(line)
