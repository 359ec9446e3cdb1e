"""The terminal: bytes in become keys, rows become bytes; cells, colours, and what fits.

Its entrances are `tty`, `keys` and `renderer`. `theme` says how each style looks, `cells` counts and cuts, `piece` is
what can be drawn. It imports nothing else of the screen.
"""
