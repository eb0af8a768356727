import type { DatabaseSync } from 'node:sqlite'
import type { Ms } from '../base/time.ts'
import type { HistoryReader } from './open-history.ts'

/** One minute of a position in plain numbers: whole tokens, TZS per USD, bps; null = not known then. */
export type SampleRow = {
  readonly t: Ms
  readonly mid: number | null
  readonly fairValue: number | null
  readonly bidBps: number | null
  readonly askBps: number | null
  readonly bestBidBps: number | null
  readonly bestAskBps: number | null
  readonly ntzs: number | null
  /** All dollars together. */
  readonly usd: number | null
  readonly postedSpread: number | null
  readonly staleMid: number | null
  readonly inventory: number | null
  readonly costs: number | null
  readonly unexplained: number | null
  readonly totalUsd: number | null
}

const COLUMNS = `t, mid, fair_value AS fairValue, bid_bps AS bidBps, ask_bps AS askBps,
  best_bid_bps AS bestBidBps, best_ask_bps AS bestAskBps, ntzs, usdc + usdt + usdt_bnb AS usd,
  posted_spread AS postedSpread, stale_mid AS staleMid, inventory, costs, unexplained, total_usd AS totalUsd`

/**
 * Samples by moment. A chart of a thousand points seeks a thousand rows however long the time it shows:
 * scanning a year of minutes would take a hundred times as long.
 */
export function sampleReader(db: DatabaseSync): Pick<HistoryReader, 'samplesAt' | 'firstSample'> {
  const at = db.prepare(`SELECT ${COLUMNS} FROM samples WHERE t <= ? AND t >= ? ORDER BY t DESC LIMIT 1`)
  const first = db.prepare('SELECT min(t) AS t FROM samples')
  return {
    samplesAt: (moments, maxAgeMs) =>
      moments.map((moment) => (at.get(moment, moment - maxAgeMs) as SampleRow | undefined) ?? null),
    firstSample: () => (first.get()?.['t'] as number | null | undefined) ?? null,
  }
}
