"""Exact search: who wins a position, and how soon. Read this page first; the modules follow it from the bottom up.

**Question.** A search answers one question: is the score of the side to move, the *mover*, greater than `alpha`? The
other side is the *other*. Scores are those of `claimeven.solver.score`; exact ones come from several questions, which
`span` chooses and `searcher` puts. The answer is a bound on the right side of `alpha`, not always the score itself.

**Node.** A node is a *quiet* position: the mover cannot win at once, the other side does not threaten to, and some move
does not lose at once. What is not quiet has a forced reply or a known score, and `node.forced.follow` plays it on until
one or the other is reached; so nodes may be several plies apart. Every call of `alpha_beta.search` is one node, and
nodes are what budgets count.

**Move.** A move of a node is not only a stone but where it leads to: the quiet position after the forced replies to it.
It is eight words in memory, named in `node.moves`: the stones of both sides there, the squares where each would
complete a line (*threats*), the hash, the *promise* by which moves are ordered (`node.order`), the *sign*, and the ply.
The sign is 1 if the side to move there is the one that made the move and -1 if it is the other: forced replies may
exchange the sides, and with the sign, instead of always, the score of the move is turned around. `node.expand` writes
the moves of a node that need a search, after it has dropped those that forced sequences, the cheap bounds
(`node.bounds`) or the table decide.

**Slot.** What one thread works with is its *workspace*, a block of words: a slot each for the board, the counters, the
address of the table and so on, then the priorities of the squares, then room for the moves of every ply, so that a
search allocates nothing. `workspace.Slot` numbers the slots. Kernels get the address of the block and read a word as
`load(workspace + CELLS)`, where `CELLS` is the slot in bytes (`slots`). An address is one value in a register; an array
argument of numba is seven, and a search that recurses millions of times a second feels that (`memory`).

**Table.** The transposition table (`table`) keeps, for positions met before, the least and the greatest score that is
still possible and how much work it took to know. An entry is one word, so threads share the table without a lock. The
hash of a position is its key times an odd number, modulo a power of two: different positions have different hashes, and
an entry is found for its own position only.

**Rules.** Two of Allis' rules give bounds in every node (`node.bounds`); all nine are asked near the root, through an
*evaluator*, a C function whose address is in a slot (`rule_evaluator`), so that the search itself knows no rules.

**Threads** search the same position side by side, each leaving for later what another is busy with, and meet in the
table; or a position each, in a batch (`searcher`). A control word, whose address is in a slot, tells them to stop.

**Tried and not kept**, with what it made of the nodes: a history of good moves (up to 3.7 times as many); to order
moves by the open lines of both sides through their squares, with weights fitted to say which moves decide a node (they
say so in three nodes of four instead of in three of five, and the search takes five times as many: what is the same
everywhere leads to the same positions again); to count threats after the forced replies instead of before (half as many
again); proof numbers instead of alpha-beta with the same bounds (about as many, and slower); no line through both of
two loose squares (1% fewer, slower); the nine rules two to four plies later (5 to 11% fewer, slower), or also in later
nodes that have cost 64, 256 or 1024 nodes already (1 to 3% fewer, slower: one such evaluation in twenty finds
something, after 1024 nodes one in a hundred); how soon asked at two thirds, three quarters, seven eighths or from the
top instead of by halves (2% fewer to 5% more: what a question finds the next one uses); for a question about a quick
win, only lines that the stones left can reach and complete in time (hardly any fewer, and slower: forced replies see
that already); one entry for all positions with the same lines left, whatever the colours of the stones that are in none
(nothing near the root, 3 to 5% fewer everywhere, no faster). Tables are in huge pages as numpy makes them; to ask for
these again gains nothing. A table with room for every node (2 to 8% fewer than one with room for an eighth, and up to a
third slower: it is in no cache of the processor).
"""
