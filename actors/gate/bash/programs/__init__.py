"""What each program does with its arguments: tables first, code where the arguments decide.

Its entrance is `simple_command`. To add a program: a line in `tables`; or a module that reads its arguments, and a line
in `readings`. It imports `files/` and `language/`.
"""
