"""A bad line: forwards bytes between a client and a server until it is told to hold them or to break."""

from __future__ import annotations

import contextlib
import socket
import threading
import time


class Line:
    """Listens on `port`. While `held` nothing passes and nobody is told, as when a phone loses its network."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open = threading.Event()
        self._open.set()
        self._sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def hold(self) -> None:
        self._open.clear()

    def release(self) -> None:
        self._open.set()

    def cut(self) -> None:
        """Break every connection; new ones pass."""
        for one in self._sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._sockets.clear()

    def close(self) -> None:
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                return
            self._sockets += [client, server]
            for ends in ((client, server), (server, client)):
                threading.Thread(target=self._forward, args=ends, daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                while not self._open.wait(0.05):
                    pass
                sink.sendall(data)
        time.sleep(0)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)
