"""Processes: how one is started, what it does first, and the frames on its socket.

Its entrance is `spawner`. `zygote` forks, by `sibling` where it can, `host` is inside the new process, `wire` is the
socket, `chaos` injects faults, `stillness` tells from outside who is frozen, `leftovers` ends what killed programs have
left. It imports nothing of the rest of the supervisor.
"""
