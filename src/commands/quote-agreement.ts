import type { Ms } from '../base/time.ts'

/** A quote that stood from `t` on; null = that side off. */
export type QuotePoint = { readonly t: Ms; readonly bidBps: number | null; readonly askBps: number | null }

export type QuoteAgreement = {
  /** Share of the time in which both quotes were the same on both sides, 0..1; null = no common time. */
  readonly sameShare: number | null
  /** Mean |difference| of the sides that both quoted, weighted by time, bps; null = never both. */
  readonly meanAbsBps: number | null
}

/** How far two quotes agreed from `from` to `to`. Both lists are in time order and hold until the next point. */
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

/** For moments that only go forward: the last point at or before each. */
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
