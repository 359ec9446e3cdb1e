"""The shell's language: syntax trees, words, options, and the parts that are found in a line. Pure."""
