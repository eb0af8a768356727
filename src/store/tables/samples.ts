import type { Ms } from '../../base/time.ts'
import type { Observation } from '../../core/engine/model/observation.ts'
import { PNL_TERMS, type PnlTerm } from '../../core/ledger/book/pnl.ts'
import { type Amounts, type Asset, formatAmount } from '../../base/money/asset.ts'
import { formatDecimalText } from '../../base/money/decimal-text.ts'
import { rateToNumber, type Rate } from '../../base/money/rate.ts'
import type { Connection, Query } from '../connection/connection.ts'

/** One minute of a position in plain numbers: whole tokens, TZS per USD, bps; null = unknown then. */
export type SampleRow = {
  readonly t: Ms
  readonly mid: number | null
  readonly fairValue: number | null
  readonly bidBps: number | null
  readonly askBps: number | null
  readonly bestBidBps: number | null
  readonly bestAskBps: number | null
  readonly ntzs: number | null
  /** The sum of all dollars. */
  readonly usd: number | null
  readonly totalUsd: number | null
} & Readonly<Record<PnlTerm, number | null>>

export type SampleReader = {
  /** Returns for each moment the last sample at or before it, unless it is older than `maxAgeMs`. */
  readonly samplesAt: (moments: readonly Ms[], maxAgeMs: Ms) => readonly (SampleRow | null)[]
  /** Moment of the first sample; null = none. */
  readonly firstSample: () => Ms | null
}

const SELECTED = `t, mid, fair_value AS "fairValue", bid_bps AS "bidBps", ask_bps AS "askBps",
  best_bid_bps AS "bestBidBps", best_ask_bps AS "bestAskBps", ntzs, usdc + usdt + usdt_bnb AS usd,
  posted_spread AS "spreadCapture", stale_mid AS "staleMid", inventory, costs, unexplained AS unreconciled,
  total_usd AS "totalUsd"`

/**
 * Returns a reader of samples by moment. A chart of a thousand points seeks a thousand rows regardless of its time
 * span; scanning a year of minutes would take a hundred times as long.
 */
export function sampleReader({ prepare, dialect }: Connection): SampleReader {
  const first = prepare('SELECT min(t) AS t FROM samples')
  return {
    samplesAt: dialect.samplesAt === null ? oneByOne(prepare) : atOnce(prepare(dialect.samplesAt(SELECTED))),
    firstSample: () => (first.get()?.['t'] as number | null | undefined) ?? null,
  }
}

function oneByOne(prepare: Connection['prepare']): SampleReader['samplesAt'] {
  const at = prepare(`SELECT ${SELECTED} FROM samples WHERE t <= ? AND t >= ? ORDER BY t DESC LIMIT 1`)
  return (moments, maxAgeMs) =>
    moments.map((moment) => (at.get(moment, moment - maxAgeMs) as SampleRow | undefined) ?? null)
}

/** Over a network a thousand queries would cost a thousand round trips. */
function atOnce(at: Query): SampleReader['samplesAt'] {
  return (moments, maxAgeMs) =>
    at
      .all(JSON.stringify(moments.map(Math.floor)), maxAgeMs)
      .map((row) => (row['t'] === null ? null : (row as unknown as SampleRow)))
}

type Sample = Extract<Observation, { type: 'sample' }>

const TZS_DECIMALS = 36
const USD_DECIMALS = 54

/** Returns one minute of a position as a row. */
export function sampleCells(seq: number, sample: Sample): readonly (number | null)[] {
  const { t, mid, fairValue, bidBps, askBps, bestBidBps, bestAskBps, balances, pnl } = sample
  return [
    t,
    seq,
    rate(mid),
    rate(fairValue),
    bidBps,
    askBps,
    bestBidBps,
    bestAskBps,
    whole(balances, 'NTZS'),
    whole(balances, 'USDC'),
    whole(balances, 'USDT'),
    whole(balances, 'USDT.bnb'),
    ...PNL_TERMS.map((term) => (pnl === null ? null : nearest(pnl.tzs[term], TZS_DECIMALS))),
    pnl === null ? null : nearest(pnl.totalUsd, USD_DECIMALS),
  ]
}

function rate(value: Rate | null): number | null {
  return value === null ? null : rateToNumber(value)
}

function whole(amounts: Amounts | null, asset: Asset): number | null {
  return amounts === null ? null : Number(formatAmount(amounts[asset]))
}

/** Returns the nearest double of an exact amount. */
function nearest(value: bigint, decimals: number): number {
  return Number(formatDecimalText(value, decimals))
}
