"""The process of a server that is spoken to over pipes: started in its sandbox, ended with all it has started.

Its entrance is `child`. From top to bottom: `child`; `starter`, that servers are forked from, and `endings`, whom a
signal is for; `confined` sets up the sandbox and becomes the server; `order`, what it is handed; `server_log`, what the
server says on stderr.
"""
