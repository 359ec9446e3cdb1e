"""What goes out to the agent, and what is kept until it has: prompts, the draft of the next one, the word to stop.

Its entrance is `outbox`: a prompt goes, a turn is stopped. `prompts` brings together what goes with one and gives back
what was not taken; `shell_lines` are commands of the user's own; `drafts` keeps what is being typed over a death of
the screen, with what is in the `queue`; `outside_editor` has it changed in the user's own editor.
"""
