"""What an agent's session is: its entries and what follows from them, the way to the store, and who watches.

Its entrance is `history`, which is pure: all that the entries say. `resume` has the store send them, while `opening`
shows their end; `journal` adds to them, `model_choice` is who answers, `naming` has a model give it a name,
`watchers` are told of events, `told` says of which first, `finishing` keeps what has begun going, `leaving` is what
is written where it goes on elsewhere, and `queue` the prompts that wait. Where another program has the session,
`held_elsewhere` has to do with that, and `onlooker` stands in; `steered` is one of a subagent there. It imports
settings, messages, the mailbox and what is common, nothing of the agent's own.
"""
