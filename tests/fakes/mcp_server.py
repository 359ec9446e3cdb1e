"""An MCP server without the SDK, that behaves and misbehaves: over its pipes as a program, or for a test's HTTP server.

    python tests/fakes/mcp_server.py FLAG ...

What a tool of it does is what its name says. FLAGS are ways of a whole server: see `main`.
"""

import base64
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FILE = str(Path(__file__).resolve())  # named whole on a command line it is there in the sandbox, too
Json = dict[str, Any]
Said = Json | bytes
"""A message, or what is sent as it is."""
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0" * 40).decode()
FORM = {
    "type": "object",
    "properties": {"name": {"type": "string", "title": "Your name"}, "age": {"type": "integer", "default": 7}},
    "required": [],
}
TOOLS = (
    *("echo", "big", "images", "unknown_kinds", "bad_structured", "same_structured", "junk", "wrong_ids", "silent"),
    *("flood", "progress", "too_long", "deep", "grow", "ask", "roots", "spawn", "environment", "write", "crash"),
    *("error", "no_tool_error", "task", "die", "links", "no_content", "sample", "begin"),
)
MANY = tuple(f"thing{number:03}" for number in range(200))
"""More than a model is told of at once; the description of each is long."""


def text(words: str) -> Json:
    return {"content": [{"type": "text", "text": words}]}


class Fake:
    def __init__(self, flags: tuple[str, ...] = ()) -> None:
        self.flags = flags
        self.tools = [*TOOLS, *(MANY if "many" in flags else ())]
        self.heard: list[Json] = []
        self.asked = 0
        self.waiting: dict[Any, Any] = {}
        """Id of a request of ours -> id of the call it was for."""
        self.page = 0
        self.listener: Any = None
        """The request for changes, of 2026."""
        self.looks = 0
        self.answers: Json = {}
        """To what tasks have asked, by key."""

    def handle(self, message: Json) -> Iterator[Said]:
        self.heard.append(message)
        method, number = message.get("method"), message.get("id")
        if method is None:
            yield from self.answered(message)
        elif number is None:
            yield from self.noticed(message)
        elif (answer := self.answer(method, message.get("params") or {})) is not None:
            yield {"jsonrpc": "2.0", "id": number, "result": answer}
        elif method == "subscriptions/listen" and "listens" in self.flags:
            self.listener = number
            wanted = message["params"]["notifications"]
            yield self.stamped("notifications/subscriptions/acknowledged", notifications=wanted)
        elif method == "tools/call":
            yield from self.called(number, message["params"])
        elif method == "resources/read":
            yield from self.read(number, params=message["params"])
        elif method == "prompts/get":
            yield from self.prompted(number, params=message["params"])
        elif "dies_on_unknown" in self.flags:
            raise SystemExit(3)
        else:
            yield error(number, -32601, "Method not found")

    def stamped(self, method: str, **params: Any) -> Json:  # noqa: ANN401  # JSON
        meta = {"_meta": {SUBSCRIPTION: self.listener}} if self.listener else {}
        return {"jsonrpc": "2.0", "method": method, "params": {**params, **meta}}

    @property
    def extra(self) -> Json:
        """What results of the stateless era have to say, and a careless server does not."""
        return COMPLETE if "modern" in self.flags and "careless" not in self.flags else {}

    def noticed(self, message: Json) -> Iterator[Said]:
        if record := os.environ.get("RECORD"):
            with Path(record).open("a") as file:
                file.write(json.dumps(message) + "\n")
        yield from ()

    def answered(self, message: Json) -> Iterator[Said]:
        """To a request of ours: what it said is the result of the call."""
        call = self.waiting.pop(message.get("id"), None)
        if call is not None:
            said = message.get("result", message.get("error"))
            yield {"jsonrpc": "2.0", "id": call, "result": text(json.dumps(said, sort_keys=True))}

    def answer(self, method: str, params: Json) -> Json | None:
        has = {"tools": {"listChanged": True}, "resources": {}, "prompts": {}}
        match method:
            case "initialize":
                return {
                    "protocolVersion": "2025-11-25",
                    "capabilities": has,
                    "serverInfo": {"name": "fake", "version": "1"},
                    "instructions": "Be kind.",
                }
            case "server/discover" if "modern" in self.flags:
                about = {"_meta": {"io.modelcontextprotocol/serverInfo": {"name": "fake", "version": "2"}}}
                about["capabilities"] = {"tools": {"listChanged": "listens" in self.flags}}
                return {**COMPLETE, "supportedVersions": ["2026-07-28"], **about}
            case "tools/list":
                return self.listed(params)
            case "resources/list":
                return {"resources": [{"uri": "fake://one", "name": "one"}, {"name": "without a place"}]}
            case "resources/templates/list":
                return {"resourceTemplates": [{"uriTemplate": "fake://rows/{n}", "name": "row"}, {"name": "broken"}]}
            case "prompts/list":
                return {"prompts": PROMPTS}
            case _ if method.startswith("tasks/"):
                return self.tasked(method, params)
            case _:
                return None

    def tasked(self, method: str, params: Json) -> Json | None:
        is_modern = "modern" in self.flags
        match method:
            case "tasks/get":
                return self.look(params["taskId"]) if is_modern else {**TASK, "status": "completed"}
            case "tasks/update" if is_modern:
                self.answers |= params["inputResponses"]
                return dict(COMPLETE)
            case "tasks/cancel":
                return dict(COMPLETE) if is_modern else {**TASK, "status": "cancelled"}
            case "tasks/result" if not is_modern:
                return text("the task is done")
            case _:
                return None

    def read(self, number: object, params: Json) -> Iterator[Said]:
        """Beside the one that is listed there are some that are not."""
        match uri := params["uri"]:
            case "fake://silent":
                print("never answers this", file=sys.stderr, flush=True)
                yield from ()
            case "fake://die":
                yield from self.do_die(number, params)
            case "fake://picture.png":
                yield result_of(number, {"contents": [{"uri": uri, "blob": PNG, "mimeType": "image/png"}]})
            case "fake://big":
                yield result_of(number, {"contents": [{"uri": uri, "text": "x" * 400_000}]})
            case "fake://one":
                yield result_of(number, {"contents": [{"uri": uri, "text": "of one"}]})
            case _ if uri.startswith("fake://rows/"):
                yield result_of(number, {"contents": [{"uri": uri, "text": f"row {uri[12:]}\n\x1b[2Jline 2"}]})
            case _:
                yield error(number, -32002, f"Resource not found: {uri}")

    def prompted(self, number: object, params: Json) -> Iterator[Said]:
        given = params.get("arguments") or {}
        match params["name"]:
            case "greet":
                words = f"Greet {given['who']}{given.get('how', '')}."
                yield result_of(number, {"messages": [said("user", {"type": "text", "text": words})]})
            case "talk":
                image = {"type": "image", "data": PNG, "mimeType": "image/png"}
                hi, ho = {"type": "text", "text": "Hi."}, {"type": "text", "text": "Ho."}
                yield result_of(number, {"messages": [said("user", hi), said("assistant", ho), said("user", image)]})
            case "die":
                yield from self.do_die(number, params)
            case _:
                yield error(number, -32602, "no such prompt")

    def look(self, task: str) -> Json:
        """At a task of 2026, which is named for what it does."""
        self.looks += 1
        state = {**COMPLETE, **TASK_2026, "taskId": task}
        if task == "asks" and "who" not in self.answers:
            asked = {"mode": "form", "message": "Who are you?", "requestedSchema": FORM}
            request = {"method": "elicitation/create", "params": asked}
            return {**state, "status": "input_required", "inputRequests": {"who": request}}
        if task == "endless" or self.looks == 1:
            return {**state, "statusMessage": "half done"}
        if task == "fails":
            return {**state, "status": "failed", "error": {"code": -32603, "message": "no disk"}}
        return {**state, "status": "completed", "result": text(json.dumps(self.answers) if task == "asks" else "done")}

    def listed(self, params: Json) -> Json:
        if "pages_for_ever" in self.flags:
            self.page += 1
            return {**self.extra, "tools": [described(f"tool{self.page:05}")], "nextCursor": str(self.page)}
        middle = len(self.tools) // 2
        if params.get("cursor"):
            return {**self.extra, "tools": [described(name) for name in self.tools[middle:]]}
        broken: list[Any] = [{"description": "without a name"}, "no tool", {"name": "untyped"}]
        first = [described(name) for name in self.tools[:middle]]
        return {**self.extra, "tools": [*broken, *first], "nextCursor": "more"}

    def called(self, number: object, params: Json) -> Iterator[Said]:
        made = getattr(self, f"do_{params['name']}", None)
        if made is not None:
            yield from made(number, params)
            return
        if params["name"] in MANY:
            yield self.reply(number, f"{params['name']} did {json.dumps(params.get('arguments'))}")
            return
        result = RESULTS.get(params["name"])
        if result is None:
            yield error(number, -32602, f"Unknown tool: {params['name']}")
            return
        yield {"jsonrpc": "2.0", "id": number, "result": {**self.extra, **result}}

    def reply(self, number: object, words: str) -> Json:
        return {"jsonrpc": "2.0", "id": number, "result": {**self.extra, **text(words)}}

    def do_echo(self, number: object, params: Json) -> Iterator[Said]:
        yield self.reply(number, json.dumps(params.get("arguments")))

    def do_big(self, number: object, params: Json) -> Iterator[Said]:
        yield self.reply(number, "x" * params["arguments"]["size"])

    def do_junk(self, number: object, _params: Json) -> Iterator[Said]:
        yield b"Listening on stdio...\n\r\n{not json\n\xff\xfe\n[1, 2]\n"
        yield self.reply(number, "after the junk")

    def do_wrong_ids(self, number: object, _params: Json) -> Iterator[Said]:
        yield self.reply(999_999, "nobody asked")
        yield self.reply(f"{number}x", "nobody asked")
        yield self.reply(number, "the right one")

    def do_silent(self, _number: object, _params: Json) -> Iterator[Said]:
        yield from ()

    def do_flood(self, number: object, _params: Json) -> Iterator[Said]:
        for count in range(3000):
            yield {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": count}}
            yield {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
        yield self.reply(number, "after the flood")

    def do_begin(self, number: object, params: Json) -> Iterator[Said]:
        """A task of 2026."""
        begun = {**COMPLETE, **TASK_2026, "resultType": "task", "taskId": params["arguments"]["task"]}
        yield {"jsonrpc": "2.0", "id": number, "result": begun}

    def do_progress(self, number: object, params: Json) -> Iterator[Said]:
        token = params.get("_meta", {}).get("progressToken")
        for step in (1, 2):
            told = {"progressToken": token, "progress": step, "total": 2, "message": f"step {step}"}
            yield {"jsonrpc": "2.0", "method": "notifications/progress", "params": told}
        yield self.reply(number, "done")

    def do_too_long(self, number: object, _params: Json) -> Iterator[Said]:
        yield self.reply(number, "y" * (25 * 1024 * 1024))

    def do_deep(self, number: object, _params: Json) -> Iterator[Said]:
        deep = "[" * 500 + "]" * 500
        yield f'{{"jsonrpc": "2.0", "id": {number}, "result": {{"content": {deep}}}}}\n'.encode()

    def do_grow(self, number: object, _params: Json) -> Iterator[Said]:
        self.tools.append("grown")
        yield self.stamped("notifications/tools/list_changed")
        yield self.reply(number, "grown")

    def do_ask(self, number: object, params: Json) -> Iterator[Said]:
        given = {"message": "Who are you?", "requestedSchema": FORM}
        if url := params["arguments"].get("url"):
            given = {"mode": "url", "message": "Pay here", "url": url, "elicitationId": "e1"}
        yield self.request(number, "elicitation/create", given)

    def do_roots(self, number: object, _params: Json) -> Iterator[Said]:
        yield self.request(number, "roots/list", {})

    def do_sample(self, number: object, _params: Json) -> Iterator[Said]:
        said = [{"role": "user", "content": {"type": "text", "text": "What is 2 and 2?"}}]
        wanted = {"messages": said, "maxTokens": 10, "systemPrompt": "Be short."}
        yield self.request(number, "sampling/createMessage", wanted)

    def request(self, number: object, method: str, params: Json) -> Json:
        self.asked += 1
        own = f"ours-{self.asked}"
        self.waiting[own] = number
        return {"jsonrpc": "2.0", "id": own, "method": method, "params": params}

    def do_spawn(self, number: object, _params: Json) -> Iterator[Said]:
        """A child that has its own session, and ignores what it is asked."""
        ignoring = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)"
        child = subprocess.Popen([sys.executable, "-c", ignoring], start_new_session=True)
        yield self.reply(number, json.dumps([os.getpid(), child.pid]))

    def do_environment(self, number: object, _params: Json) -> Iterator[Said]:
        yield self.reply(number, json.dumps(dict(os.environ)))

    def do_write(self, number: object, params: Json) -> Iterator[Said]:
        try:
            Path(params["arguments"]["path"]).write_text("written")
            yield self.reply(number, "written")
        except OSError as problem:
            yield {"jsonrpc": "2.0", "id": number, "result": {**text(str(problem)), "isError": True}}

    def do_crash(self, number: object, _params: Json) -> Iterator[Said]:
        print("about to fail: disk on fire", file=sys.stderr, flush=True)
        yield f'{{"jsonrpc": "2.0", "id": {number}, "resu'.encode()
        raise SystemExit(4)

    def do_die(self, _number: object, _params: Json) -> Iterator[Said]:
        yield b""
        os.kill(os.getpid(), signal.SIGKILL)

    def do_no_tool_error(self, number: object, _params: Json) -> Iterator[Said]:
        yield error(number, -32602, "Unknown tool \x1b[31mred\x1b[0m")


def said(role: str, content: Json) -> Json:
    return {"role": role, "content": content}


def result_of(number: object, result: Json) -> Json:
    return {"jsonrpc": "2.0", "id": number, "result": result}


PROMPTS = [
    {"name": "greet", "description": "Says hello.", "arguments": [{"name": "who", "required": True}, {"name": "how"}]},
    {"name": "talk"},
    {"name": "die"},
]

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
COMPLETE: Json = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
AT = "2026-01-01T00:00:00Z"
TASK: Json = {
    "taskId": "t1",
    "status": "working",
    "createdAt": AT,
    "lastUpdatedAt": AT,
    "ttl": None,
    "pollInterval": 10,
}
TASK_2026: Json = {"status": "working", "createdAt": AT, "lastUpdatedAt": AT, "ttlMs": None, "pollIntervalMs": 10}
RESULTS: dict[str, Json] = {
    "images": {"content": [{"type": "image", "data": PNG, "mimeType": "image/png"}] * 12},
    "unknown_kinds": {
        "content": [{"type": "hologram", "x": 1}, {"type": "text"}, "bare", {"type": "text", "text": "and a good one"}]
    },
    "bad_structured": {"content": [{"type": "text", "text": "fine"}], "structuredContent": {"count": "no number"}},
    "same_structured": {**text('{"count": 3}'), "structuredContent": {"count": 3}},
    "error": {**text("it went wrong"), "isError": True},
    "links": {
        "content": [
            {"type": "resource_link", "uri": "fake://a", "name": "a"},
            {"type": "resource", "resource": {"uri": "fake://b", "text": "of b"}},
            {"type": "audio", "data": PNG, "mimeType": "audio/wav"},
        ]
    },
    "no_content": {},
    "task": {"task": TASK},
}


def described(name: str) -> Json:
    tool: Json = {"name": name, "description": f"does {name}", "inputSchema": {"type": "object"}}
    if name in MANY:
        tool["description"] = f"Does the {name}. " + "It is a long story. " * 20
        tool["inputSchema"] = {"type": "object", "properties": {"depth": {"type": "integer"}}}
    if name == "bad_structured":
        tool["outputSchema"] = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
    if name == "task":
        tool["execution"] = {"taskSupport": "required"}
    return tool


def error(number: object, code: int, message: str) -> Json:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}


def main(flags: tuple[str, ...]) -> None:
    if "dead" in flags:
        print("cannot find the licence", file=sys.stderr, flush=True)
        sys.exit(3)
    if "stays" in flags:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "chatty" in flags:
        sys.stdout.buffer.write(b"Welcome to the fake server!\n")
    fake = Fake(flags)
    for line in sys.stdin.buffer:
        if "mute" in flags:
            continue
        for said in fake.handle(json.loads(line)):
            sys.stdout.buffer.write(said if isinstance(said, bytes) else json.dumps(said).encode() + b"\n")
            sys.stdout.buffer.flush()
    while "stays" in flags:
        time.sleep(60)


if __name__ == "__main__":
    main(tuple(sys.argv[1:]))
