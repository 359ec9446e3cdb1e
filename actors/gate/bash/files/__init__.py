"""Which files the words of a command name, and how they are seen from the workspace. It imports `language/`."""
