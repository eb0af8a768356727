import { drawExponential, drawNormal, type Random, seededRandom } from '../../../../src/base/random.ts'
import { DAY_MS, HOUR_MS, type Ms } from '../../../../src/base/time.ts'
import { dollarsForShillings, shillingsForDollars } from '../../../../src/base/money/payout.ts'
import { TOKEN_UNIT } from '../../../../src/base/money/asset.ts'
import { RATE_ONE, type Rate } from '../../../../src/base/money/rate.ts'
import { SIDES, type Side } from '../../../../src/base/money/side.ts'
import { batchOfRows, type TapeSource } from '../../../../src/store/tape/model/batch.ts'
import type { TapeFill, TapeRow } from '../../../../src/store/tape/model/row.ts'

/** A market with known takers, and what its recorder would have written. */
export type DrawnMarket = {
  readonly seed: number
  readonly days: number
  /** The truth. */
  readonly a: number
  readonly k: number
  readonly halfSpreadBps: number
  readonly ditherBps: number
  /** Another provider, anew every three hours on each side within so many bps of our half-spread; null = nobody. */
  readonly rivalReachBps: number | null
  readonly toleranceBps: number
  /** Whether the probe names the best of the others, or the best of all, ourselves among them. */
  readonly probe: 'others' | 'all'
}

export const GOLDEN_MARKET: DrawnMarket = {
  seed: 1,
  days: 20,
  a: 40,
  k: 1 / 60,
  halfSpreadBps: 60,
  ditherBps: 35,
  rivalReachBps: null,
  toleranceBps: 5,
  probe: 'others',
}

export const MONDAY: Ms = Date.UTC(2026, 10, 2)
const MID = 2568n * RATE_ONE

/** Rows, hour by hour: a print every morning, a quote every hour, takers at their rates, routed as the venue does. */
export function drawRows(market: DrawnMarket): readonly TapeRow[] {
  const random = seededRandom(market.seed, 'drawn tape')
  const rows: TapeRow[] = []
  const rivals: Record<Side, number | null> = { bid: null, ask: null }
  let mid: Rate = MID
  for (let hour = 0; hour < 24 * market.days; hour++) {
    const t = MONDAY + hour * HOUR_MS
    if (hour % 24 === 7) mid += (mid * BigInt(Math.round(drawNormal(random) * 2500))) / 1_000_000n
    rows.push({ type: 'rate', t, mid, rateUpdatedAt: null, quotable: true })
    const own = { bid: ditheredBps(market, random), ask: ditheredBps(market, random) }
    for (const side of SIDES) {
      if (hour % 3 === 0) rivals[side] = rivalBps(market, random)
      if (market.rivalReachBps !== null) rows.push(probeRow(market, t, side, own[side], rivals[side]))
    }
    rows.push({
      type: 'quote',
      t,
      bidBps: own.bid,
      askBps: own.ask,
      quoteBid: true,
      quoteAsk: true,
      quotePairs: null,
    })
    rows.push(...SIDES.flatMap((side) => fillsOfHour(market, t, side, own[side], rivals[side], mid, random)))
  }
  rows.push({ type: 'rate', t: MONDAY + market.days * DAY_MS, mid, rateUpdatedAt: null, quotable: true })
  return rows
}

/** A tape of these rows, in one batch. */
export function tapeOf(rows: readonly TapeRow[]): TapeSource {
  return {
    async *batches() {
      yield await Promise.resolve(batchOfRows(rows))
    },
    problems: () => [],
  }
}

function ditheredBps({ halfSpreadBps, ditherBps }: DrawnMarket, random: Random): number {
  return halfSpreadBps - ditherBps + Math.floor(random() * (2 * ditherBps + 1))
}

/** Gone for a third of the time. */
function rivalBps({ halfSpreadBps, rivalReachBps }: DrawnMarket, random: Random): number | null {
  const gone = random() < 1 / 3
  const bps = Math.round(halfSpreadBps + (rivalReachBps ?? 0) * (2 * random() - 1))
  return rivalReachBps === null || gone ? null : bps
}

function probeRow(market: DrawnMarket, t: Ms, side: Side, own: number, rival: number | null): TapeRow {
  const best = market.probe === 'others' ? rival : Math.min(own, rival ?? Infinity)
  return side === 'ask'
    ? {
        type: 'competition',
        t,
        from: 'USDC',
        to: 'NTZS',
        amount: 100n * 10n ** 18n,
        bidBps: null,
        askBps: best,
      }
    : {
        type: 'competition',
        t,
        from: 'NTZS',
        to: 'USDC',
        amount: 256_800n * 10n ** 18n,
        bidBps: best,
        askBps: null,
      }
}

function fillsOfHour(
  { a, k, toleranceBps }: DrawnMarket,
  from: Ms,
  side: Side,
  own: number,
  rival: number | null,
  mid: Rate,
  random: Random,
): readonly TapeFill[] {
  const fills: TapeFill[] = []
  const perMs = (a * Math.exp(-k * own)) / DAY_MS
  for (
    let t = from + drawExponential(random) / perMs;
    t < from + HOUR_MS;
    t += drawExponential(random) / perMs
  ) {
    if (rival !== null && rival < own - toleranceBps) continue
    if (rival !== null && rival <= own + toleranceBps && random() < 0.5) continue
    fills.push(fillRow({ t: Math.floor(t), side, bps: own, mid, usd: 50 + Math.floor(random() * 400) }))
  }
  return fills
}

/** A fill of ours at that spread, without a protocol fee. */
export function fillRow({
  t,
  side,
  bps,
  mid = MID,
  usd = 100,
}: {
  readonly t: Ms
  readonly side: Side
  readonly bps: number
  readonly mid?: Rate
  readonly usd?: number
}): TapeFill {
  const dollars = BigInt(usd) * 10n ** 18n
  const shillings = (dollars * mid) / RATE_ONE
  const ask = side === 'ask'
  return {
    type: 'fill',
    t,
    id: `${side}-${t}`,
    from: ask ? 'USDC' : 'NTZS',
    to: ask ? 'NTZS' : 'USDC',
    amountIn: ask ? dollars : shillings,
    amountOut: ask
      ? shillingsForDollars(dollars, mid, bps, 'down')
      : dollarsForShillings(shillings, mid, bps, 'divide', TOKEN_UNIT.USDC, 'down'),
    protocolFee: 0n,
    feesEarned: null,
    txHash: null,
    seenAt: null,
  }
}
