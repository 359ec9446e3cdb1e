"""Starting fast: nothing is imported or compiled that a process does not use.

Every module is an entrance: `libraries` imports what all processes need, `absent` leaves out parts of a library,
`late_patterns` compile regular expressions when they are first used, `code_cache` serves the code of modules from one
file, which `code_cache_writer` writes, and that of attrs' own `attrs_scripts`. It imports nothing of ours, but what
writing needs.
"""
