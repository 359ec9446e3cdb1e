"""What is typed: the draft, its keys, earlier prompts.

Its entrance is `editor`. It imports `terminal/` only.
"""
