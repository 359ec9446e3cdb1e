"""The files of a workspace as they were before a turn, and back to them: recorded beside it, never in it.

Its entrance is `actor`. From top to bottom: `actor`; `worktrees/`, copies that agents work in, and `retention`, what is
dropped; `workspace`, one put together; `recording` of its files, a `bundle` of them for another machine, and what is
looked for in one from there, `inspection`; `comparison` of two records, which is pure; `scan`, what there is,
`ignored`, what git leaves out of that, and `file_writer`, which brings files back; `repository`, the private git
directory it is kept in, and `known_files`, what needs not be read again; `snapshot`, one record, and `open_folders`,
the way to a file on which no link is followed.
"""
