import { HOUR_MS, type Ms } from '../../src/base/time.ts'
import { RATE_ONE, type Rate } from '../../src/base/money/rate.ts'
import { SIDES } from '../../src/base/money/side.ts'
import type { Participant, WorldFill, WorldView } from '../../src/research/scenarios/play/participant.ts'
import type { ScenarioWorld } from '../../src/research/scenarios/draw/world.ts'
import { playWorld } from '../../src/research/scenarios/play/play-world.ts'
import { compareRows } from '../../src/store/tape/model/encode-row.ts'
import type { TapeRow } from '../../src/store/tape/model/row.ts'
import { fillRow, MONDAY } from '../unit/research/calibration/drawn-tape.ts'

const TOKEN = 10n ** 18n
const OPENING = 2_500

/** The tape of a participant in a world, whose probes name the best of the others. */
export function playedTape(
  world: ScenarioWorld,
  decide: Participant,
  tauBps: number | null,
): readonly TapeRow[] {
  const rows: TapeRow[] = []
  const recorded: Participant = (view) => {
    for (const one of view.news) if (one.what === 'fill') rows.push(fillOf(one, rows.length))
    const quotes = decide(view)
    rows.push(...rowsOf(view, quotes))
    return quotes
  }
  playWorld(world, recorded, { tauBps })
  rows.push({ type: 'rate', t: timeOf(24 * world.days), mid: midOf(0), rateUpdatedAt: null, quotable: true })
  return rows.sort(compareRows)
}

const timeOf = (hour: number): Ms => MONDAY + Math.round(hour * HOUR_MS)
const midOf = (bps: number): Rate =>
  BigInt(Math.round(OPENING * Math.exp(bps / 1e4) * 1e9)) * (RATE_ONE / 10n ** 9n)

function fillOf({ hour, side, bps, midBps, usd }: WorldFill, number: number): TapeRow {
  const fill = { t: timeOf(hour), side, bps, mid: midOf(midBps), usd: Math.max(1, Math.round(usd)) }
  return { ...fillRow(fill), id: `${side}-${number}` }
}

function rowsOf({ hour, midBps, stock, others, feedBps }: WorldView, quotes: ReturnType<Participant>) {
  const t = timeOf(hour)
  const mid = midOf(midBps)
  const { bidBps, askBps } = quotes
  const amounts = {
    USDC: BigInt(Math.round(stock.bid)) * TOKEN,
    NTZS: (BigInt(Math.round(Math.max(0, stock.ask))) * TOKEN * mid) / RATE_ONE,
  }
  const spread = { bidBps: bidBps ?? 500, askBps: askBps ?? 500 }
  const rows: TapeRow[] = [
    { type: 'rate', t, mid, rateUpdatedAt: null, quotable: true },
    ...SIDES.map((side): TapeRow => {
      const [from, to] = side === 'ask' ? (['USDC', 'NTZS'] as const) : (['NTZS', 'USDC'] as const)
      const shown = { bidBps: null, askBps: null, [`${side}Bps`]: others[`${side}Bps`] }
      return { type: 'competition', t, from, to, amount: 100n, ...shown, own: false }
    }),
    { type: 'balances', t, amounts, source: 'pool' },
    { type: 'quote', t, ...spread, quoteBid: bidBps !== null, quoteAsk: askBps !== null, quotePairs: null },
  ]
  return feedBps === null
    ? rows
    : [{ type: 'reference', t, source: 'feed', mid: midOf(feedBps) } as const, ...rows]
}
