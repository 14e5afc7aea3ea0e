"""Makes solutions: what a build knows, what it tries next, and the solution that comes of it.

What an improver tries next was a schedule by hand before it was drawn by chance (`prospects`). Beside that, from the
same files, 75 s each on one thread, sizes with two a move and one a leaf: 7x4 for White 322 (by hand 336, before 343),
5x6 137 (148, 305), 6x5 for White 194 (189, 208), 6x4 41 (35, 74). So neither is better on all boards; on 7x6, at 1,058,
the schedule saved 2 in 11 minutes, and what is drawn has not been measured there yet.
"""
