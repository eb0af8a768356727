import { seededRandom } from '../../src/base/random.ts'
import { DAY_MS } from '../../src/base/time.ts'
import type { TapeBatch } from '../../src/store/tape/model/batch.ts'
import type { TapeFill } from '../../src/store/tape/model/row.ts'

const START = Date.UTC(2025, 0, 1)
const NTZS = 10n ** 18n
const USD = 10n ** 18n

/** What the default pacing looks at a day, and how many takers a busy provider has. */
const RATES = 14_400
const PROBES = 43_200
const BALANCES = 5_760
export const FILLS = 318

/** Days of a tape as the daemon records one at its default pacing: 63,678 rows a day, 0.5 % of them fills. */
export function* busyDays(days: number, fillsADay = FILLS): Generator<TapeBatch, undefined> {
  const random = seededRandom(5, 'busy year')
  let before = 2_500n * NTZS
  let best = 70
  let number = 0
  for (let day = 0; day < days; day++) {
    const start = START + day * DAY_MS
    const mid = before + (BigInt(Math.round((random() - 0.5) * 10_000)) * NTZS) / 1_000n
    const rates = ratesOf(start, before, mid)
    const competition = {
      length: PROBES,
      t: times(start, PROBES, 1),
      probe: new Int32Array(PROBES),
      probes: [
        { from: 'USDC', to: 'NTZS', amount: 100n * USD },
        { from: 'NTZS', to: 'USDC', amount: 250_000n * NTZS },
      ] as const,
      bidBps: new Int16Array(PROBES).fill(-1),
      askBps: new Int16Array(PROBES).fill(-1),
      own: new Int8Array(PROBES).fill(-1),
    }
    for (let i = 0; i < PROBES; i++) {
      if (random() < 0.001) best = 62 + Math.floor(random() * 30)
      competition.probe[i] = i & 1
      if ((i & 1) === 0) competition.askBps[i] = best
      else competition.bidBps[i] = best
    }
    const amounts = { NTZS: 130_000_000n * NTZS, USDC: 50_000n * USD }
    const balances = Array.from(times(start, BALANCES, 2), (t) => ({
      type: 'balances' as const,
      t,
      amounts,
      source: 'pool' as const,
    }))
    const fills: TapeFill[] = []
    for (let i = 0; i < fillsADay; i++) {
      const t = start + Math.floor(((i + random()) * DAY_MS) / fillsADay)
      fills.push(fillOf(`f${++number}`, t, random() < 0.5, Math.floor(2_000 + random() * 28_000)))
    }
    yield {
      rows: RATES + PROBES + BALANCES + fillsADay + 1,
      rates,
      competition,
      references: [],
      balances,
      quotes: [
        { type: 'quote', t: start, bidBps: 80, askBps: 80, quoteBid: true, quoteAsk: true, quotePairs: null },
      ],
      fills,
      decisions: [],
    }
    before = mid
  }
}

/** Yesterday's mid until seven in the morning, then today's. */
function ratesOf(start: number, before: bigint, mid: bigint): TapeBatch['rates'] {
  const t = times(start, RATES, 0)
  const from = Math.floor((RATES * 7) / 24)
  return {
    length: RATES,
    t,
    mid: new Int32Array(RATES).fill(1, from),
    mids: [before, mid],
    rateUpdatedAt: new Float64Array(RATES)
      .fill(start - DAY_MS, 0, from)
      .fill(start + (7 * DAY_MS) / 24, from),
    quotable: new Int8Array(RATES).fill(1),
  }
}

function times(start: number, count: number, offset: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => start + Math.floor((i * DAY_MS) / count) + offset)
}

function fillOf(id: string, t: number, isAsk: boolean, cents: number): TapeFill {
  const amountIn = isAsk ? (BigInt(cents) * USD) / 100n : BigInt(cents) * 25n * NTZS
  return {
    type: 'fill',
    t,
    id,
    from: isAsk ? 'USDC' : 'NTZS',
    to: isAsk ? 'NTZS' : 'USDC',
    amountIn,
    amountOut: 1n,
    protocolFee: null,
    feesEarned: null,
    txHash: null,
    seenAt: null,
  }
}
