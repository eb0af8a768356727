import type { Approved } from '../risk/approved.ts'
import type { Stance } from '../risk/stance.ts'
import type { QuotedSpread } from './quoting-state.ts'

/** The PATCH that makes an approved stance stand. A side that is off still needs a number: the idle spread. */
export function spreadOfStance(stance: Approved<Stance>, pairs: readonly string[] | null): QuotedSpread {
  return {
    bidBps: stance.bidBps ?? stance.idleBps,
    askBps: stance.askBps ?? stance.idleBps,
    quoteBid: stance.bidBps !== null,
    quoteAsk: stance.askBps !== null,
    quotePairs: pairs,
  }
}
