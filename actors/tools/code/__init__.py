"""What source files define and refer to, by tree-sitter and the tag queries that come with its grammars."""
