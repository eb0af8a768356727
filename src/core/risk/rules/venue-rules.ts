import type { RuleBreach } from '../rule-breach.ts'
import type { RiskInput } from '../risk-input.ts'

/** After so many repairs in a row that the venue does not keep, another one is not tried. */
const REPAIRS_TO_LEAVE = 5

/** The key, the account and the quote as the venue has them. */
export function venueRules(input: RiskInput, out: RuleBreach[]): void {
  if (input.authFailure !== null) {
    out.push({
      rule: 'auth',
      effect: 'halt',
      limit: 'a key the venue accepts',
      actual: input.authFailure,
      message: `${input.authFailure}; replace the key, restart, then resume`,
    })
  }
  if (input.solverChanged !== null) {
    out.push({
      rule: 'solver-changed',
      effect: 'halt',
      limit: 'the pinned solver',
      actual: input.solverChanged,
      message: `${input.solverChanged}; ask the venue, then stop the daemon, confirm the new one with \`mizani custody enable\`, and resume`,
    })
  }
  accountRules(input, out)
  if (input.unaskedPairs !== null) {
    out.push({
      rule: 'unasked-pairs',
      effect: 'safe',
      limit: 'quote.pairs',
      actual: input.unaskedPairs,
      message: `the venue quotes ${input.unaskedPairs} beyond quote.pairs, and a fill in such a token can be neither booked nor withdrawn; lifts when the venue keeps to the list, or with quote.pairs: null`,
    })
  }
  // The first PATCH for safety is not a repair.
  const repairs = input.mismatches - 1
  if (repairs >= REPAIRS_TO_LEAVE) {
    out.push({
      rule: 'quote-not-held',
      effect: 'halt',
      limit: 'the quote that was asked for',
      actual: `another one after ${repairs} repairs`,
      message: `the venue holds another spread than the safe one after ${repairs} repairs, so the position is taken out of the market; look at the quote in its dashboard, then resume`,
    })
  }
}

/** Changes of the account that this daemon did not make. */
function accountRules(input: RiskInput, out: RuleBreach[]): void {
  if (input.walletChanged !== null) {
    const { from, to } = input.walletChanged
    out.push({
      rule: 'wallet-changed',
      effect: 'halt',
      limit: from,
      actual: to,
      message: `the account names the wallet ${to} where it named ${from}: what leaves the pool goes there; ask the venue, and resume only if it is yours`,
    })
  }
  if (input.foreignWrite !== null) {
    const { what, why } = input.foreignWrite
    out.push({
      rule: 'foreign-write',
      effect: 'safe',
      limit: 'own requests',
      actual: what,
      message: `${why}; if none of your programs did it, exchange the key first, then \`${what === 'spread' || what === 'transfer' ? 'resume' : 'activate'}\``,
    })
  }
}
