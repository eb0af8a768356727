export type TimeRange =
  /** The last so many ms, moving on with the news; null = all there is. */
  | { readonly kind: 'last'; readonly name: string; readonly ms: number | null }
  /** What somebody zoomed to: it stands still. */
  | { readonly kind: 'fixed'; readonly from: number; readonly to: number }

const HOUR = 3_600_000
const DAY = 86_400_000

export const RANGES = [
  { kind: 'last', name: '1h', ms: HOUR },
  { kind: 'last', name: '6h', ms: 6 * HOUR },
  { kind: 'last', name: '1d', ms: DAY },
  { kind: 'last', name: '7d', ms: 7 * DAY },
  { kind: 'last', name: '30d', ms: 30 * DAY },
  { kind: 'last', name: '1y', ms: 365 * DAY },
  { kind: 'last', name: 'all', ms: null },
] as const satisfies readonly TimeRange[]

const SHORTEST_MS = 10_000

/** [from, to] shown `factor` times as long around its middle, and moved by `shift` of its length. */
export function timeRange(shown: readonly [number, number], factor: number, shift: number): TimeRange {
  const [from, to] = shown
  const length = Math.max(SHORTEST_MS, (to - from) * factor)
  const middle = (from + to) / 2 + (to - from) * shift
  return { kind: 'fixed', from: Math.round(middle - length / 2), to: Math.round(middle + length / 2) }
}
