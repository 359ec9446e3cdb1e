"""Lines of text files: how they end, how they differ, which of them were meant. Pure."""
