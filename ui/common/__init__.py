"""What several parts of the ui need: exit codes and usage errors, words of modes, files that are attached, safe text.

Each is small and has two users at least; nothing here imports another room. Every module is an entrance:
`exit_codes` and `usage_errors` for how a command ends, `harmless` for text from outside, and so on.
"""
