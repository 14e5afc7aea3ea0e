"""Lines of input in chunks: as many as are there, so that a stream is answered as it comes."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from queue import Empty, Queue

_END = object()


def available_chunks(lines: Iterable[str], size: int) -> Iterator[list[str]]:
    """The lines in lists of at most `size`: what has arrived by the time the list is asked for, and at least one.

    A thread reads ahead, at most two chunks; what goes wrong while it reads is raised here.

    >>> list(available_chunks(["1", "12", "123"], size=2))[-1][-1]
    '123'
    """
    queue: Queue[object] = Queue(maxsize=2 * size)
    # A daemon: a reader that waits for a stream which never ends must not keep the program from ending.
    threading.Thread(target=_read, args=(lines, queue), daemon=True, name="reader").start()
    ended = False
    while not ended:
        chunk: list[str] = []
        item = queue.get()
        while True:
            if isinstance(item, BaseException):
                raise item
            if item is _END:
                ended = True
                break
            chunk.append(str(item))
            if len(chunk) == size:
                break
            try:
                item = queue.get_nowait()
            except Empty:
                break
        if chunk:
            yield chunk


def _read(lines: Iterable[str], queue: Queue[object]) -> None:
    try:
        for line in lines:
            queue.put(line)
        queue.put(_END)
    except Exception as error:
        queue.put(error)
