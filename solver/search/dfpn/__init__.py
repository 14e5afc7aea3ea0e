"""Depth-first proof-number search (df-pn) with the nine rules as its evaluator. Read `claimeven.solver.search` first.

This is how the classic knowledge-based programs solve Connect Four: no scores, only yes or no, and the search goes
wherever the answer seems nearest. Its words, from the bottom up:

**Question.** "Is the mover's score greater than `alpha`?", with an `alpha` of 0 or -1, which asks for the value alone:
does the mover win, does he at least draw? Seen from White these are two questions, *does White win* and *does Black
win*, each the other side's "at least a draw" turned around, and both together give the value. To *prove* is to find out
that the answer is yes, to *disprove* that it is no.

**Proof and disproof number.** The proof number of a position is how many positions not yet decided would have to be
proved, at least, to prove it; the disproof number says the same of disproving. One good move proves a position, so its
proof number is the least of those of its moves. All moves have to fail to disprove it, so its disproof number is the
sum of theirs. A position that is proved has 0 and infinity (`numbers.NEVER`), one that is disproved infinity and 0. A
move that leaves the turn to the other side exchanges the two numbers on the way up. One that was never visited has the
numbers of `first_numbers`: the more moves it has, the harder it is to disprove. The *most proving* position, the one to
look at next, is found from the root by always taking the move with the least proof number.

**Thresholds.** Going back to the root after every single position would be a waste. A visit therefore gets two limits
and stays below its position until one of the two numbers reaches its limit: only then could the most proving position
be elsewhere. The limit for the proof number of the best move is a little more than that of the second best move.

**The epsilon trick.** "A little more" is one quarter more plus one (Pawlewicz and Lew 2007). With just one more, two
moves with nearly equal numbers would take turns all the time, and each turn has to make everything below it anew.

**Leaves.** Who wins at once, who must reply, and what Allis' cheap bounds decide is settled before a position becomes a
move at all (`search.node.expand`, as in alpha-beta). When a position is visited for the first time, the nine rules are
asked, without the solutions that are hardly ever needed (`rules.scene`): they fail 97 times of 100, and on wide boards
asking takes most of the time. They speak for the side that is not to move: Black where White is to move, White where
Black is.

**Transpositions.** What is decided, for ever, is in the transposition table of alpha-beta, whose entries are exact. The
numbers of what is not decided are in a second table (`numbers`); they are estimates that may be lost or mixed up, which
costs time and nothing else. Two positions that are mirror images share their entries. No position comes twice in a game
of Connect Four, so there are no cycles and what is found along one way is true along every other. Where ways meet
again, sums count some positions twice; that makes an estimate worse, never an answer.

**Small tables.** A visit holds the numbers of its own moves itself and limits only ever grow, so the search comes to
its end however much the tables forget.

**Threads** run the same visits with the same tables. Each marks the positions it is in, and a move that another thread
is in counts for more than it is, so that they drift apart where several moves are about equally good.

**Going on.** Decided positions that took some work are also put down in a *journal* (`journal`) that whoever asked can
keep, in a store, and give back to a later search, which then begins with them.

**The proof.** `proof_size` walks from a decided position through the moves that decide it and counts the positions it
meets. `proof_tree` does the same for people and for the check, with every move and every certificate written out, and
`proof_tree_check` goes through it again and takes nothing from the search.

**What was tried and did not pay**, on openings of three to eight plies: asking the rules about every move before one of
them is visited (fewer visits, but more than twice the time), or about the first plies only; the largest disproof number
plus the number of other moves instead of the sum, against counting twice; first numbers that count threats, or lines
that Claimevens do not stop; an epsilon of a half or an eighth. On boards of four rows, nine and ten columns wide: to
leave a position to alpha-beta when 16 to 22 squares are empty (9x4 a fifth faster, 10x4 6% faster to 40% slower); one
entry for all positions with the same lines left, whatever the colours of stones that are in none (4% fewer visits, no
faster); not to ask the rules where more than 3 to 8 lines are left to Claimevens (9x4 10% faster to 14% slower: three
evaluations in a hundred decide, but those that do so early are the ones that count).
"""
