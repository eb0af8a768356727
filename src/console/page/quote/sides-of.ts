import type { QuoteView } from '../../../view/market-view.ts'

/** One side as it stands at the venue: its bps, or why there are none. */
export type StandingSide = {
  readonly side: 'bid' | 'ask'
  readonly bps: number | null
  readonly isOff: boolean
  /** What should stand instead; null = the same, or nothing is decided. */
  readonly wanted: number | 'off' | null
}

/** Both sides of the quote, as far as they are known. */
export function sidesOf({ bidBps, askBps, quoteBid, quoteAsk, target }: QuoteView): readonly StandingSide[] {
  return [
    sideOf('bid', bidBps, quoteBid, target === null ? undefined : target.bidBps),
    sideOf('ask', askBps, quoteAsk, target === null ? undefined : target.askBps),
  ]
}

function sideOf(
  side: 'bid' | 'ask',
  bps: number | null,
  isQuoted: boolean | null,
  target: number | null | undefined,
): StandingSide {
  const isOff = isQuoted === false
  const standing = isOff ? null : bps
  if (target === undefined || target === standing) return { side, bps, isOff, wanted: null }
  return { side, bps, isOff, wanted: target ?? 'off' }
}
