"""Looking over a change: what it is, what a model finds in it, and having that mended.

Its entrances are `targets` (what is meant, and its changes).
"""
