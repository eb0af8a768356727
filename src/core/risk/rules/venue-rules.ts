import { halts, type RuleBreach, safe } from '../rule-breach.ts'
import type { RiskInput } from '../risk-input.ts'

/** Number of consecutive failed repairs after which the position leaves the market. */
const REPAIRS_TO_LEAVE = 5

/** Rules about the key, the account and the quote at the venue. */
export function venueRules(input: RiskInput, out: RuleBreach[]): void {
  const { authFailure, solverChanged, unaskedPairs } = input
  if (authFailure !== null) {
    const message = `${authFailure}; replace the key, reload, then resume`
    out.push(halts('auth', 'a key the venue accepts', authFailure, message))
  }
  if (solverChanged !== null) {
    const message = `${solverChanged}; ask the venue, then stop the daemon, confirm the new one with \`mizani custody enable\`, and resume`
    out.push(halts('solver-changed', 'the pinned solver', solverChanged, message))
  }
  accountRules(input, out)
  if (unaskedPairs !== null) {
    const message = `the venue quotes ${unaskedPairs} beyond quote.pairs, and a fill in such a token cannot be booked or withdrawn; lifts when the venue keeps to the list, or with quote.pairs: null`
    out.push(safe('unasked-pairs', 'quote.pairs', unaskedPairs, message))
  }
  // The first PATCH for safety is not a repair.
  const repairs = input.mismatches - 1
  if (repairs >= REPAIRS_TO_LEAVE) {
    const actual = `another one after ${repairs} repairs`
    const message = `the venue still holds a spread other than the safe one after ${repairs} repairs, so the position is taken out of the market; check the quote in its dashboard, then resume`
    out.push(halts('quote-not-held', 'the quote that was asked for', actual, message))
  }
}

/** Changes of the account that this daemon did not make. */
function accountRules(input: RiskInput, out: RuleBreach[]): void {
  if (input.walletChanged !== null) {
    const { from, to } = input.walletChanged
    const message = `the account names the wallet ${to} instead of ${from}: tokens that leave the pool go there; ask the venue, and resume only if it is yours`
    out.push(halts('wallet-changed', from, to, message))
  }
  if (input.foreignWrite !== null) {
    const { what, why } = input.foreignWrite
    const remedy = what === 'spread' || what === 'transfer' ? 'resume' : 'activate'
    const message = `${why}; if none of your programs did it, replace the key first, then \`${remedy}\``
    out.push(safe('foreign-write', 'own requests', what, message))
  }
}
