"""The session store: one process, the only writer of the database.

Its entrance is `actor`. `schema` opens the file; `lookup` finds a session, `sessions` lists and names them, `entries`
adds to one and reads it along a path, `tree` tells its places, `blobs` keeps what is large in an entry; `session_copy`
copies a path, `spending` keeps what each session has cost; `search` asks the `search_index`; `session_check` finds
what is wrong and `repair` makes a copy without that; `recap` says what a session was about; `batches` is the journal
of runs of many tasks.
"""
