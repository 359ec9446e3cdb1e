"""What a shell command would do, found by a real parser of the shell's language. Pure."""
