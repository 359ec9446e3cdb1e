"""What a shell command would do, found by a real parser of the shell's language. Pure.

Its entrance is `command_line`. From top to bottom: `command_line`, `shell/` goes through a line as a shell would,
`programs/` knows what each program does, `files/` which arguments are files, `language/` the words.
"""
