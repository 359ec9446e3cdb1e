"""The process of a server that is spoken to over pipes: started in its sandbox, ended with all it has started.

Its entrance is `child`. From top to bottom: `child`; `confined`, the program that is started and sets up the sandbox,
and `endings`, whom a signal is for; `order`, what the program is handed; `server_log`, what the server says on stderr.
"""
