import { DAY_MS, MINUTE_MS, type Ms } from '../../../base/time.ts'
import type { FillAnswerRow, FillsPage } from '../../console/answers.ts'
import { eventPlaceText, parseEventPlace } from '../../console/api/event-place.ts'
import type { FillsQuery } from '../../console/position-port.ts'
import { type Asset, formatAmount } from '../../../base/money/asset.ts'
import { rateToNumber } from '../../../base/money/rate.ts'
import type { FillRow } from '../../../store/history/fill-reader.ts'
import type { HistoryReader } from '../../../store/history/open-history.ts'

type Reader = Pick<HistoryReader, 'fills' | 'midAt' | 'samplesAt' | 'firstSample'>

const HORIZONS = { m5: 5 * MINUTE_MS, h1: 60 * MINUTE_MS, d1: DAY_MS } as const
const TEN_THOUSAND = 10_000
/** A mid that has not been confirmed for this long counts as unknown. */
const KNOWN_FOR_MS = 10 * MINUTE_MS

/** Returns a page of fills, newest first, with the edge of each and the later moves of the mid. */
export function fillsAnswer(reader: Reader, { after, limit, side, asset }: FillsQuery, now: Ms): FillsPage {
  const place = after === null ? null : parseEventPlace(after)
  const rows = reader.fills(place, limit + 1, { side, asset })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next = rows.length > limit && last !== undefined ? eventPlaceText(last) : null
  const firstSample = reader.firstSample()
  return { fills: page.map((row) => answerRow(reader, row, now, firstSample)), next }
}

function answerRow(reader: Reader, row: FillRow, now: Ms, firstSample: Ms | null): FillAnswerRow {
  const { id, side, inAsset, outAsset, formula, txHash } = row
  const at = momentOf(reader, row)
  const mid = row.midAtFill === null ? null : rateToNumber(row.midAtFill)
  const usd = Number(row.volumeUsd) / 1e18
  // We gain from a rise if we received dollars, and from a fall if we paid them out.
  const sign = inAsset === 'NTZS' ? -1 : 1
  const markout = (horizon: Ms) => {
    const moment = at + horizon
    if (mid === null || moment > now) return null
    const later = midKnownAt(reader, moment, firstSample)
    return later === null ? null : round((sign * (later - mid) * TEN_THOUSAND) / mid)
  }
  return {
    id,
    at,
    side,
    amountIn: formatAmount(row.amountIn),
    inAsset,
    amountOut: formatAmount(row.amountOut),
    outAsset,
    usd,
    edgeBps: mid === null ? null : edgeOf(row, mid),
    markoutBps: { m5: markout(HORIZONS.m5), h1: markout(HORIZONS.h1), d1: markout(HORIZONS.d1) },
    formula,
    txHash,
  }
}

/**
 * Returns when the fill was executed, on the venue's clock. If that is before all known samples, the clocks differ (a simulated
 * market runs faster), and the booking time is used.
 */
function momentOf(reader: Reader, { executedAt, bookedAt }: FillRow): Ms {
  return executedAt !== null && reader.midAt(executedAt) !== null ? executedAt : bookedAt
}

/** Returns the edge at the mid in bps of the fill's dollars: received less paid, including the fee; null = no dollars moved. */
function edgeOf(
  { inAsset, amountIn, outAsset, amountOut, feePaid, volumeUsd }: FillRow,
  mid: number,
): number | null {
  if (volumeUsd === 0n) return null
  const earned = dollarsOf(amountIn, inAsset, mid) - dollarsOf(amountOut + feePaid, outAsset, mid)
  return round((earned * TEN_THOUSAND * 1e18) / Number(volumeUsd))
}

function dollarsOf(amount: bigint, asset: Asset, mid: number): number {
  const whole = Number(amount) / 1e18
  return asset === 'NTZS' ? whole / mid : whole
}

/**
 * Returns the mid at a time; null = the daemon did not run then, so it is unknown. Before the first sample it is unknown whether
 * the daemon ran, so the last mid is used.
 */
function midKnownAt(reader: Reader, moment: Ms, firstSample: Ms | null): number | null {
  const known = reader.midAt(moment)
  if (known === null) return null
  const wasRunning =
    firstSample === null ||
    moment < firstSample ||
    moment - known.since <= KNOWN_FOR_MS ||
    reader.samplesAt([moment], KNOWN_FOR_MS)[0] !== null
  return wasRunning ? rateToNumber(known.mid) : null
}

/** Hundredths of a basis point: more digits would be noise. */
function round(bps: number): number {
  return Math.round(bps * 100) / 100
}
