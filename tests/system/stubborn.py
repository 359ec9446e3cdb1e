"""A command that leaves all that a command can leave behind: children, a session of their own, a daemon."""

STUBBORN = """(setsid sleep 300 &)
nohup sleep 300 > /dev/null 2>&1 &
python3 -c 'import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open("daemon", "w").close()
        time.sleep(300)' &
sleep 300"""
