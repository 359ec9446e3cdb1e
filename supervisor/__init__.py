"""What keeps the actors running: it starts, connects, restarts and ends them, and never looks into a message.

Its entrance is `supervise`, which carries out a `session_plan` for the `tree` of actors. From top to bottom:
`supervise`; `orders` of actors and `health`; `child`, one actor across its lives; `router`, who gets which envelope;
`child_spec`, what an actor is. `tree_socket` and `tree_client` are the window for other terminals, `terminal` puts a
terminal in order, `process/` starts processes and speaks to them. It names concrete actors only as strings.
"""
