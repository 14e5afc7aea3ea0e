"""Makes solutions: what a build knows, what it tries next, and the solution that comes of it.

What an improver tries next was a schedule by hand before it was drawn by chance (`prospects`). Beside that, from the
same files, 75 s each on one thread, sizes with two a move and one a leaf: 7x4 for White 322 (by hand 336, before 343),
5x6 137 (148, 305), 6x5 for White 194 (189, 208), 6x4 41 (35, 74). So neither is better on all boards; on 7x6, at 1,058,
the schedule saved 2 in 11 minutes, and what is drawn 54 in 34 minutes of one thread, from 1,056 on.

Since then what saves most for its work comes first and searches after many failures are short. That is not shown to be
better: from the same four files, 60 s each on one thread, side by side, 316, 97, 56 and 35 (before 313, 96, 53, 35),
and on 7x6, where less was left to find, from 994 to 986 in 50 minutes beside other jobs.

Time goes into exact search there: 15 nodes of ply 8 that were new to the memo took 39 CPU seconds, 4 when they were
searched again. It asks 4.5 million questions of 30 nodes each; a larger table of the search saves none of them.

What limited it on 7x6 was the finder: at 963 local search had failed four times or more at nearly all inner nodes of
that solution, and such searches found something once in a hundred times. SAT, asked about these nodes (`prospects`),
found diagrams for one in eight of them and proved for more than a third that there is none: from 963 to 876 in 70
minutes of two threads, beside other jobs, by several versions. From there to 846 in 18 minutes of one thread with
several orders of variables, to 823 in 13 of two with the present beginning of a formula, and to 815 in the first 17 of
34 with nodes of ply 6 searched as well (`--first-ply 6`), of which two turned out to be leaves. What limits it then:
of the 116 inner nodes of plies 6 and later 66 are proved to have no diagram, and most others are undecided after two
searches of 120 M steps; if every node that was never searched were a leaf, it would be 795. The rest is in moves to
nodes where local search failed, and at most of these SAT has not been asked.

Different certificates: of the 203 diagrams of a solution at 963 twelve could be made valid for all leaves of another
one too, by changing digits where it was wrong while it stayed valid for its own, in seven minutes; that is not done. If
leaves with a rule proof took a diagram that is there anyway, 218 certificates would do instead of 263; they keep their
proofs, as these can be read.
"""
