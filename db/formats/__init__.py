"""The files that books are exchanged in, one module a format; none of them knows the store."""
