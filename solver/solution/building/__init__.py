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
found diagrams for one in eight of them and proved for more than a third that there is none: from 963 to 815 in some
two hours of two threads, by several versions, with nodes of ply 6 searched as well at the end (`--first-ply 6`), of
which two turned out to be leaves. From there luck over several searches at a node, SAT before local search and in
shorter portions: 792 after 41 minutes of two threads, beside other jobs. At 38 inner nodes where it was known
that there is no strict diagram SAT had got a quarter of the steps for any; with all of them, fifty times as many as
before, it found one at one of these, which made it 784, and refuted five.

Each of 1,388 diagrams as blank as its first leaf allows made 331 of 38,283 nodes leaves at once (`blanking`), and
after forty minutes without anything smaller it went to 779 in a quarter of an hour.

What limits it now: of the inner nodes of plies 6 and later three in five are proved to have no diagram, and the others
are undecided after half a dozen searches. What is left is other moves: of some 200 searches in eleven minutes seventeen
found a diagram, and none of these made the whole smaller.

Different certificates (`merging`): a diagram is found for one leaf, and the cover (`cover`) takes what happens to be
valid for others. SAT is asked for one that is valid for a leaf more: 480 questions of 0.6 seconds each made 147
diagrams of 185; the solution at 779 went from 180 to 128 in thirteen minutes of two threads, beside other jobs. Of 39
leaves of 7x6 with a rule proof 26 could have a diagram that is there anyway; they keep their proofs, as these can be
read.
"""
