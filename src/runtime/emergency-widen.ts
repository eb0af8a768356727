import type { LoadedConfig } from '../config/loaded-config.ts'
import type { Log } from '../telemetry/create-log.ts'
import type { VenueClient } from '../venue/client.ts'

/**
 * The journal cannot be written, so nothing may be decided any more; but the venue would go on quoting the
 * last spread for ever. The one write that needs no memory is the safe quote: it is sent once, outside the
 * journal, and the next start reads back what became of it.
 */
export async function emergencyWiden(client: VenueClient, config: LoadedConfig, log: Log): Promise<void> {
  const { safeBps, onExit, pairs } = config.core.quote
  if (config.core.mode === 'dry-run' || onExit === 'keep') {
    log.fatal('the quote is left as it stands')
    return
  }
  if (config.core.rfq !== null) {
    log.fatal('signed orders are left to expire: without a journal nobody could tell which they are')
    return
  }
  const spread = { bidBps: safeBps, askBps: safeBps, quoteBid: true, quoteAsk: true, quotePairs: pairs }
  const outcome = await client.spread(spread)
  if (outcome.ok) log.fatal({ safeBps }, 'the venue confirmed the safe quote')
  else
    log.fatal(
      { failure: outcome.error },
      'the safe quote was NOT confirmed: what stands at the venue is unknown',
    )
}
