import { markTo } from '../ledger/mark-to.ts'
import type { ReferenceEvent } from './event.ts'
import { wantDecision, type Turn } from './turn.ts'

/** A fair value from elsewhere: the books are marked to it from now on, and the strategy sees it. */
export function handleReference(turn: Turn, { source, mid, t }: ReferenceEvent): void {
  const { market, book } = turn.state
  if (market.reference?.mid === mid && market.reference.source === source) return
  market.reference = { source, mid, at: t }
  markTo(book, mid)
  wantDecision(turn, 'rate')
}
