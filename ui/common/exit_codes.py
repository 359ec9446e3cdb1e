"""The exit codes of every command, and of what a turn ends with. Standard library only: the first frame waits."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from actors.messages.conversation import EndReason

DONE, FAILED, USAGE, IN_USE, FOUND, INTERRUPTED = 0, 1, 2, 6, 7, 130
OF_TURN: "dict[EndReason, int]" = {
    "done": DONE,
    "failed": FAILED,
    "refused": 3,
    "turn_limit": 4,
    "budget": 4,
    "no_credentials": 5,
    "no_progress": FAILED,
    "timeout": 124,
    "interrupted": INTERRUPTED,
}
