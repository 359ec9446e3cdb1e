"""What keeps the actors running: it starts, connects, restarts and ends them, and never looks into a message."""
