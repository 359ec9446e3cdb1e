"""What an agent's session is: its entries and what follows from them, the way to the store, and who watches.

Its entrance is `history`, which is pure: all that the entries say. `resume` has the store send them, `journal` adds to
them, `model_choice` is who answers, `opening` stands in until all is read, `held_elsewhere` where another process has
the session, and `watchers` are told of events, first what `told` makes of the entries. It imports settings, messages and the mailbox, nothing of the agent's own.
"""
