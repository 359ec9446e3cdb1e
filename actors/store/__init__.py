"""The session store: one process, the only writer of the database.

Its entrance is `actor`. `schema` opens the file; `queries` finds, lists and names sessions, reads and writes their
entries; `session_copy` copies one, `spending` adds up what they cost; `locks` say which process has what.
"""
