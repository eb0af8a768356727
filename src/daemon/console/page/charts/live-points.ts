import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { PositionView } from '../../../view/position-view.ts'
import type { HistoryAnswer } from '../../answers.ts'

/** What the charts draw of one moment, as the stream delivered it. */
export type LivePoint = Pick<
  PositionView,
  'mid' | 'fairValue' | 'quote' | 'competition' | 'inventory' | 'pnl'
> & {
  readonly t: number
}

const MOST_POINTS = 600
const EVERY_MS = 1_000

/** Returns the history continued with what the stream delivered since its last sample. */
export function useLive(
  history: HistoryAnswer | null,
  view: PositionView,
  isLive: boolean,
): HistoryAnswer | null {
  const points = useRef<LivePoint[]>([])
  useEffect(() => {
    const last = points.current.at(-1)
    if (last !== undefined && view.now - last.t < EVERY_MS) return
    points.current = [...points.current, { ...view, t: view.now }].slice(-MOST_POINTS)
  }, [view])
  return useMemo(
    () => (history === null || !isLive ? history : withLivePoints(history, points.current)),
    [history, isLive, view],
  )
}

/**
 * Returns the history from its first datum on, with live points (oldest first) in place of the steps after its last sample.
 * Steps before every live point stay, with what they knew: nothing. Fills of a replaced step count at the point that follows it.
 */
export function withLivePoints(history: HistoryAnswer, points: readonly LivePoint[]): HistoryAnswer {
  const { t, mid, pnl, fills } = history
  // At the end of the range the history repeats its last sample, which live points know better.
  const sampled = mid.findLastIndex((value, index) => value !== null && (t[index] ?? 0) < history.to)
  const added = points.filter((point) => point.t > (t[sampled] ?? -1))
  const first = added[0]
  const reached = first === undefined ? -1 : t.findIndex((step, index) => index > sampled && step >= first.t)
  const end = reached < 0 ? t.length : reached
  const known = mid.slice(0, end).findIndex((value, index) => value !== null || hadFills(fills, index))
  const start = known < 0 ? end : known
  const column = (values: HistoryAnswer['mid'], of: (point: LivePoint) => number | null) => [
    ...values.slice(start, end),
    ...added.map(of),
  ]
  const counts = (values: readonly number[]) => {
    const replaced = values.slice(end).map((count, index) => ({ count, at: t[end + index] ?? 0 }))
    const later = added.map((point, index) => {
      const from = index === 0 ? -1 : (added[index - 1]?.t ?? -1)
      const to = index === added.length - 1 ? Number.POSITIVE_INFINITY : point.t
      return replaced.reduce((sum, { count, at }) => sum + (at > from && at <= to ? count : 0), 0)
    })
    return [...values.slice(start, end), ...later]
  }
  const term = (name: Exclude<keyof HistoryAnswer['pnl'], 'totalUsd'>) =>
    column(pnl[name], (point) => numberOf(point.pnl?.tzs[name]))
  return {
    ...history,
    t: [...t.slice(start, end), ...added.map((point) => point.t)],
    mid: column(mid, (point) => numberOf(point.mid)),
    fairValue: column(history.fairValue, ({ fairValue }) => numberOf(fairValue)),
    bidBps: column(history.bidBps, ({ quote }) => (quote.quoteBid === false ? null : quote.bidBps)),
    askBps: column(history.askBps, ({ quote }) => (quote.quoteAsk === false ? null : quote.askBps)),
    bestBidBps: column(history.bestBidBps, ({ competition }) => competition.bid?.bps ?? null),
    bestAskBps: column(history.bestAskBps, ({ competition }) => competition.ask?.bps ?? null),
    usdShare: column(history.usdShare, ({ inventory }) => inventory.usdShare),
    pnl: {
      spreadCapture: term('spreadCapture'),
      staleMid: term('staleMid'),
      inventory: term('inventory'),
      costs: term('costs'),
      unreconciled: term('unreconciled'),
      totalUsd: column(pnl.totalUsd, (point) => numberOf(point.pnl?.usd.total)),
    },
    fills: { bid: counts(fills.bid), ask: counts(fills.ask) },
  }
}

function hadFills({ bid, ask }: HistoryAnswer['fills'], index: number): boolean {
  return (bid[index] ?? 0) + (ask[index] ?? 0) > 0
}

/** Nearest double of decimal text; null if it is unknown. */
function numberOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Number(text)
}
