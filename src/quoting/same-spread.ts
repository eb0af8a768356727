import type { QuotedSpread } from './quoting-state.ts'

/** Whether two PATCHes would say the same. A side that is off is the same at any idle spread. */
export function sameSpread(a: QuotedSpread, b: QuotedSpread): boolean {
  return (
    a.quoteBid === b.quoteBid &&
    a.quoteAsk === b.quoteAsk &&
    (!a.quoteBid || a.bidBps === b.bidBps) &&
    (!a.quoteAsk || a.askBps === b.askBps) &&
    samePairs(a.quotePairs, b.quotePairs)
  )
}

/** Whether two lists name the same pairs, in any order; null = all pairs, and only the same as null. */
export function samePairs(a: readonly string[] | null, b: readonly string[] | null): boolean {
  if (a === null || b === null) return a === b
  return a.length === b.length && a.every((pair) => b.includes(pair))
}
