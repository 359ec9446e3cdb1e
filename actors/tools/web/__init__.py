"""What the tools know of the web: which addresses are public, one URL's answer, a page as Markdown, a search."""
