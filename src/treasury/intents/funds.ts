import { balanceOf } from '../books/books.ts'
import { formatTokens } from '../../base/money/asset.ts'
import type { TreasuryState } from '../state.ts'
import type { TreasuryTransition } from '../transition.ts'
import type { Intent, Leg } from '../model/intent.ts'
import { isWaitingForFunds } from './legs.ts'
import { refreshStage } from './moves.ts'

/**
 * Whether the leg lacks funds for its price, which is then not asked for: every reading of the balances looks again. What
 * the books know to have arrived since the last reading counts, unless the venue itself could not pay.
 */
export function isShort(transition: TreasuryTransition, intent: Intent, leg: Leg): boolean {
  const { state } = transition
  const held = readOf(state, leg)
  const needs = leg.waitsFor?.needs ?? leastSpent(leg)
  if (held === null || held >= needs) return false
  const isByVenue = leg.waitsFor?.isByVenue ?? false
  if (!isByVenue && balanceOf(state.books, leg.from, leg.asset) >= needs) return false
  if (!isWaitingForFunds(leg)) startWait(transition, intent, leg, needs, false)
  return true
}

/** The venue cannot pay what it quotes, `needs` base units with all fees: the leg waits until a reading shows them. */
export function waitForFunds(transition: TreasuryTransition, intent: Intent, leg: Leg, needs: bigint): void {
  const wanted = needs > leastSpent(leg) ? needs : leastSpent(leg)
  if (isWaitingForFunds(leg)) leg.waitsFor = { needs: wanted, isByVenue: true, since: transition.now }
  else startWait(transition, intent, leg, wanted, true)
}

function startWait(
  transition: TreasuryTransition,
  intent: Intent,
  leg: Leg,
  needs: bigint,
  isByVenue: boolean,
): void {
  const { state, now, alert } = transition
  leg.waitsFor = { needs, isByVenue, since: now }
  const text = (amount: bigint) => `${formatTokens(amount, leg.asset)} ${leg.asset}`
  const held = readOf(state, leg) ?? 0n
  const lacks = held < needs ? `lacks ${text(needs - held)}` : 'cannot pay it, as the venue has it'
  leg.why = `waiting for funds: ${leg.from} ${lacks}; this step needs ${text(needs)}`
  alert(
    'treasury-funds-missing',
    `${intent.route} to ${intent.envelope.destination} waits for funds: ${leg.from} ${lacks}. It holds ${text(held)}, and the step needs ${text(needs)}`,
    intent.id,
  )
  refreshStage(transition, intent)
}

/**
 * Returns the least that leaves for the leg: the net amount of a payout, whose fees come on top; for an off-ramp it
 * is unknown until priced.
 */
function leastSpent({ kind, asset, receiveAsset, amount, leastReceived }: Leg): bigint {
  if (kind === 'swap') return amount
  return asset === receiveAsset ? leastReceived : 0n
}

/** Base units of the leg's token at its place, as last read; null = no one reads them. */
function readOf({ holdings }: TreasuryState, { from, asset }: Leg): bigint | null {
  if (from === 'bank' || from === 'phone') return null
  return holdings?.[from]?.[asset] ?? null
}
