"""What is typed: the draft, its keys, earlier prompts.

Its entrance is `editor`: the text, its cursor, undo; `boundaries` says where words and lines end. `keymap` says which
key does what, `key_names` how keys are written, `history` keeps what was sent, `history_search` finds it again,
`last_words` takes a word of it; a `layer` stands over the composer, `vi/` is modal editing. `wrapping` makes rows.
It imports `terminal/` only.
"""
