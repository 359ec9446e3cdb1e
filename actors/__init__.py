"""What the agent does: one folder an actor, and the words they exchange."""
