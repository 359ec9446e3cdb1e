"""What servers give, made ours: results of calls, resources and prompts, and the lists of what there is.

Its entrances are `content` and `listing`. `same` tells whether a text says what structured content says.
"""
