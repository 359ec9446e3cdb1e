"""Runs without a screen: one prompt, one answer of a command; what is printed and how it ends.

Its entrances are `prompt` and `one_answer`. `watch` follows a turn, `waits` knows for whom it waits, `report`
turns it into what is printed in each form of --output (text, JSON, the events of stream-json), `stdout` writes;
`trajectory` writes what happened; `sign_in` and `browser` are for `trouper auth`, `terminal_questions` for what
a server asks. It imports `session_files/`, `start/` and `common/`.
"""
