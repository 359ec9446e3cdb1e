"""Names of folders for tasks, whatever the tasks are called: safe, readable, and never one for two of them. Pure."""

import re
from hashlib import sha256

PLAIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
"""What can be a name as it is, also where large and small letters are the same."""
HASHED = re.compile(r".*-[0-9a-f]{12}", re.DOTALL)
"""Ours: no task's own name may look so."""
READABLE = 60
"""Characters."""

AGENTS = "agents"
"""In the folder of a task: a folder for each agent that it has started."""


def folder_name(task_id: str) -> str:
    if PLAIN.fullmatch(task_id) and not HASHED.fullmatch(task_id) and not task_id.endswith("."):
        return task_id
    rest = re.sub(r"[^A-Za-z0-9_]+", "-", task_id).strip("-")[:READABLE]
    digest = sha256(task_id.encode(errors="surrogatepass")).hexdigest()[:12]
    return f"{rest or 'task'}-{digest}"
