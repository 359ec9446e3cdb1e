"""The forms in which patches come, and how they are put into a text. Pure.

Its entrances are `v4a` and `unified`, one a format; `hunks` is what both come to. It imports `text/`.
"""
