import { balanceOf } from '../books/books.ts'
import { formatTokens } from '../../base/money/asset.ts'
import type { TreasuryState } from '../state.ts'
import type { Leg } from '../model/intent.ts'
import { isWaitingForFunds } from './legs.ts'
import { type LegAt, refreshStage } from './moves.ts'

/**
 * Whether the leg lacks the funds for its price. If so, its price is not asked for; each reading of the balances checks
 * again. Funds that the books know to have arrived since the last reading count, unless the venue itself could not pay.
 */
export function isShort(at: LegAt): boolean {
  const { state, leg } = at
  const held = readOf(state, leg)
  const needs = leg.waitsFor?.needs ?? leastSpent(leg)
  if (held === null || held >= needs) return false
  const isByVenue = leg.waitsFor?.isByVenue ?? false
  if (!isByVenue && balanceOf(state.books, leg.from, leg.asset) >= needs) return false
  if (!isWaitingForFunds(leg)) startWait(at, needs, false)
  return true
}

/** The venue cannot pay its own quote: the leg waits until a reading shows `needs` base units, with all fees. */
export function waitForFunds(at: LegAt, needs: bigint): void {
  const { leg, now } = at
  const wanted = needs > leastSpent(leg) ? needs : leastSpent(leg)
  if (isWaitingForFunds(leg)) leg.waitsFor = { needs: wanted, isByVenue: true, since: now }
  else startWait(at, wanted, true)
}

function startWait(at: LegAt, needs: bigint, isByVenue: boolean): void {
  const { state, now, alert, intent, leg } = at
  leg.waitsFor = { needs, isByVenue, since: now }
  const text = (amount: bigint) => `${formatTokens(amount, leg.asset)} ${leg.asset}`
  const held = readOf(state, leg) ?? 0n
  const lacks = held < needs ? `lacks ${text(needs - held)}` : 'cannot pay it, according to the venue'
  leg.why = `waiting for funds: ${leg.from} ${lacks}; this step needs ${text(needs)}`
  alert(
    'treasury-funds-missing',
    `${intent.route} to ${intent.envelope.destination} waits for funds: ${leg.from} ${lacks}. It holds ${text(held)}, and the step needs ${text(needs)}`,
    intent.id,
  )
  refreshStage(at, intent)
}

/** Returns the least that a leg spends: a payout without fees; an off-ramp 0 until it is priced. */
function leastSpent({ kind, asset, receiveAsset, amount, leastReceived }: Leg): bigint {
  if (kind === 'swap') return amount
  return asset === receiveAsset ? leastReceived : 0n
}

/** Returns the base units of the leg's token at its place in the last reading; null = not read. */
function readOf({ holdings }: TreasuryState, { from, asset }: Leg): bigint | null {
  if (from === 'bank' || from === 'phone') return null
  return holdings?.[from]?.[asset] ?? null
}
