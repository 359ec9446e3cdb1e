"""Starting fast: nothing is imported or compiled that a process does not use.

Every module is an entrance: `libraries` imports what all processes need, `absent` leaves out parts of a library, and
`late_patterns` compile regular expressions when they are first used. It imports nothing of ours.
"""
