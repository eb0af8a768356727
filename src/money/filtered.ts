/** 2^-50, eight units in the last place of a double. */
const EIGHT_ULPS = 2 ** -50

/**
 * Whether a rate moved by no more than `limitBps` for certain, from float64 alone: true is proven, false leaves it to the
 * integers (`rateStepBps`). The comparison is filtered as geometric predicates are: nearly all moves are far from their
 * limit, and a double tells so in a twentieth of the time. It never says what is booked.
 *
 * `from` and `to` are the doubles nearest to two positive rates F and T (in any one unit), so each is off by at most
 * u = 2^-53 of itself. Then |T - F| <= |to - from| (1 + u) + 1.01 u (to + from), and the six roundings of the comparison
 * below change either side by less than 6 u of it. Both are covered by 8 u (to + from) (10^4 + limit), which is added to
 * the move: where the sum is within `from * limitBps`, 10^4 |T - F| <= F limit holds for the numbers themselves. What is
 * then cut to a hundredth of a bp towards zero is no larger. A limit below zero, or that is no number, proves nothing.
 */
export function isSurelyWithinBps(from: number, to: number, limitBps: number): boolean {
  const uncertain = (to + from) * (10_000 + limitBps) * EIGHT_ULPS
  return Math.abs(to - from) * 10_000 + uncertain <= from * limitBps
}
