import type { DatabaseSync } from 'node:sqlite'
import type { SampleRow } from './history-rows.ts'
import type { HistoryReader } from './open-history.ts'

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
