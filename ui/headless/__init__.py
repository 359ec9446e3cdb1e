"""Runs without a screen: one prompt, a batch, one answer of a command; what is printed and how it ends.

Its entrances are `prompt`, `batch` and `one_answer`. `watch` follows a turn, `report` turns it into what is printed in
each form of --output (text, JSON, the events of stream-json), `batch_results` are the lines of a batch's file, `stdout`
writes; `trajectory` writes what happened; `sign_in` and `browser` are for `trouper auth`. It imports `session_files/`,
`start/` and `common/`.
"""
