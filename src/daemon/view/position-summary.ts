import { z } from 'zod'
import { RISK_RULES } from '../../core/alerts/risk-rules.ts'
import { SEVERITY_RANK, type Severity } from '../../core/alerts/entry.ts'
import { MINUTE_MS, type Ms } from '../../base/time.ts'
import { dayFigures } from '../../core/engine/accounting/day.ts'
import type { EngineState } from '../../core/engine/model/state.ts'
import { poolAmounts, position, settledPnl } from '../../core/ledger/book/book.ts'
import { pnl } from '../../core/ledger/book/pnl.ts'
import { dollars18, USD18_TO_USD54, type Usd54 } from '../../core/ledger/book/value.ts'
import { midAge } from '../../core/market/market-state.ts'
import type { Amounts } from '../../base/money/asset.ts'
import { formatDecimalText } from '../../base/money/decimal-text.ts'
import { formatRate } from '../../base/money/rate.ts'
import { divide, type Rounding } from '../../base/money/rounding.ts'
import { committed } from '../../core/rfq/commitment.ts'
import { outstandingUsd } from '../../core/rfq/open-order.ts'
import { bps, decimal, ms, type Shown } from './fields.ts'
import { isOut } from './position-text.ts'
import { liveView } from './stop-view.ts'
import { readiness, reasonsOf, type Readiness } from './position-view.ts'

const MOST_REASONS = 3
const usd = decimal.nullable().describe('Dollars with at most 6 places; null = not known.')

/**
 * One line of the list of positions, from which the limits of a fleet are also checked. Money has six decimals: earnings and
 * holdings are rounded down, amounts that count against a limit up. Null means *unknown*, never zero.
 */
export const positionSummary = z.object({
  name: z.string(),
  /** Null = it does not run. */
  mode: z.enum(['live', 'dry-run']).nullable(),
  /** How a simulated venue describes itself; null = a real venue, or no answer yet. */
  simulation: z.string().nullable(),
  tradingState: z.enum(['ACTIVE', 'REDUCING', 'HALTED']).nullable(),
  paused: z.boolean(),
  /** False = it did not answer or does not run: the figures are its last ones. */
  answered: z.boolean(),
  /** The strategy's name; null = it does not run. */
  strategy: z.string().nullable(),
  ready: z.boolean(),
  /** Problems, one sentence each, the most severe first; at most three. */
  why: z.array(z.string()).max(MOST_REASONS),
  /** The highest severity of its current problems; null = no problem. */
  severity: z.enum(['critical', 'warning', 'info']).nullable(),
  /** Since 00:00 UTC. */
  pnlTodayUsd: usd,
  /** Since the opening, net of own deposits and withdrawals. */
  pnlTotalUsd: usd,
  /** The amount that takers can trade against: the pool, or in self-custody the amount committed by open orders. */
  deployedUsd: usd,
  /** Dollars of signed orders that can still be filled. */
  outstandingUsd: usd,
  /** All that is ours, pool and wallet together. */
  heldUsd: usd,
  /** The loss that `risk.maxLossTzs` limits, at the current fair value; never negative. */
  lossUsd: usd,
  /** When the latest fill was booked; null = never. */
  lastFillAt: ms.nullable(),
  /** Booked since 00:00 UTC. */
  fillsToday: z.int().nullable(),
  /** The confirmed quote; null = the side is off, or its quote is not known. */
  bidBps: bps.nullable(),
  askBps: bps.nullable(),
  /** TZS per USD. */
  mid: decimal.nullable(),
  midAgeMs: ms.nullable(),
  /** The latest event. */
  seq: z.int(),
})
export type PositionSummary = Shown<z.infer<typeof positionSummary>>

/** Returns a fresh summary of a core's state that shares none of its objects. */
export function summarisePosition(state: EngineState, now: Ms, seq: number): PositionSummary {
  const { config, latch, market, flow } = state
  const ready = readiness(state, now)
  const tradingState = latch.halted === null ? (state.decision?.tradingState ?? 'REDUCING') : 'HALTED'
  const live = liveView(state)
  const isLeftOut =
    isOut({ ...config, live, leaving: state.activation.leaving, tradingState }) && !state.activation.missing
  const shown = live.banner ?? (isLeftOut ? live.text : null)
  return {
    name: config.name,
    mode: config.mode,
    simulation: null,
    tradingState,
    paused: latch.paused !== null,
    answered: true,
    strategy: config.strategy.use,
    ready: ready.ready,
    why: [...new Set([...(shown === null ? [] : [shown]), ...reasonsOf(state), ...ready.why])].slice(
      0,
      MOST_REASONS,
    ),
    severity: severityOf(state, now, ready),
    ...moneyOf(state, now),
    lastFillAt: flow.last[0]?.seenAt ?? null,
    ...quotedSpread(state),
    mid: market.mid === null ? null : formatRate(market.mid),
    midAgeMs: midAge(market, now),
    seq,
  }
}

/**
 * Returns the summary of a position that does not answer or does not run because of `why`, with the figures of its `last`
 * summary.
 */
export function absentSummary(
  name: string,
  why: string,
  last: PositionSummary | null,
  severity: Severity = 'critical',
): PositionSummary {
  return {
    ...(last ?? NEVER_SEEN),
    name,
    answered: false,
    ready: false,
    why: [why],
    severity,
  }
}

const NEVER_SEEN: Omit<PositionSummary, 'name' | 'answered' | 'ready' | 'why' | 'severity'> = {
  mode: null,
  simulation: null,
  tradingState: null,
  paused: false,
  strategy: null,
  pnlTodayUsd: null,
  pnlTotalUsd: null,
  deployedUsd: null,
  outstandingUsd: null,
  heldUsd: null,
  lossUsd: null,
  lastFillAt: null,
  fillsToday: null,
  bidBps: null,
  askBps: null,
  mid: null,
  midAgeMs: null,
  seq: 0,
}

/** A start takes a few seconds in which the position is not ready; that is not a problem. */
function severityOf(state: EngineState, now: Ms, { ready }: Readiness): Severity | null {
  const { latch, decision, activation, processStartedAt } = state
  if (latch.halted !== null) return 'critical'
  const { missing } = activation
  if (missing && now - missing.since >= MINUTE_MS) return 'critical'
  let gravest: Severity | null = latch.paused === null ? null : 'info'
  const meet = (severity: Severity) => {
    if (gravest === null || SEVERITY_RANK[severity] > SEVERITY_RANK[gravest]) gravest = severity
  }
  for (const { rule } of decision?.findings ?? []) meet(RISK_RULES[rule].severity)
  if (!ready) meet(now - processStartedAt >= MINUTE_MS ? 'warning' : 'info')
  return gravest
}

type Money = Pick<
  PositionSummary,
  'pnlTodayUsd' | 'pnlTotalUsd' | 'deployedUsd' | 'outstandingUsd' | 'heldUsd' | 'lossUsd' | 'fillsToday'
>

function moneyOf(state: EngineState, now: Ms): Money {
  const { book, reconciliation, rfq, config } = state
  const result = pnl(book)
  const day = dayFigures(state, now)
  let outstanding = 0n
  for (const open of Object.values(rfq.openOrders)) outstanding += outstandingUsd(open)
  const deployed = config.rfq === null ? poolAmounts(book) : committed(rfq)
  const isValued = result !== null && reconciliation.opened
  return {
    pnlTodayUsd: result === null || day === null ? null : dollars(day.pnlUsd, 'down'),
    pnlTotalUsd: result === null ? null : dollars(result.usd.total, 'down'),
    deployedUsd: isValued ? dollars(valueAtMark(state, deployed), 'up') : null,
    outstandingUsd: dollars(outstanding * USD18_TO_USD54, 'up'),
    heldUsd: isValued ? dollars(valueAtMark(state, position(book)), 'down') : null,
    lossUsd: lossOf(state, result?.tzs.total ?? null),
    fillsToday: day?.fills ?? null,
  }
}

/** In dollars at 54 decimals; the ledger's own inverse of its mark. */
function valueAtMark({ book }: EngineState, amounts: Readonly<Amounts>): Usd54 {
  return dollars18(amounts) * USD18_TO_USD54 + amounts.NTZS * settledPnl(book).inverse
}

/** The rule counts the loss in TZS; a loss of 36 decimals over a rate of 18 is dollars at 18. */
function lossOf({ book: { pnl: state } }: EngineState, totalTzs: bigint | null): string | null {
  if (totalTzs === null || state.mark === null) return null
  return totalTzs >= 0n ? '0' : dollars(divide(-totalTzs, state.mark, 'up') * USD18_TO_USD54, 'up')
}

const USD54_TO_MILLIONTHS = 10n ** 48n

function dollars(value: Usd54, rounding: Rounding): string {
  return formatDecimalText(divide(value, USD54_TO_MILLIONTHS, rounding), 6)
}

function quotedSpread({
  quoting: { status, confirmed },
}: EngineState): Pick<PositionSummary, 'bidBps' | 'askBps'> {
  if (status !== 'confirmed' || confirmed === null) return { bidBps: null, askBps: null }
  const { quoteBid, quoteAsk, bidBps, askBps } = confirmed
  return { bidBps: quoteBid ? bidBps : null, askBps: quoteAsk ? askBps : null }
}
