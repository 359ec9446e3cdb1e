"""What was said and done, as pieces that become rows at any width.

Its entrances are `blocks` and `open_answer`. It imports `terminal/` only.
"""
