import { type Asset, ASSETS, TOKEN_UNIT } from '../../../base/money/asset.ts'
import { recordOf, type Upcaster, type Written } from './upcaster.ts'

/**
 * Until 0.2.0 the book counted each dollar in units of its token. This lifts events, observations and snapshots of those versions
 * to book amounts. Amounts that are still token amounts (withdrawals, orders, chain readings) are unchanged.
 */
export const BOOK_AMOUNTS: readonly Upcaster[] = (
  ['started', 'reloaded', 'balances', 'fills', 'reconciliationChanged'] as const
).map((type) => ({ type, below: 3, upcast: (written) => lift(written) as Written }))

/** Lifts a snapshot. Remembered fills lack their tokens, so they are only marked. */
export function upcastBookAmounts(written: Written): Written {
  const state = lift(written) as Written
  const reconciliation = recordOf(state['reconciliation'])
  const memory = recordOf(reconciliation['memory'])
  const known = Object.entries(recordOf(memory['known'])).map(([id, seen]) => [
    id,
    { ...recordOf(seen), inTokens: true },
  ])
  return {
    ...state,
    reconciliation: { ...reconciliation, memory: { ...memory, known: Object.fromEntries(known) } },
  }
}

/** Amounts that are not book amounts: the cap of withdrawals, and the values of the strategy. */
const NOT_BOOKED = new Set(['maxPerDay', 'strategy', 'requests', 'overrides'])
/** The field of a fill that names the token of each amount. */
const LEGS = {
  amountIn: 'inAsset',
  amountOut: 'outAsset',
  fee: 'outAsset',
  word: 'outAsset',
  paid: 'outAsset',
} as const
const OTHER_CHAIN: Readonly<Record<string, Asset>> = { USDT: 'USDT.bnb', 'USDT.bnb': 'USDT' }

/** Lifts every amount whose token is known: from the key of a record, or from the legs of a fill. */
function lift(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lift)
  if (typeof value !== 'object' || value === null) return value
  const written = value as Written
  return Object.fromEntries(
    Object.entries(written).map(([key, part]) => [key, liftField(written, key, part)]),
  )
}

function liftField(of: Written, key: string, part: unknown): unknown {
  if (NOT_BOOKED.has(key)) return part
  const leg = of[LEGS[key as keyof typeof LEGS]]
  if (typeof leg === 'string') return inBook(part, leg)
  if (isAsset(key)) return typeof part === 'bigint' ? inBook(part, key) : liftLimits(part, key)
  // The fee of the same fill on the other chain.
  const out = of['outAsset']
  if (key === 'elsewhere' && typeof out === 'string' && part !== undefined) {
    const elsewhere = recordOf(part)
    const asset = OTHER_CHAIN[out] ?? out
    return { ...elsewhere, fee: inBook(elsewhere['fee'], asset), word: inBook(elsewhere['word'], asset) }
  }
  return lift(part)
}

/** Lifts the limits of a token. Any other record under its name is in dollars or shillings already. */
function liftLimits(part: unknown, asset: Asset): unknown {
  const limits = recordOf(part)
  if (!('min' in limits || 'max' in limits)) return part
  return { ...limits, min: inBook(limits['min'], asset), max: inBook(limits['max'], asset) }
}

function inBook(amount: unknown, asset: string): unknown {
  return typeof amount === 'bigint' && isAsset(asset) ? amount * TOKEN_UNIT[asset] : amount
}

function isAsset(name: string): name is Asset {
  return ASSETS.some((asset) => asset === name)
}
