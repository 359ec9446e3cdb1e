"""What the user sees: the command line, the headless fronts, and the screen."""
