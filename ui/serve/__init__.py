"""Trouper as an MCP server: other programs give it tasks over stdin and stdout, each done by an agent of its own.

Its entrance is `front`, which runs as the ui actor; `terms` has what the command line hands to it. `protocol` is what a
client sees: the tools and their results, with the SDK; `stdio` carries the messages. `tasks` knows the tasks there are,
`task` sees one through, in the place that `places` allows; `questions` puts what the gate asks into a form for the
client's user, `progress` what the agent does into few words. `past_sessions` searches and reads. It imports `batch/`,
`headless/` and what is below.
"""
