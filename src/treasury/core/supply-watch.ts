import { formatTokens } from '../../base/money/asset.ts'
import type { TreasuryEventOf } from '../model/event.ts'
import type { SupplyWatch } from '../state.ts'
import type { TreasuryTransition } from '../transition.ts'

/** A week of readings, one every 15 minutes. */
const REMEMBERED = 672
/** Learning a band needs at least a day of readings. */
const ENOUGH = 96
const BAND_SIGMAS = 4
/** The venue reports whole shillings. Source: partner-api.md, reconciliation tolerance. */
const TOLERANCE = 10n ** 18n
/** A mint in flight can cause one negative reconciliation, but not two in a row. */
const NEGATIVE_DAYS = 2

/** Handles a supply reading: raises the alarm for a difference to the chain, and a notice for an unusual fall. */
export function takeSupply(
  { state, now, alert }: TreasuryTransition,
  { supply, onChain }: TreasuryEventOf<'supplySeen'>,
): void {
  const watch = state.supply
  const before = watch.reported
  Object.assign(watch, { reported: supply, onChain, at: now })
  if (before !== null && before > 0n) {
    const change = Number(supply - before) / Number(before)
    const floor = lowestUsual(watch.changes)
    if (floor !== null && change < floor) {
      const fall = formatTokens(before - supply, 'NTZS')
      alert('treasury-supply-fell', `the supply fell by ${fall} NTZS between two readings, more than usual`)
    }
    watch.changes = [...watch.changes, change].slice(-REMEMBERED)
  }
  judge(state.supply, alert)
}

/** Handles the venue's daily reconciliation. A lasting negative difference means unbacked tokens. */
export function takeReconciliation(
  { state, now, alert }: TreasuryTransition,
  { difference }: TreasuryEventOf<'reconcileSeen'>,
): void {
  const watch = state.supply
  watch.difference = difference
  watch.reconciledAt = now
  watch.negativeInARow = difference < 0n ? watch.negativeInARow + 1 : 0
  judge(watch, alert)
}

function judge(watch: SupplyWatch, alert: TreasuryTransition['alert']): void {
  const before = watch.alarm
  watch.alarm = alarmOf(watch)
  if (watch.alarm !== null && before === null) alert('treasury-supply-alarm', watch.alarm)
}

function alarmOf({ reported, onChain, negativeInARow, difference }: SupplyWatch): string | null {
  if (negativeInARow >= NEGATIVE_DAYS && difference !== null)
    return `${negativeInARow} daily reconciliations in a row are negative, the last by ${formatTokens(-difference, 'NTZS')} NTZS: call the operator`
  if (reported === null || onChain === null) return null
  const gap = reported > onChain ? reported - onChain : onChain - reported
  return gap < TOLERANCE
    ? null
    : `the venue reports a supply of ${formatTokens(reported, 'NTZS')} NTZS, but the chain has ${formatTokens(onChain, 'NTZS')}`
}

/** Returns the lowest usual change; null = too few readings. A statistic: nothing is booked from it. */
function lowestUsual(changes: readonly number[]): number | null {
  if (changes.length < ENOUGH) return null
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length
  const variance = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / (changes.length - 1)
  return mean - BAND_SIGMAS * Math.sqrt(variance)
}
