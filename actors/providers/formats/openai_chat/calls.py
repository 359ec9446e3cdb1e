"""Tool calls from their fragments, which servers number, name and repeat in many ways."""

import msgspec

from actors.messages.conversation import StopReason
from actors.providers.faults.fault import ServiceFailed, broken
from actors.providers.formats.answer import CUTTING, OpenCall
from actors.providers.formats.openai_chat.chunk import CallDelta, FunctionDelta, there
from actors.providers.formats.openai_chat.kept_parts import Members
from actors.providers.formats.wire_format import is_object


class Calls:
    def __init__(self) -> None:
        self._all: list[OpenCall] = []
        self._by_index: dict[int, OpenCall] = {}

    def take(self, delta: CallDelta) -> OpenCall | None:
        """The call it begins; None where it goes on with one."""
        function = delta.function or FunctionDelta()
        call_id = str(delta.id) if delta.id is not None else ""
        name = function.name or ""
        arguments = _text(function.arguments)
        call = self._goes_on(delta.index, call_id, name)
        if call is not None and name and not call_id and not _repeats(call, delta.index is not None, name, arguments):
            call = None
        begun = None
        if call is None:
            call = begun = OpenCall(call_id, name)
            self._all.append(call)
        call.call_id = call.call_id or call_id
        call.name = call.name or name
        if delta.index is not None:
            self._by_index[delta.index] = call
        call.pieces.append(arguments)
        if there(delta.extra_content):
            call.extra = msgspec.json.encode(Members(extra_content=delta.extra_content)).decode()
        return begun

    def _goes_on(self, index: int | None, call_id: str, name: str) -> OpenCall | None:
        """The call a fragment goes on with. Servers leave out the index, or the id, or give all calls index 0."""
        call = None if index is None else self._by_index.get(index)
        if call is None and (index is None or not name):
            call = self._of(call_id) if call_id else self._all[-1] if self._all else None
        return None if call is None or (call_id and call.call_id and call_id != call.call_id) else call

    def _of(self, call_id: str) -> OpenCall | None:
        return next((call for call in self._all if call_id and call.call_id == call_id), None)

    def close(self, stop_reason: StopReason | None) -> None:
        """Arguments that were sent more than once are there once. Raises ServiceFailed for a call of no tool."""
        for call in self._all:
            if not is_object(call.arguments):
                call.pieces = _once([piece for piece in call.pieces if piece])
            if not call.name and call.arguments and stop_reason not in CUTTING:
                raise ServiceFailed(broken("it called a tool without saying which."))


def _text(arguments: str | dict[str, msgspec.Raw] | None) -> str:
    if arguments is None or isinstance(arguments, str):
        return arguments or ""
    return msgspec.json.encode(arguments).decode()


def _repeats(call: OpenCall, numbered: bool, name: str, arguments: str) -> bool:
    """Is a fragment with this name, but without id, of the call before it? Else it begins one."""
    before, now = call.arguments.strip(), arguments.strip()
    if name != call.name:
        return False
    if numbered:  # where calls have ids, another one would have its own; and {} may stand for what follows
        return bool(call.call_id) or not now or (before == "{}" != now) or not is_object(before)
    return bool(before or now) and not is_object(before)


def _once(pieces: list[str]) -> list[str]:
    """Some servers begin with {} in the place of arguments that follow, some say it all again at the end."""
    if len(pieces) > 1 and pieces[0].strip() == "{}" and is_object("".join(pieces[1:])):
        return pieces[1:]
    if len(pieces) > 1 and is_object("".join(pieces[:-1])):
        return pieces[:-1]
    return pieces
