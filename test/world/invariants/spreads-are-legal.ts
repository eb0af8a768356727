import { isSpreadBps } from '../../../src/base/money/bps.ts'
import { violated, type Invariant } from '../step.ts'
import type { Tally } from '../tally.ts'

/** No PATCH outside 10..500 bps, with both sides off or without a pair is ever sent. */
export function spreadsAreLegal(tally: Tally): Invariant {
  return {
    check({ audit }) {
      for (const effect of audit.effects) {
        if (effect.type !== 'setQuote') continue
        tally.patches += 1
        const { bidBps, askBps, quoteBid, quoteAsk, quotePairs } = effect.spread
        if (!isSpreadBps(bidBps) || !isSpreadBps(askBps))
          violated(`a PATCH of ${bidBps}/${askBps} bps was sent`)
        if (!quoteBid && !quoteAsk) violated('a PATCH with both sides off was sent')
        if (quotePairs !== null && quotePairs.length === 0) violated('a PATCH without a pair was sent')
      }
    },
  }
}
