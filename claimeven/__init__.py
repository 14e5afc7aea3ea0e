"""A knowledge-based Connect Four solver: readable, checkable proofs by Allis' nine rules, and exact search."""

__version__ = "0.2.0"
