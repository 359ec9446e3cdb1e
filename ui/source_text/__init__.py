"""What a question about code is asked of: the texts of a folder, as they may leave this machine. Nothing there is run.

Its entrances are `collected` (which files there are, and why others are left out) and `chunks` (what of them goes into
one question). `source_file` has the types, `reading` reads one file as it is sent, `decoding` makes text of bytes,
`skip_rules` say by name and content what never leaves, `listing` names the files that ignore files leave,
`looking_git` asks git. All of it is synchronous: fronts call it in a thread.
"""
