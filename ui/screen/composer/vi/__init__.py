"""Modal editing as in vi, over the same text as all other keys. Only who has chosen it imports this room.

Its entrance is `modal`: the mode, and what a key means in it. `changes` are made to the text, `spans` says of which
part, by `motions` and `objects`; `grammar` reads a command, and `places` are those of characters, words and lines.
"""
