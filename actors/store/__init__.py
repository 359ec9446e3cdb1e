"""The session store: one process, the only writer of the database.

Its entrance is `actor`. `schema` opens the file; `queries` reads and writes entries, `session_copy` copies them,
`spending` adds up what they cost; `locks` say which process has what.
"""
