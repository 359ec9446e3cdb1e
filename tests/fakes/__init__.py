"""One fake a seam; each behaves like the real thing."""
