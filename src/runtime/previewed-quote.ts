import type { PreviewedQuote } from '../console/api/api-types.ts'
import type { EngineState } from '../engine/model/state.ts'

/** What a core's state lets stand, as a preview shows it. */
export function previewedQuote({ stance, latch, decision }: EngineState): PreviewedQuote {
  return {
    bidBps: stance?.bidBps ?? null,
    askBps: stance?.askBps ?? null,
    tradingState: latch.halted === null ? (decision?.tradingState ?? 'REDUCING') : 'HALTED',
    because: stance?.because ?? ['nothing was decided yet'],
  }
}
