"""The search for a chosen set: pairwise combinable solutions that together solve every problem (Allis 1988, §7.5).

Solutions are bits over words, so that "the solutions of this problem that are still allowed" is one `&`.
"""

import numpy as np

from claimeven.solver.kernel import kernel, lowest_bit, popcount
from claimeven.solver.rules.combination import keep_combinable
from claimeven.solver.rules.solution_table import SOLVES
from claimeven.solver.word import NONE, ONE, WORD

FOUND = 1
NOT_FOUND = 0
OUT_OF_BUDGET = -1

# The counters.
NODES = 0
BUDGET = 1
LENGTH = 2
CONFLICT_ROUNDS = 3  # how often to compute the same conflicts: once, or more to measure what they cost


@kernel("void(uint64[:, ::1], int64, uint64[:, ::1])")
def index_solvers(table, count, solvers):
    """Fill in, for every problem, the solutions that solve it."""
    words = (count + WORD - 1) // WORD
    solvers[:, :words] = NONE
    for solution in range(count):
        place, bit = solution // WORD, ONE << np.uint64(solution % WORD)
        for word in range(table.shape[0] - SOLVES):
            solved = table[SOLVES + word, solution]
            while solved != NONE:
                solvers[np.uint64(word * WORD) + lowest_bit(solved), place] |= bit
                solved &= solved - ONE


@kernel("int64(uint64[:, ::1], uint64[::1], int64, uint64[::1], int64)")
def hardest_problem(solvers, unsolved, problem_words, allowed, words):
    """The unsolved problem with the fewest allowed solutions; -1 if nothing is unsolved, -2 if one has none."""
    hardest = -1
    fewest = ~NONE
    for word in range(problem_words):
        rest = unsolved[word]
        while rest != NONE:
            problem = np.int64(lowest_bit(rest)) + word * WORD
            rest &= rest - ONE
            options = NONE
            for place in range(words):
                options += popcount(solvers[problem, place] & allowed[place])
            if options == NONE:
                return -2
            if options < fewest:
                fewest, hardest = options, problem
    return hardest


@kernel("int64(uint64[:, ::1], uint64[::1], uint64[::1], uint64[::1], int64)")
def best_solution(table, solvers, unsolved, allowed, words):
    """Of a problem's allowed solutions the one that solves most of what is unsolved; -1 if there is none."""
    best, most = -1, NONE
    for place in range(words):
        options = solvers[place] & allowed[place]
        while options != NONE:
            solution = np.int64(lowest_bit(options)) + place * WORD
            options &= options - ONE
            gain = NONE
            for word in range(table.shape[0] - SOLVES):
                gain += popcount(table[SOLVES + word, solution] & unsolved[word])
            if gain > most:
                best, most = solution, gain
    return best


@kernel(
    "int64(uint64[:, ::1], int64[::1], uint64, uint64[:, ::1],"
    " uint64[:, ::1], uint64[:, ::1], int64[::1], int64[::1], int64[::1], int64)"
)
def find_chosen_set(table, starts, board, solvers, allowed, unsolved, chosen, targets, counters, root):
    """Solve the problems in `unsolved[root]` with solutions in `allowed[root]`; FOUND with `chosen` filled in.

    `allowed[root]` is used up; the solutions in `chosen` before `root` stay. `counters` are named above: nodes
    spent and allowed, and the length of the chosen set.
    """
    words = (starts[-1] + WORD - 1) // WORD
    depth = root
    forward = True
    while True:
        if forward:
            if counters[NODES] >= counters[BUDGET]:
                return OUT_OF_BUDGET
            counters[NODES] += 1
            # The problem with the fewest solutions first (Allis 1988, §7.5).
            targets[depth] = hardest_problem(solvers, unsolved[depth], table.shape[0] - SOLVES, allowed[depth], words)
            if targets[depth] == -1:
                counters[LENGTH] = depth
                return FOUND
        best = -1
        if targets[depth] >= 0:
            best = best_solution(table, solvers[targets[depth]], unsolved[depth], allowed[depth], words)
        if best < 0:
            # No set holds the last solution together with those chosen before it.
            depth -= 1
            if depth < root:
                return NOT_FOUND
            allowed[depth, chosen[depth] // WORD] &= ~(ONE << np.uint64(chosen[depth] % WORD))
            forward = False
            continue
        chosen[depth] = best
        for _ in range(counters[CONFLICT_ROUNDS]):
            keep_combinable(table, best, starts, board, allowed[depth], allowed[depth + 1])
        for word in range(table.shape[0] - SOLVES):
            unsolved[depth + 1, word] = unsolved[depth, word] & ~table[SOLVES + word, best]
        depth += 1
        forward = True
