import type { Side } from '../money/side.ts'
import type { TapeVenue } from './tape-venue.ts'

/** The best spread on a side, ours included; null = nobody quotes it. */
export function bestBps({ own, active, other }: TapeVenue, side: Side): number | null {
  const quoted = active && (side === 'bid' ? own.quoteBid : own.quoteAsk)
  const ours = quoted ? (side === 'bid' ? own.bidBps : own.askBps) : Infinity
  const best = Math.min(ours, other[side] ?? Infinity)
  return best === Infinity ? null : best
}
