"""A batch while it runs, for people: on the terminal that started it, and for other programs that ask.

Its entrances are `progress` (events of the tasks in, a `standing` out), `display` (that on a terminal), `door` (other
programs see it there, and may ask for a pause) and `visitor` (their side of it). `table` makes rows of a standing,
`terminal` writes them. It imports `reports/`, `headless/` and what the screen has for terminals.
"""
