"""The session store: one process, the only writer of the database.

Its entrance is `actor`; `tree` reads and writes entries, `schema` opens the file.
"""
