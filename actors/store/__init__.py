"""The session store: one process, the only writer of the database."""
