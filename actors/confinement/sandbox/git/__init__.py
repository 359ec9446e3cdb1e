"""Where git reads what it will run, so that nothing in a sandbox can write there: settings, hooks, nested repositories.

Its entrance is `repository_places`. It asks git itself (`questions`) in the environment of commands.
"""
