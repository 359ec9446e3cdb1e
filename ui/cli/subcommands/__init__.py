"""One file a command, named as it: `main` reads its arguments, and `run`, where it has one, is its front.

Its entrances are listed in `ui.cli.table`. They do not import one another.
"""
