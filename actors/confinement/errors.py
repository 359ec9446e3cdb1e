"""What a tool refuses or cannot do, in words for the model, which acts on it."""

from actors.errors import Trouble


class ToolFailed(Trouble):
    """Says what went wrong and what to do instead."""


class OutsideWorkspace(ToolFailed):
    """A path that leads out of the workspace, or to a place in it that is closed to tools."""
