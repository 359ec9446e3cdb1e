"""Secrets by their values: which there are here, and whether a text carries one, however it is written.

Its entrances are `values`, which reads those of this machine; `search`, whether a text carries one of them; and
`leaving_out`, a text without them and without what only looks like one. `encodings` are how a value may be written.
"""
