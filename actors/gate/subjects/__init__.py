"""What a call touches: files, hosts, commands; and what is known of each place. It looks at the disk, no more.

Its entrance is `call_subjects`; `subject` is what it finds. Below it `command_subjects` goes through a command line,
with what that reaches without naming it (`folder_contents`, `moved_deletions`, `repositories`, `symlinks`); `places`
says where a path leads. It imports `bash/` and `decision`.
"""
