"""The tools that read and change files, one file each; what several of them need is a noun beside them.

Its entrances are the tools: `read`, `list`, `write`, `edit`, `multi_edit`, `apply_patch`, `morph_edit`,
`move_and_copy`, `delete_and_make_dir`. A change is made in a `draft` and written by `whole_files`. `patches/` are the
forms of patches. It imports `search/`, `text/`, `workspace/` and what is below.
"""
