import type { Ms } from '../../../base/time.ts'
import { formatDecimalText } from '../../../base/money/decimal-text.ts'
import { wholeIdentity } from '../../../treasury/books/identity.ts'
import type { TreasuryState } from '../../../treasury/state.ts'
import type { Intent, Leg } from '../../../treasury/model/intent.ts'
import type { TreasuryAsset } from '../../../treasury/model/place.ts'
import { type HoldingsView, holdingsView } from './holdings-view.ts'
import { tokenTexts, type TokenTexts } from './treasury-fields.ts'

/** The treasury's figures for the daily summary. Whole tokens as exact decimal text. */
export type TreasuryDay = {
  /** Null = balances not read yet. */
  readonly onHand: TokenTexts | null
  /** Places whose balances could not be read: `onHand` lacks them. */
  readonly unread: readonly string[]
  readonly inTransit: TokenTexts
  readonly claims: TokenTexts
  /** The amount received from refills that ended since then. */
  readonly arrived: TokenTexts
  /** The amount that payees received since then. */
  readonly paidOut: TokenTexts
  /** The cost of movements since the books began, TZS, negative = lost; null = it cannot be valued. */
  readonly costs: string | null
}

/** Returns the figures since a time. The state has all intents of the last days, so a day is complete. */
export function treasuryDay(state: TreasuryState, since: Ms): TreasuryDay {
  const { holdings, books, mid } = state
  const { places, tokens } = holdingsView(state)
  const intents = Object.values(state.intents)
  const isOfDay = ({ stage, endedAt }: Leg | Intent) => stage === 'settled' && (endedAt ?? 0) >= since
  const paid = intents.flatMap(({ legs }) => legs.filter((leg) => leg.payee !== null && isOfDay(leg)))
  const brought = intents
    .filter((intent) => intent.direction === 'in' && isOfDay(intent))
    .flatMap((intent) => lastReceipt(intent) ?? [])
  const identity = wholeIdentity(books, mid)
  return {
    onHand: holdings === null ? null : textsOf(tokens, 'onHand'),
    unread: holdings === null ? [] : places.filter(({ onHand }) => onHand === null).map(({ place }) => place),
    inTransit: textsOf(tokens, 'inTransit'),
    claims: textsOf(tokens, 'claims'),
    arrived: tokenTexts((asset) => sumOf(brought, asset)),
    paidOut: tokenTexts((asset) => sumOf(paid, asset)),
    costs: identity === null ? null : formatDecimalText(identity.tzs.costs, 36),
  }
}

/** The amount that arrived; a sweep has no amount of its own. */
function lastReceipt({ legs, asset }: Intent): Leg | undefined {
  return legs.findLast(({ receiveAsset, received }) => receiveAsset === asset && (received ?? 0n) > 0n)
}

function sumOf(legs: readonly Leg[], asset: TreasuryAsset): bigint {
  return legs
    .filter(({ receiveAsset }) => receiveAsset === asset)
    .reduce((sum, { received }) => sum + (received ?? 0n), 0n)
}

function textsOf(tokens: HoldingsView['tokens'], what: 'onHand' | 'inTransit' | 'claims'): TokenTexts {
  const texts = tokens.map((token) => [token.asset, token[what]] as const)
  return Object.fromEntries(texts) as TokenTexts
}
