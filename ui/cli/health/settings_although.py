"""The settings of a command that looks at what is broken: that the config files cannot be used is a finding of it."""

import argparse

from actors.errors import BadConfiguration
from actors.settings.config import Settings
from ui.start import session_settings
from ui.start.launch_state import Launch


def read(options: argparse.Namespace, launch: Launch, *, without: bool) -> tuple[Settings, str]:
    """And why the config files cannot be used; "" where they can. Raises Usage and BadConfiguration.

    without: they are not to be touched.
    """
    if without:
        return session_settings.read_without_files(options, launch), ""
    try:
        return session_settings.read(options, launch), ""
    except BadConfiguration as error:  # which is raised again where it is not the files
        return session_settings.read_without_files(options, launch), str(error)
