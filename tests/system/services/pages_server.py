"""A web server of a folder, whose files that end in .gz it sends packed, as what their names say without that.

usage: python pages_server.py PORT FOLDER
"""

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, test

PACKED = ".gz"


class Pages(SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        if self.path.endswith(PACKED):
            self.send_header("Content-Encoding", "gzip")
        super().end_headers()

    def guess_type(self, path: str) -> str:  # type: ignore[override]  # it is only called with a text
        return super().guess_type(path.removesuffix(PACKED))


if __name__ == "__main__":
    test(partial(Pages, directory=sys.argv[2]), port=int(sys.argv[1]))
