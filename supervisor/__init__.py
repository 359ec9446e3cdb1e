"""What keeps the actors running: it starts, connects, restarts and ends them, and never looks into a message.

Its entrance is `supervise`, which carries out a `session_plan` for the `tree` of actors, and logs what it does. From
top to bottom: `supervise`; `orders` of actors, and who may give which; `health`, who is frozen, hung or too large;
`child`, one actor across its lives; `router`, who gets which envelope; `suspects`, requests at which actors died;
`restarts`, who lives again and when; `child_spec`, what an actor is. `tree_socket` and `tree_client` are the window
for other terminals, `signals` what the user's keys send, `log` the file, `terminal` puts a terminal in order,
`process/` starts processes and speaks to them. It names concrete actors only as strings.
"""
