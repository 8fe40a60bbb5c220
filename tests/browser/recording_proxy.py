"""A proxy that lets nothing through and writes down what was asked of it.

Chromium goes to this very machine without a proxy, so what arrives here was meant for another one,
whoever in the browser asked: a page, a worker, or the browser itself.
"""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Proxy:
    """What a browser needs to know, and what it asked for.

    Attributes:
        address: where it listens.
        asked: first lines of requests, such as ``CONNECT example.org:443 HTTP/1.1``.
    """

    address: str = ""
    asked: list[str] = field(default_factory=list)


@contextmanager
def recording_proxy() -> Iterator[Proxy]:
    """Listens on this machine until the block ends."""
    proxy = Proxy()

    class Refuse(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            proxy.asked.append(self.rfile.readline(4096).decode("latin-1").strip())
            self.wfile.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Refuse) as server:
        server.daemon_threads = True
        proxy.address = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield proxy
        finally:
            server.shutdown()
            thread.join()
