"""One file a command, named as it: `main` reads its arguments, and `run`, where it has one, is its front.

Every module is an entrance: the table of `ui.cli` has a line for it. They do not import one another.
"""
