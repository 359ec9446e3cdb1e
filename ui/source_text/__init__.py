"""What a question about code is asked of: the texts of a folder, as they may leave this machine. Nothing there is run.

Its entrances are `collected` (which files there are, and why others are left out), `changes` (what of them is not as in
a commit), `chunks` (what goes into one question), `manifest` and `security_index` (what a model is told of the whole).
`source_file` has the types, `reading` reads one file as it is sent, `decoding` makes text of bytes, `skip_rules` say by
its name what never leaves, `listing` names the files that ignore files leave, `languages` tells what they are written
in, `differences` compares two texts, `looking_git` asks git. All of it is synchronous: fronts call it in a thread.
"""
