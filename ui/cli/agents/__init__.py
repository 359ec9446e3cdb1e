"""The actions of `trouper agents`: what the subagents of running programs do, and what they are asked from outside.

Its entrances are `listing`, `orders` and `meant`. `meant` asks all programs, and says which agent somebody means.
"""
