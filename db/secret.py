"""Passwords in the URL of a database: found wherever they stand, and kept out of everything that is shown."""

from __future__ import annotations

import re
from urllib.parse import unquote, unquote_plus

HIDDEN = "***"


def hide_url(url: str) -> str:
    """The URL for messages: without a password, and without the values behind the question mark.

    >>> hide_url("postgresql://me:p@ss@host/db?password=x")
    'postgresql://me:***@host/db?***'
    """
    scheme, authority, query = _split(url)
    if "@" in query:  # it may be a question mark in a password that came before it
        authority = authority.partition(":")[0].partition("@")[0]
        return f"{scheme}{authority}:{HIDDEN}"
    user, at, place = authority.rpartition("@")
    name, colon, _ = user.partition(":")
    shown = f"{name}:{HIDDEN}{at}{place}" if colon else authority
    return f"{scheme}{shown}" + (f"?{HIDDEN}" if query else "")


def hide_in(text: str, url: str) -> str:
    """A text, as a driver's complaint, without what may be a password in the URL."""
    for secret in sorted(_secrets(url), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", HIDDEN, text)
    return text


def _split(url: str) -> tuple[str, str, str]:
    """The scheme with its slashes, what follows up to the question mark, and the rest."""
    scheme, slashes, rest = url.partition("//")
    authority, _, query = rest.partition("?")
    return scheme + slashes, authority, query


def _secrets(url: str) -> set[str]:
    """All that may be a password or, where it holds an @, a part of one."""
    _, authority, query = _split(url)
    user, _, _ = authority.rpartition("@")
    _, _, password = user.partition(":")
    values = [password, *(part.partition("=")[2] for part in re.split("[&;]", query))]
    if "@" in query:
        values.append(authority.partition(":")[2])
    values += [unquote(value) for value in values] + [unquote_plus(value) for value in values]
    return {piece for value in values for piece in (value, *value.split("@")) if piece}
