"""Subagents as the transcript tells of them: those at work, what became of each, and their rows.

Its entrance is `standing`, what is known of them; `rows` are of those at work, `blocks` of what happened to one.
"""
