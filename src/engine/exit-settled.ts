import type { EngineState } from './engine-state.ts'

/** What the venue has confirmed of `quote.onExit`, for the last line the daemon prints. */
export type ExitReport = { readonly settled: boolean; readonly text: string }

/** Whether the position has been left as configured, as far as the venue confirmed it. */
export function exitSettled(state: EngineState): ExitReport {
  const { quote, mode } = state.config
  if (mode === 'dry-run') return { settled: true, text: 'a dry run: nothing was changed at the venue' }
  const { confirmed, belief } = state.quoting
  const spread =
    confirmed === null ? 'no spread confirmed' : `bid ${confirmed.bidBps} ask ${confirmed.askBps} bps`
  const standing = belief === 'known' ? spread : `quote ${belief}`
  if (quote.onExit === 'keep') return { settled: true, text: `left as it stands (${standing})` }
  if (quote.onExit === 'deactivate') {
    const inactive = state.activation.isActive === false
    return inactive
      ? { settled: true, text: `deactivated, confirmed by the venue (${standing})` }
      : { settled: false, text: `NOT confirmed inactive by the venue (${standing})` }
  }
  const safe =
    belief === 'known' &&
    confirmed !== null &&
    (!confirmed.quoteBid || confirmed.bidBps === quote.safeBps) &&
    (!confirmed.quoteAsk || confirmed.askBps === quote.safeBps)
  return safe
    ? { settled: true, text: `widened to the safe quote, confirmed by the venue (${standing})` }
    : { settled: false, text: `NOT confirmed at the safe quote (${standing})` }
}
