"""Going about in sessions: to another place of this one, to another one, and sending the model less of it.

Its entrances are `places` (/tree and /fork), `rewind`, `other_sessions` (/resume, /new, /name), `compaction`,
`context_bar` and `budget_view`. `tree_rows` is how a tree is listed, `stored`
reads from the store.
"""
