"""The socket that the server listens at."""

from __future__ import annotations

import socket
import sys

WAITING = 128


def listen(host: str, port: int) -> socket.socket:
    """A socket at an address, port 0 for any that is free; raises OSError if it is taken or does not exist."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends at once, without waiting 40 ms for more, only where the protocol is named.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":  # there it would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(WAITING)
    except OSError:
        listening.close()
        raise
    return listening
