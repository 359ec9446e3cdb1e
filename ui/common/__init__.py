"""What several parts of the ui need: exit codes, usage errors, words of modes, attached files, safe text, bounded work.

Each is small and has two users at least; nothing here imports another room. Every module is an entrance:
`exit_codes` and `usage_errors` for how a command ends, `harmless` for text from outside, and so on.
"""
