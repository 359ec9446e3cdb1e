"""The version, readable without importing anything: the first frame shows it."""

VERSION = "0.2.0"
AGENT = f"trouper/{VERSION}"
"""What model services are told of who asks."""
