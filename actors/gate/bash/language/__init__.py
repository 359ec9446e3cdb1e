"""The shell's language: syntax trees, words, options, and what is found out about a line. Pure.

Its entrances are `syntax`, a line's tree, and `words`, what a node of it comes to. `parts` is what an analysis yields
and `surroundings` what it starts from; `options` and `name_lists` are for the tables of programs. It imports no other
room.
"""
