"""Finds priority diagrams: local search with an oracle, and SAT.

Tried and given up, each on a dozen inner nodes of plies 8, 10 and 12 of 7x6 with 8 s each:
walks that see all replies of the first plies instead of a share of those of every ply (2 of 12 found at ply 12 and 4 of
12 at ply 10, where a share finds 9 and 7); keeping what a diagram reaches in memory, with counts of what leads to each
position, so that a change of a digit costs only what it changes (7, 6 and 5 of 12 at plies 12, 10 and 8, against 9, 7
and 5 by walks, its compilation counted against one of its misses: diagrams that are far from good reach too much, and
those that are near are found either way); drawing another share when a run stalls (6 and 5 of 12 at plies 10 and 8,
against 7 and 5). On nodes of ply 8 that were never tried, with a library and 6 or 7 s each: shares that grow by small
steps instead of five stages (10 of 14, against 11), and going back to the best diagram where a run stalls (5 of 16,
against 8).

On 30 nodes of plies 8 to 14 that have a diagram and where the controller wins late (score 1 to 3), without a library,
where walks find 20 in 62 CPU s: a pool of all frontiers that walks have met, in which digits are changed by steps of
microseconds until nothing is wrong there, and a walk only then (15 in 96 s, two of them among the ten that walks miss;
8 where the pool forgets slowly).

On 139 nodes of plies 8, 10 and 12 that have a diagram and where a search of 1.5 M positions without a library missed it
(halves for tuning and for reporting, three or four seeds each): first diagrams by columns find 80 of 207 in as much
work again, those that had level 0 on all even rows and chance elsewhere 66. No gain: to go on after a mistake with the
move that the diagram itself would make next (73 of 210, against 72); changes of several digits at once, exchanges and
columns shifted by a row (63); digits drawn as they mostly are, blank or as in the rest of the column (109 of 280,
against 106); what a change promises from the memo alone, without asking for what it does not know (54 of 210, in four
fifths of the time). Of 70 of these nodes further searches of 1.5, 5, 15 and 45 M positions, one after the other, left
44, 27, 13 and 5 open (first diagrams as before). Of the nodes at which local search had failed with hundreds of
millions SAT has refuted about two in five and found diagrams for one in ten (`sat_finder`): in early plies it finds in
seconds what local search never does.

Beside 30 diagrams that another program has published (WeakC4; all of them are valid here): for their positions searches
without a library find 23 with 15 M positions each and 27 with 105 M, so that about one in ten is missed.
"""
