"""The keys of the whole screen: which there are, and which of them the user has in another place.

Its entrances are `user_keys`, which reads keys.toml, and `key_text` for /keys. `wishes` says what of the file counts,
`contexts` has the tables of all places where keys count.
"""
