"""A model service for audits: it answers what a function says, counts what it is asked, and holds back where told."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from actors.providers.scripted import ScriptedAnswer, ScriptedUsage, Situation
from tests.fakes import model_formats
from tests.system.harness import BOUND_S

PRICES = '[models."local/test-model"]\ncontext = {context}\nprices = [{{ input = 10, output = 10 }}]\n'
LINE = re.compile(r"^(\d+)\|(.*)$", re.MULTILINE)
PATH = re.compile(r'<source-\w+ path="([^"]*)"')


class Question(NamedTuple):
    system: str
    prompt: str

    @property
    def paths(self) -> list[str]:
        return PATH.findall(self.prompt)

    @property
    def is_last(self) -> bool:
        """That which puts the findings together."""
        return not self.paths


Answers = Callable[[Question], str]


class Service:
    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._changed = threading.Condition()
        self._may_answer = 10**9
        self.asked: list[Question] = []
        self.answered: list[Question] = []
        self.bodies: list[dict[str, object]] = []
        """Of the requests, without what is in the questions."""
        self.most_at_once = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def configure(self, home: Path, context: int = 12_000) -> None:
        """As the model of this home. context: tokens, which say how large a chunk can be."""
        provider = f'model = "local/test-model"\n[providers.local]\napi = "openai-chat"\nbase_url = "{self.url}"\n'
        (home / "config.toml").write_text(provider + PRICES.format(context=context))

    def hold(self, after: int = 0) -> None:
        """From now on only so many more are answered, until `let_go`."""
        with self._changed:
            self._may_answer = after

    def let_go(self) -> None:
        with self._changed:
            self._may_answer = 10**9
            self._changed.notify_all()

    def until(self, holds: Callable[["Service"], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: holds(self), BOUND_S), f"asked {len(self.asked)} times"

    @property
    def waiting(self) -> int:
        return len(self.asked) - len(self.answered)

    def serve(self) -> None:
        self._server.serve_forever()

    def close(self) -> None:
        self.let_go()
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, question: Question) -> str:
        with self._changed:
            self.asked.append(question)
            self.most_at_once = max(self.most_at_once, self.waiting)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._may_answer > 0)
            self._may_answer -= 1
        text = self._answers(question)
        with self._changed:
            self.answered.append(question)
            self._changed.notify_all()
        return text

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                system, prompt = (message["content"] for message in body.pop("messages"))
                service.bodies.append(body)
                text = service._answer(Question(_plain(system), _plain(prompt)))
                used = ScriptedUsage(input_tokens=1000, output_tokens=100)
                said = ScriptedAnswer(text=text, usage=used)
                data = b"".join(model_formats.chat(said, Situation(0, "", "", tools_offered=False), "test-model"))
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                with suppress(ConnectionError):  # who asked was killed
                    self.wfile.write(data)

            def do_GET(self) -> None:
                self.send_error(404)

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def _plain(content: str | list[dict[str, str]]) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


@contextmanager
def serving(answers: Answers) -> Iterator[Service]:
    service = Service(answers)
    thread = threading.Thread(target=service.serve)
    thread.start()
    try:
        yield service
    finally:
        service.close()
        thread.join()


def finding(path: str, quote: str, **more: object) -> dict[str, object]:
    told = {"severity": "high", "kind": "command-injection", "title": f"bad in {path}", "why": "w", "fix": "f"}
    return {**told, "path": path, "quote": quote, "first_line": 1, "last_line": 1, **more}


def one_a_file(question: Question) -> str:
    """A finding in each file that it was sent, about its longest line there."""
    if question.is_last:
        return json.dumps({"same": [], "summary": "It is bad."})
    found = []
    for part in question.prompt.split("<source-")[1:]:
        lines = LINE.findall(part)
        number, quote = max(lines, key=lambda line: len(line[1].strip()), default=("1", ""))
        found.append(finding(PATH.findall(f"<source-{part}")[0], quote, first_line=int(number)))
    return json.dumps({"findings": found})
