"""What `trouper doctor` and /doctor find: what this machine, this folder and these settings make possible.

Its entrances are `asking`, which has all of it looked at side by side, and `rows`, how it is said; `parts` bounds each
look, and every other module is what one of them looks at.
"""
