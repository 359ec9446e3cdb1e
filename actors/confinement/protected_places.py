"""What in a workspace neither tools nor commands write."""

OWN = ".trouper"
PROTECTED = (".git/hooks", ".git/config", OWN)
"""Of the workspace: files that run commands or loosen rules. Tools write neither them nor another repository's."""
