"""Where the store is: what the user says, what the environment says, or a file in the user's data directory."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from claimeven.db.errors import StoreError
from claimeven.db.secret import hide_url

VARIABLE = "CLAIMEVEN_DB"

_SQLITE_URL = re.compile(r"sqlite(?:\+pysqlite)?:(?://(?:/(?P<path>[^?]*)(?:\?.*)?)?)?")


@dataclass(frozen=True, slots=True)
class StoreLocation:
    """A SQLAlchemy URL and, for a store that is a SQLite file, the path of that file."""

    url: str
    path: Path | None = None

    @classmethod
    def parse(cls, text: str) -> StoreLocation:
        """The location that a path or a URL means; raises StoreError for one that can mean none.

        >>> StoreLocation.parse("book.db").path
        PosixPath('book.db')
        >>> StoreLocation.parse("sqlite:////data/book.db").path, StoreLocation.parse("sqlite://").is_memory
        (PosixPath('/data/book.db'), True)
        """
        if not text or "\0" in text:
            raise StoreError(f"--db or {VARIABLE}: {text!r} is neither a path nor a database URL")
        match = _SQLITE_URL.fullmatch(text)
        if match is not None:
            path = match["path"]
            return cls("sqlite://") if path in (None, "", ":memory:") else cls(text, Path(path))
        if text == ":memory:":
            return cls("sqlite://")
        if re.match(r"[a-z][a-z0-9+]+://", text):
            return cls(text)
        try:
            path = Path(text).expanduser()
        except RuntimeError:
            raise StoreError(f"{text}: there is no user of that name; write ./{text} for a file") from None
        return cls(f"sqlite:///{path}", path)

    @classmethod
    def find(cls, option: str | None = None) -> StoreLocation:
        """The location that the user chose: the option, else CLAIMEVEN_DB, else the default file."""
        if option is not None:
            return cls.parse(option)
        return cls.parse(os.environ.get(VARIABLE) or str(default_path()))

    @property
    def is_memory(self) -> bool:
        return self.url == "sqlite://"

    @property
    def is_sqlite(self) -> bool:
        return self.is_memory or self.path is not None

    @property
    def is_read_only(self) -> bool:
        """Whether it is a file that is there and cannot be written, or stands where SQLite can write nothing."""
        path = self.path
        if path is None or not path.exists():
            return False
        return not (os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK))

    def __str__(self) -> str:
        """The location for messages: on one line, and without a password."""
        text = hide_url(self.url) if self.path is None else str(self.path)
        return text if text.isprintable() else ascii(text)


def default_path() -> Path:
    """The file that is the store when nothing else is said."""
    import platformdirs  # late: who says where the store is does not wait for it

    return Path(platformdirs.user_data_dir("claimeven", appauthor=False)) / "store.db"
