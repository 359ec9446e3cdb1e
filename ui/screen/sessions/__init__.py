"""Going about in sessions: to another place of this one, to another one, and sending the model less of it.

Its entrances are `places` (/tree and /fork), `rewind`, `other_sessions` (/resume, /new, /name), `compaction`,
`context_bar` and `budget_view`. `tree_rows` is how a tree is listed, `session_list` is chosen from and deleted in,
`deletion` is told of here as by the command line, `elsewhere` of what belongs to another folder; `held_session` is of
another program; `stored` reads from the store.
"""
