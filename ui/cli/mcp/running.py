"""A command about servers that run: a program with nothing but its front and them."""

import os
import uuid

import msgspec

from actors.settings import config
from ui.cli.mcp.front import Asked
from ui.cli.mcp.here import Here
from ui.start import browser
from ui.start.fronts import encoded
from ui.start.session_run import Run, supervise
from ui.start.sign_in_terminal import beside_run, take_care_of_terminal


def run(place: Here, asked: Asked, *, interactive: bool = False, signs_in: bool = False) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    run_id = place.launch.run_id
    settings = config.load(place.home, place.cwd, os.environ, session_id=uuid.uuid4().hex, run_id=run_id)
    if signs_in:
        asked = msgspec.structs.replace(asked, opener=browser.opener(beside_run(settings, "open")))
        take_care_of_terminal(settings, place.launch)
    settings = msgspec.structs.replace(settings, interactive=interactive, front=encoded(asked))
    return supervise(Run(settings=settings, launch=place.launch, entry="ui.cli.mcp.front:run", actors=("ui",)))
