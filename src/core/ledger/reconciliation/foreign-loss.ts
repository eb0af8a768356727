import { type Amounts, ASSETS } from '../../../base/money/asset.ts'
import { differenceText } from '../../../base/money/difference.ts'
import { BPS } from '../../../base/money/bps.ts'
import { RATE_ONE, type Rate } from '../../../base/money/rate.ts'
import type { ReconciliationTerms, ReconciliationState } from './state.ts'
import type { ReconciliationAction } from './actions.ts'

/** The largest share that a fill at one of our recent quotes can cost, regardless of moves of the mid. */
const MOST_LOST_BPS = 600n
/** One dollar at 36 decimals, valued at a mid of 18 decimals. A smaller loss is never reported as theft. */
const LEAST_LOST_USD18 = 10n ** 18n

/**
 * Detects a loss that no fill at our recent quotes can explain: someone else moves funds with our key, or the venue does. Every
 * prefix of the rows, every recent mid and every withdrawal of ours with an unknown outcome may explain the difference.
 */
export function detectForeignLoss(
  state: ReconciliationState,
  terms: ReconciliationTerms,
  found: readonly Partial<Amounts>[],
  difference: Partial<Amounts>,
  out: ReconciliationAction[],
): void {
  const isForeign =
    terms.mids.length > 0 && found.every((one) => terms.mids.every((mid) => isLost(terms, one, mid)))
  if (!isForeign) {
    state.foreign = null
    return
  }
  const readings = (state.foreign?.readings ?? 0) + 1
  state.foreign = { readings, difference }
  if (readings > 1) return
  out.push({ do: 'alertForeignLoss', message: foreignText(difference) })
}

/** Returns a sentence that states the loss and its meaning. */
export function foreignText(difference: Readonly<Partial<Amounts>>): string {
  return `balances changed by ${differenceText(difference)}, which no fill at our quotes can explain: someone else, or the venue, is moving funds with this key`
}

function isLost(terms: ReconciliationTerms, difference: Readonly<Partial<Amounts>>, mid: Rate): boolean {
  let gone = 0n
  let came = 0n
  for (const asset of ASSETS) {
    const amount = (difference[asset] ?? 0n) + ownWithdrawals(terms, asset)
    const value = asset === 'NTZS' ? amount * RATE_ONE : amount * mid
    if (value < 0n) gone -= value
    else came += value
  }
  const lost = gone - came
  return lost > LEAST_LOST_USD18 * mid && lost * BPS > gone * MOST_LOST_BPS
}

function ownWithdrawals({ unknownWithdrawals }: ReconciliationTerms, asset: string): bigint {
  return unknownWithdrawals.reduce((sum, one) => (one.asset === asset ? sum + one.amount : sum), 0n)
}
