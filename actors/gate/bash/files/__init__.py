"""Which files the words of a command name, and how they are seen from the workspace.

Its entrances are `paths`, `file_tests` and `placed_files`; the others are tables. It imports `language/`.
"""
