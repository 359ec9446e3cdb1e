"""Runs without a screen: one prompt, a batch, one answer of a command; what is printed and how it ends.

Its entrances are `prompt`, `batch` and `one_answer`. `watch` follows a turn, `report` says what came of it, `stdout`
writes it. It imports `start/` and `common/`.
"""
