"""What several parts of the ui need: words of modes and errors, files that are attached, what is safe to print.

Each is small and has two users at least; nothing here imports another room. Its entrance is whichever is needed:
`usage` for exit codes, `harmless` for text from outside.
"""
