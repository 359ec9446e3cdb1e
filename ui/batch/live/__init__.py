"""A batch while it runs, for people: on the terminal that started it, and for other programs that ask.

Its entrances are `onlookers` (told how the batch goes, they show it), `display` (a `standing` on a terminal) and
`visitor` (what another program sees and says at the `door`, in its `words`). `tracker` makes a standing of events,
`table` rows of a standing, `terminal` writes them. It imports `reports/`, `headless/` and what the screen has for
terminals.
"""
