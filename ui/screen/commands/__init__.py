"""Slash commands, one file for one or a few that belong together, listed in `table`.

Its entrance is `dispatch`. They see the screen as `base` describes it, and import nothing else of it.
"""
