import type { RecordedFill } from '../../backtest/recorder.ts'
import { isStable } from '../../../base/money/asset.ts'
import type { TapeFill } from '../../../store/tape/model/row.ts'
import type { Ms } from '../../../base/time.ts'

/** Agreement of a backtest with the real fills. */
export type FillScore = ReturnType<typeof scoreFills>

const SHOWN = 20

export function scoreFills(
  real: readonly TapeFill[],
  simulated: readonly RecordedFill[],
  protocolFeeBps: number,
) {
  const byId = new Map(simulated.map((fill) => [fill.id, fill]))
  const missedIds: string[] = []
  let [matched, apart] = [0, 0]
  for (const row of real) {
    const fill = byId.get(row.id)
    if (fill === undefined) missedIds.push(row.id)
    else {
      matched += 1
      apart += 10_000 * Math.abs(priceOf(fill) / realPrice(row, protocolFeeBps) - 1)
    }
  }
  return {
    real: real.length,
    simulated: simulated.length,
    /** Fills with equal ids in both. */
    matched,
    /** Real fills that the backtest lacks, and vice versa. */
    missed: missedIds.length,
    added: simulated.length - matched,
    matchedShare: real.length > 0 ? matched / real.length : null,
    /** Mean |difference| of the prices of matched fills, bps. */
    meanAbsPriceBps: matched > 0 ? apart / matched : null,
    missedIds: missedIds.slice(0, SHOWN),
  }
}

/** TZS per dollar at which we traded, including the protocol fee. */
function priceOf({ dollars18, shillings }: RecordedFill): number {
  return -Number(shillings) / Number(dollars18)
}

function realPrice(row: TapeFill, protocolFeeBps: number): number {
  const out =
    row.protocolFee === null
      ? Number(row.amountOut) / (1 - protocolFeeBps / 10_000)
      : Number(row.amountOut + row.protocolFee)
  if (isStable(row.from)) return out / Number(row.amountIn)
  return Number(row.amountIn) / out
}

/** A quote from `t` on; a null side is off. */
export type QuotePoint = { readonly t: Ms; readonly bidBps: number | null; readonly askBps: number | null }

export type QuoteAgreement = {
  /** Share of the time in which both quotes were the same on both sides, 0..1; null = no common time. */
  readonly sameShare: number | null
  /** Mean |difference| of the sides that both quoted, weighted by time, bps; null = never both. */
  readonly meanAbsBps: number | null
}

/** Returns the agreement of two quotes from `from` to `to`. Both lists are in time order and hold until the next point. */
export function quoteAgreement(
  a: readonly QuotePoint[],
  b: readonly QuotePoint[],
  from: Ms,
  to: Ms,
): QuoteAgreement {
  const moments = [...new Set([...a, ...b].map(({ t }) => Math.max(from, t)).concat(from))]
    .filter((t) => t < to)
    .sort((x, y) => x - y)
  const [ofA, ofB] = [standingAt(a), standingAt(b)]
  let [same, both, known, apart] = [0, 0, 0, 0]
  moments.forEach((t, index) => {
    const ms = (moments[index + 1] ?? to) - t
    const [left, right] = [ofA(t), ofB(t)]
    if (left === null || right === null) return
    known += ms
    if (left.bidBps === right.bidBps && left.askBps === right.askBps) same += ms
    for (const side of ['bidBps', 'askBps'] as const) {
      const [x, y] = [left[side], right[side]]
      if (x === null || y === null) continue
      both += ms
      apart += ms * Math.abs(x - y)
    }
  })
  return { sameShare: known > 0 ? same / known : null, meanAbsBps: both > 0 ? apart / both : null }
}

/** For ascending times: returns the last point at or before each. */
function standingAt(points: readonly QuotePoint[]): (t: Ms) => QuotePoint | null {
  let next = 0
  let standing: QuotePoint | null = null
  return (t) => {
    for (let point = points[next]; point !== undefined && point.t <= t; point = points[next]) {
      standing = point
      next += 1
    }
    return standing
  }
}
