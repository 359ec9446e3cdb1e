"""What a shell command would do, found by a real parser of the shell's language. Pure.

Its entrance is `analysis`. From top to bottom: `analysis`, `shell/` goes through a line as a shell would, `programs/`
knows what each program does, `files/` which arguments are files, `language/` the words.
"""
