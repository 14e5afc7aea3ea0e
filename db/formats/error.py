"""What is said of a file that cannot be read, and of a book that cannot be written in a format."""

from __future__ import annotations


class FormatError(ValueError):
    """A file that is not of the format it is said to be, or a book that the format cannot hold."""


class IncompleteBookError(FormatError):
    """Positions are missing in a format that has to hold all of them."""
