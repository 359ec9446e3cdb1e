"""The terminal: bytes in become keys, rows become bytes; cells, colours, and what fits.

Its entrances are `tty`, `keys` and `renderer`. It imports nothing else of the screen.
"""
