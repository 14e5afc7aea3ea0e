// A rule proof as a player: duties answer the opponent's moves, forbid some of ours, and turn into others.
// Each is a list, its kind first; what the kinds mean is said where the proofs are made, with the same names.

import { completes, H, nameOf, OURS, playable, put, YOURS } from "./stones.js";

const KINDS = {
  follow: {
    forbidden: ([, lower, , isClaimeven]) => (isClaimeven ? [lower] : []),
    answer: ([, lower, upper], move) => (move === lower ? upper : null),
    after: (duty, move, isOurs) => (move === duty[1] || move === duty[2] || (isOurs && move === duty[4]) ? [] : [duty]),
  },
  either: {
    forbidden: () => [],
    answer: ([, one, other], move) => (move === one ? other : move === other ? one : null),
    after: (duty, move) => (move === duty[1] || move === duty[2] ? [] : [duty]),
  },
  low: {
    forbidden: ([, one, other]) => [one, other],
    answer: ([, one, other], move) => (move === one || move === other ? move + 1 : null),
    after: (duty, move) => {
      const [, one, other] = duty;
      const left = (lower) => [["follow", lower, lower + 1, false, null, false]];
      return move === one ? left(other) : move === other ? left(one) : [duty];
    },
  },
  high: {
    forbidden: ([, one, other]) => [one, other],
    answer: ([, one, other], move) => (move === one || move === other ? move + 1 : null),
    after: (duty, move) => {
      const [, one, other, onePlayable, otherPlayable] = duty;
      const left = (played, bottom, wasPlayable) => {
        const claimeven = ["follow", bottom + 1, bottom + 2, true, null, false];
        return wasPlayable ? [claimeven, ["either", played + 2, bottom]] : [claimeven];
      };
      return move === one ? left(one, other, otherPlayable) : move === other ? left(other, one, onePlayable) : [duty];
    },
  },
  base: {
    forbidden: () => [],
    answer: ([, one, two, three], move) => (move === one || move === two ? three : move === three ? two : null),
    after: (duty, move, isOurs) => {
      const [, one, two, three] = duty;
      const claimeven = ["follow", two, two + 1, true, one, false];
      if (move === one) return isOurs ? [["either", two, three]] : [claimeven];
      if (move === two) return [["either", one, two + 1]];
      if (move === three) return isOurs ? [claimeven] : [["either", one, two + 1]];
      return [duty];
    },
  },
};

// Each duty once, as two of them may leave the same.
export function dutiesAfter(duties, move, isOurs) {
  const left = duties.flatMap((duty) => KINDS[duty[0]].after(duty, move, isOurs));
  return [...new Map(left.map((duty) => [duty.join(), duty])).values()];
}

// The reply to the opponent's move, which lies on the board already: its square and the reason, or null.
export function replyByRules(cells, duties, reluctant, move) {
  const open = playable(cells);
  const win = open.find((square) => completes(cells, square, OURS));
  if (win !== undefined) return { square: win, why: "it completes a line" };
  // Below the odd square of a threat combination White does not answer where Black would win directly above.
  const isSafe = (duty, answer) => !(duty[5] && (answer + 1) % H && completes(put(cells, answer, OURS), answer + 1, YOURS));
  for (const duty of duties) {
    const answer = KINDS[duty[0]].answer(duty, move);
    if (answer !== null && isSafe(duty, answer)) return open.includes(answer) ? { square: answer, why: `the proof answers ${nameOf(move)} so` } : null;
  }
  const forbidden = new Set(dutiesAfter(duties, move, false).flatMap((duty) => KINDS[duty[0]].forbidden(duty)));
  const free = open.filter((square) => !forbidden.has(square));
  const square = free.find((each) => !reluctant.includes(each)) ?? free[0];
  return square === undefined ? null : { square, why: "nothing is to be answered and no rule forbids it" };
}
