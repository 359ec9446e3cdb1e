"""A command about servers that run: a program with nothing but its front and them."""

import os
import uuid

import msgspec

from actors.settings import config
from ui.cli.mcp.here import Here
from ui.start.fronts import encoded
from ui.start.session_run import Run, supervise


def run(place: Here, asked: msgspec.Struct, *, interactive: bool = False) -> int:
    """asked: an Asked. Returns the exit code. Raises Usage and BadConfiguration."""
    run_id = place.launch.run_id
    settings = config.load(place.home, place.cwd, os.environ, session_id=uuid.uuid4().hex, run_id=run_id)
    settings = msgspec.structs.replace(settings, interactive=interactive, front=encoded(asked))
    return supervise(Run(settings=settings, launch=place.launch, entry="ui.cli.mcp.front:run", actors=("ui",)))
