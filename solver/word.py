"""The words that kernels work on: unsigned numbers of 64 bits. A constant that meets one is one itself, because numba
makes a float of a signed and an unsigned number."""

import numpy as np

WORD = 64
"""How many bits a word has."""

WORD_BYTES = np.uint64(8)
"""How many bytes: the step from a word in memory to the next."""

NONE, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
ALL = ~NONE


def count_words(bits: int) -> int:
    """How many words hold so many bits.

    >>> count_words(0), count_words(64), count_words(65)
    (0, 1, 2)
    """
    return (bits + WORD - 1) // WORD
