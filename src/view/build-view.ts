import { formatDecimalText } from '../money/decimal-text.ts'
import { createReview } from '../risk/latch.ts'
import type { EngineState } from '../engine/model/state.ts'
import type { FlowState, ShownFill } from '../engine/accounting/flow.ts'
import type { AmountTexts, BoundsView, FillView, PnlView, PositionView, QuoteView } from './position-view.ts'
import { formatAmount } from '../money/amount.ts'
import { ASSETS, STABLE_ASSETS, type Amounts } from '../money/asset.ts'
import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../money/bps.ts'
import { poolAmounts, position, walletAmounts } from '../ledger/book/book.ts'
import { identityResidual, pnl } from '../ledger/book/pnl.ts'
import { budgetRemaining, effectiveLimit } from '../pacing/budget.ts'
import type { Ms } from '../base/time.ts'
import { buildMarketView, missingView } from './build-market-view.ts'
import { buildRfqView, withdrawalsView } from './build-rfq-view.ts'
import { inventoryShare } from '../engine/decision/inventory-share.ts'

const BUDGET_WINDOW_MS = 60_000

/** What the core shows to the outside: made anew from its state, holding nothing of it. */
export function buildView(
  state: EngineState,
  now: Ms,
  chain: { readonly seq: number; readonly digest: string },
): PositionView {
  const { config, market, book, completeness, latch, flow } = state
  const held = position(book)
  const share = market.mid === null ? null : inventoryShare(held, market.mid, config.inventory.target)
  return {
    name: config.name,
    mode: config.mode,
    version: state.version,
    startedAt: state.processStartedAt,
    now,
    tradingState: latch.halted === null ? (state.decision?.tradingState ?? 'REDUCING') : 'HALTED',
    reasons: reasonsOf(state),
    paused: latch.paused !== null,
    ...buildMarketView(state, now),
    isActive: state.activation.isActive,
    missing: missingView(state),
    quote: quoteView(state),
    balances: texts(completeness.opened ? held : {}),
    pool: texts(completeness.opened ? poolAmounts(book) : {}),
    wallet: texts(completeness.opened ? walletAmounts(book) : {}),
    inventory: {
      usdShare: share?.usdShare ?? null,
      target: config.inventory.target,
      deviation: share?.deviation ?? null,
    },
    bounds: boundsView(state),
    pnl: pnlView(state),
    completeness: {
      state: completeness.state,
      since: state.completenessSince,
      why: completeness.why,
      unexplained: texts(completeness.unexplained),
      provenAgeMs: completeness.matchedAt === null ? null : now - completeness.matchedAt,
    },
    budget: budgetView(state, now),
    competition: { bid: competitor(state, 'bid', now), ask: competitor(state, 'ask', now) },
    fills: fillsView(flow),
    review: reviewView(state),
    strategy: {
      use: config.strategy.use,
      params: config.strategy.params,
      suspended: state.strategy.suspended,
    },
    rfq: buildRfqView(state, now),
    withdrawals: withdrawalsView(state),
    feeModel: feeModelText(completeness.fees),
    requestsFailed: state.failedRequests,
    lastSeq: chain.seq,
    digest: chain.digest,
  }
}

function budgetView({ pacing, config }: EngineState, now: Ms): PositionView['budget'] {
  return {
    limit: config.pacing.requestsPerMinute,
    effective: effectiveLimit(pacing, config.pacing, now),
    remaining: budgetRemaining(pacing, config.pacing, now),
    windowMs: BUDGET_WINDOW_MS,
  }
}

function boundsView({ config }: EngineState): BoundsView {
  const inventory: Record<string, BoundsView['inventory']['NTZS']> = {}
  for (const asset of ASSETS) {
    const limit = config.inventory.limits[asset]
    if (limit === undefined) continue
    const text = (amount: bigint | null) => (amount === null ? null : formatAmount(amount, asset))
    inventory[asset] = { min: text(limit.min), max: text(limit.max) }
  }
  const { safeBps } = config.quote
  const { maxMidAgeMs } = config.risk
  return { minBps: MIN_SPREAD_BPS, maxBps: MAX_SPREAD_BPS, safeBps, maxMidAgeMs, inventory }
}

function reasonsOf({ latch, decision }: EngineState): string[] {
  const reasons = latch.halted === null ? [] : [`halted: ${latch.halted.why}`]
  for (const finding of decision?.findings ?? []) reasons.push(`${finding.rule}: ${finding.message}`)
  return reasons
}

function quoteView({ quoting, stance }: EngineState): QuoteView {
  const { confirmed } = quoting
  return {
    believed: quoting.belief,
    bidBps: confirmed?.bidBps ?? null,
    askBps: confirmed?.askBps ?? null,
    quoteBid: confirmed?.quoteBid ?? null,
    quoteAsk: confirmed?.quoteAsk ?? null,
    confirmedAt: quoting.confirmedAt,
    target: stance === null ? null : { bidBps: stance.bidBps, askBps: stance.askBps },
    because: stance?.because ?? ['nothing was decided yet'],
  }
}

function competitor(state: EngineState, side: 'bid' | 'ask', now: Ms): { bps: number; ageMs: Ms } | null {
  const seen = state.market.competition[side]
  return seen === null ? null : { bps: seen.bps, ageMs: now - seen.seenAt }
}

function fillsView({ count, volumeUsd, last }: FlowState): PositionView['fills'] {
  return {
    total: count.bid + count.ask,
    ...count,
    volumeUsd: formatDecimalText(volumeUsd.bid + volumeUsd.ask, 18),
    last: last.map(fillView),
  }
}

function fillView(fill: ShownFill): FillView {
  const { amountIn, inAsset, amountOut, outAsset } = fill
  return { ...fill, amountIn: formatAmount(amountIn, inAsset), amountOut: formatAmount(amountOut, outAsset) }
}

function pnlView({ book }: EngineState): PnlView | null {
  const now = pnl(book)
  const residual = identityResidual(book)
  if (now === null || residual === null) return null
  const { tzs, usd } = now
  const perToken: Record<string, NonNullable<PnlView['perToken'][keyof PnlView['perToken']]>> = {}
  for (const asset of STABLE_ASSETS) {
    const terms = now.byStable[asset]
    perToken[asset] = {
      postedSpread: exact36(terms.postedSpread),
      staleMid: exact36(terms.staleMid),
      inventory: exact36(terms.inventory),
      edgeUsd: exact54(terms.edgeUsd),
    }
  }
  return {
    tzs: {
      postedSpread: exact36(tzs.postedSpread),
      staleMid: exact36(tzs.staleMid),
      inventory: exact36(tzs.inventory),
      costs: exact36(tzs.costs),
      unexplained: exact36(tzs.unexplained),
      total: exact36(tzs.total),
    },
    usd: {
      edge: exact54(usd.edge),
      inventory: exact54(usd.inventory),
      costs: exact54(usd.costs),
      unexplained: exact54(usd.unexplained),
      total: exact54(usd.total),
    },
    residual: { tzs: exact36(residual.tzs), usd: exact54(residual.usd) },
    perToken,
  }
}

/** Every digit, so that who adds the terms up gets exactly the total. */
function exact36(value: bigint): string {
  return formatDecimalText(value, 36)
}

function exact54(value: bigint): string {
  return formatDecimalText(value, 54)
}

function texts(amounts: Readonly<Partial<Amounts>>): AmountTexts {
  const out: Record<string, string> = {}
  for (const asset of ASSETS) {
    const amount = amounts[asset]
    if (amount !== undefined) out[asset] = formatAmount(amount, asset)
  }
  return out
}

/** How the protocol fee meets the position, and its rate where the balances showed another one than the rows name. */
function feeModelText({ model, rate }: EngineState['completeness']['fees']): string {
  return rate === null ? model : `${model}, ${rate.bps} bps`
}

/** The same for people; null = nobody has to look. */
export function reviewView({ review, config }: EngineState): PositionView['review'] {
  if ((config.risk.reviewAfter ?? null) === null) return null
  const { fills, sameSideFills, usd18, override } = review ?? createReview(0)
  return { fills, sameSideFills, volumeUsd: formatDecimalText(usd18, 18), override }
}
