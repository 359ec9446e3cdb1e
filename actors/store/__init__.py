"""The session store: one process, the only writer of the database.

Its entrance is `actor`. `schema` opens the file; `lookup` finds a session, `sessions` lists and names them, `entries`
adds to one and reads it along a path, `tree` tells its places, `blobs` keeps what is large in an entry; `session_copy`
copies a path, `spending` keeps what each session has cost; `locks` say which process has what.
"""
