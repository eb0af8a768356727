import { presentDifference } from '../../core/ledger/reconciliation/state.ts'
import { z } from 'zod'
import type { Ms } from '../../base/time.ts'
import type { ShownFill } from '../../core/engine/model/flow-state.ts'
import { inventoryShare } from '../../core/engine/decision/inventory-share.ts'
import type { EngineState } from '../../core/engine/model/state.ts'
import { type BookState, poolAmounts, position, walletAmounts } from '../../core/ledger/book/book.ts'
import { identityResidual, PNL_TERMS, pnl } from '../../core/ledger/book/pnl.ts'
import type { ReconciliationState } from '../../core/ledger/reconciliation/state.ts'
import { unreadableTexts } from '../../core/ledger/reconciliation/unreadable.ts'
import { type Amounts, type Asset, ASSETS, formatAmount, STABLE_ASSETS } from '../../base/money/asset.ts'
import { formatDecimalText } from '../../base/money/decimal-text.ts'
import { amounts, asset, decimal, ms, perStable, side, type AmountTexts, type Shown } from './fields.ts'

/** The terms of PnL in both currencies, in the order in which they are shown; `total` is the sum of those before it. */
export const TZS_TERMS = [...PNL_TERMS, 'total'] as const
export const USD_TERMS = ['edge', 'inventory', 'costs', 'unreconciled', 'total'] as const
const TOKEN_TERMS = ['spreadCapture', 'staleMid', 'inventory'] as const

/** Signed contributions. */
const pnlSchema = z.object({
  tzs: terms(TZS_TERMS),
  usd: terms(USD_TERMS),
  /** Value less opening, transfers and terms: exactly '0', or the ledger has a bug. */
  residual: z.object({ tzs: decimal, usd: decimal }),
  /** Part of the spread capture: what takers let go by their slippage; null = no fill had any. */
  slippageTzs: decimal.nullable(),
  perToken: perStable(terms([...TOKEN_TERMS, 'edgeUsd'])),
})
export type PnlView = Shown<z.infer<typeof pnlSchema>>

const fill = z.object({
  id: z.string(),
  /** Execution time on the venue's clock; null = the venue gives none. */
  at: ms.nullable(),
  /** Booking time on our clock. */
  seenAt: ms,
  side,
  amountIn: decimal,
  inAsset: asset,
  amountOut: decimal,
  outAsset: asset,
})
type FillView = Shown<z.infer<typeof fill>>

/** Holdings, PnL, and whether the ledger equals the venue's balances, as fields of the position. */
export const ledgerFields = {
  /** Our total holdings: pool and wallet together. */
  balances: amounts,
  /** Both empty while the ledger does not show which of them holds what. */
  pool: amounts,
  wallet: amounts,
  inventory: z.object({
    /** Share of the value in dollars, 0..1. */
    usdShare: z.number().nullable(),
    target: z.number(),
    /** -1..1; +1 = all dollars. */
    imbalance: z.number().nullable(),
  }),
  /** Null = it cannot be valued. */
  pnl: pnlSchema.nullable(),
  reconciliation: z.object({
    state: z.enum(['reconciled', 'pending', 'break']),
    since: ms.nullable(),
    why: z.string(),
    /** Venue minus ledger, where they differ. */
    unreconciled: amounts,
    /** The difference by the latest reading, confirmed or not, which `resume --book` books. */
    difference: amounts,
    /** The tokens of the latest reading that equalled the ledger. */
    covers: z.array(asset),
    /** Tokens that the venue does not state, whose amounts are therefore unproven. */
    notStated: z.array(asset),
    /** Unreadable parts of the venue's answers: route, field and reason, oldest first. Empty = none. */
    unreadable: z.array(z.string()),
    /** Age of the latest balances reading that equalled the ledger; null = no reading did yet. */
    provenAgeMs: ms.nullable(),
  }),
  fills: z.object({
    total: z.int(),
    bid: z.int(),
    ask: z.int(),
    volumeUsd: decimal,
    /** Most recent first, at most 20. */
    last: z.array(fill),
  }),
  /** Whether the protocol fee is charged to the position, as learned from the balances. */
  feeModel: z.string(),
}
type LedgerView = {
  readonly [Field in keyof typeof ledgerFields]: Shown<z.infer<(typeof ledgerFields)[Field]>>
}

export function ledgerView(state: EngineState, now: Ms): LedgerView {
  const { config, market, book, reconciliation, flow } = state
  const held = position(book)
  const isPlaced = isPlaceKnown(book)
  const share = market.mid === null ? null : inventoryShare(held, market.mid, config.inventory.target)
  return {
    balances: texts(stated(reconciliation, held)),
    pool: isPlaced ? texts(stated(reconciliation, poolAmounts(book))) : {},
    wallet: isPlaced ? texts(stated(reconciliation, walletAmounts(book))) : {},
    inventory: {
      usdShare: share?.usdShare ?? null,
      target: config.inventory.target,
      imbalance: share?.imbalance ?? null,
    },
    pnl: pnlView(state),
    reconciliation: {
      state: reconciliation.state,
      since: state.reconciliationSince,
      why: reconciliation.why,
      unreconciled: texts(reconciliation.unreconciled),
      difference: texts(presentDifference(reconciliation)),
      ...coverage(state),
      provenAgeMs: reconciliation.matchedAt === null ? null : now - reconciliation.matchedAt,
    },
    fills: {
      total: flow.count.bid + flow.count.ask,
      ...flow.count,
      volumeUsd: formatDecimalText(flow.volumeUsd.bid + flow.volumeUsd.ask, 18),
      last: flow.last.map(fillView),
    },
    feeModel: feeModelText(reconciliation.fees),
  }
}

/** Returns the amounts of tokens that the venue stated or that the ledger moved; all others are unknown, not zero. */
function stated({ opened, mentioned }: ReconciliationState, held: Amounts): Partial<Amounts> {
  if (!opened) return {}
  const known = Object.entries(held).filter(
    ([one, amount]) => mentioned[one as Asset] === true || amount !== 0n,
  )
  return Object.fromEntries(known)
}

/**
 * Returns whether the ledger shows what is in the pool and what in the wallet. A fill that is seen after a deactivation moved its tokens is
 * booked in the pool, which is then below zero until the next move: only the sums are proven.
 */
function isPlaceKnown(book: BookState): boolean {
  const [pool, wallet, all] = [poolAmounts(book), walletAmounts(book), position(book)]
  return ASSETS.every((one) => all[one] < 0n || (pool[one] >= 0n && wallet[one] >= 0n))
}

/** Returns the tokens that the reconciliation covers, and those that no answer states and that are therefore not counted. */
function coverage({ reconciliation }: EngineState) {
  const { stated: statedBy, covers: all } = reconciliation.unreadable
  const covers = Object.keys(statedBy).length > 0 ? all : []
  return {
    covers,
    notStated: covers.length > 0 ? ASSETS.filter((one) => !covers.includes(one)) : [],
    unreadable: unreadableTexts(reconciliation),
  }
}

function fillView(shown: ShownFill): FillView {
  const { amountIn, amountOut } = shown
  return { ...shown, amountIn: formatAmount(amountIn), amountOut: formatAmount(amountOut) }
}

function pnlView({ book, flow: { slippageTzs } }: EngineState): PnlView | null {
  const now = pnl(book)
  const residual = identityResidual(book)
  if (now === null || residual === null) return null
  const perToken: Record<string, NonNullable<PnlView['perToken'][keyof PnlView['perToken']]>> = {}
  for (const stable of STABLE_ASSETS) {
    const token = now.byStable[stable]
    perToken[stable] = { ...exact(token, TOKEN_TERMS, 36), edgeUsd: formatDecimalText(token.edgeUsd, 54) }
  }
  return {
    tzs: exact(now.tzs, TZS_TERMS, 36),
    usd: exact(now.usd, USD_TERMS, 54),
    residual: { tzs: formatDecimalText(residual.tzs, 36), usd: formatDecimalText(residual.usd, 54) },
    slippageTzs: slippageTzs === undefined ? null : formatDecimalText(slippageTzs, 36),
    perToken,
  }
}

function terms<Term extends string>(names: readonly Term[]) {
  return z.object(Object.fromEntries(names.map((name) => [name, decimal])) as Record<Term, typeof decimal>)
}

/** Keeps every digit, so the terms add up exactly to the total. */
function exact<Term extends string>(
  values: Readonly<Record<Term, bigint>>,
  names: readonly Term[],
  decimals: number,
): Record<Term, string> {
  const texts = names.map((name) => [name, formatDecimalText(values[name], decimals)])
  return Object.fromEntries(texts) as Record<Term, string>
}

function texts(held: Readonly<Partial<Amounts>>): AmountTexts {
  const out: Record<string, string> = {}
  for (const one of ASSETS) {
    const amount = held[one]
    if (amount !== undefined) out[one] = formatAmount(amount)
  }
  return out
}

/** Whether the position pays the protocol fee, and the rate if the balances showed a different one from the rows. */
function feeModelText({ model, rate }: EngineState['reconciliation']['fees']): string {
  return rate === null ? model : `${model}, ${rate.bps} bps`
}
