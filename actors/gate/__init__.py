"""The only way to a tool: it decides allow, ask or deny for every call, and hands on what it allows."""
