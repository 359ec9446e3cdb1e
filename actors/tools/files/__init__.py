"""The tools that read and change files, one file each; what several of them need is a noun beside them.

A change is made in a `draft` and written by `whole_files`. `patches/` are the forms of patches. It imports `search/`
and what is below.
"""
