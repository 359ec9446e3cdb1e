"""The keys of the whole screen: which there are, and which of them the user has in another place.

Its entrances are `user_keys`, which reads keys.toml, and `key_text` for /keys. `contexts` has the tables of all places
where keys count, `key_names` knows how keys are written.
"""
