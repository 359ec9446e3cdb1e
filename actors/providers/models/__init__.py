"""Which model a name means, where it is, what it can and what it costs; local servers that are found running.

Its entrance is `targets`. It imports `auth/` and what is below; what loads httpx only when a service is asked.
"""
