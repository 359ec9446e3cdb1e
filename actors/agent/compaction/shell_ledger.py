"""The user's own commands that still count: those that run, and those that the model was not told of. Pure."""

from collections.abc import Iterable

from actors.messages.conversation import Body, PromptQueued, Quoted, ShellEnded, ShellEntry, ShellStarted, UserMessage

HEAD = "The user ran `{command}` in the workspace by hand, in your sandbox; you did not ask for it. What it printed:"
MOST_TOLD = 8
"""Of those that came since the last prompt, the latest."""


def quotation(ended: ShellEnded) -> Quoted:
    """As it goes with the next prompt."""
    return Quoted(of=f"!{ended.command}", head=HEAD.format(command=ended.command), text=ended.output)


class ShellLedger:
    def __init__(self) -> None:
        self.known: set[str] = set()
        """Ids of all that were begun."""
        self.running: dict[str, ShellStarted] = {}
        """By id; in a later life, those that were interrupted."""
        self._untold: list[ShellEnded] = []

    def note(self, body: Body) -> None:
        match body:
            case ShellStarted():
                self.known.add(body.id)
                self.running[body.id] = body
            case ShellEnded():
                self.known.add(body.id)
                self.running.pop(body.id, None)
                if body.told and not body.denied:
                    self._untold = [*self._untold, body][-MOST_TOLD:]
            case UserMessage(quoted=quoted) | PromptQueued(quoted=quoted) if quoted and self._untold:
                self._untold = [one for one in self._untold if quotation(one) not in quoted]
            case _:
                pass

    @property
    def quotations(self) -> tuple[Quoted, ...]:
        """That the next prompt brings with it."""
        return tuple(map(quotation, self._untold))

    def carried(self) -> tuple[ShellEntry, ...]:
        """Entries that say the same as all of them, as far as it still counts."""
        return (*self.running.values(), *self._untold)

    def begin_with(self, entries: Iterable[ShellEntry]) -> None:
        """What `carried` gave."""
        for entry in entries:
            self.note(entry)
