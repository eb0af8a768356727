import type { Side } from '../money/side.ts'
import type { QuoteParams } from './route/quote.ts'
import type { VenueSettings } from './settings.ts'

/** Near enough for the size of a question; no price is taken from it. */
const SHILLINGS_PER_DOLLAR = 2_500

/** The quote that reads one side back: dollars for shillings shows the ask, shillings for dollars the bid. */
export function quoteProbe(settings: VenueSettings, side: Side): QuoteParams {
  const { quoteStable, quoteProbeUsd, quoteProbeTzs } = settings
  if (side === 'ask') {
    return { from: quoteStable, to: 'NTZS', amount: BigInt(Math.max(1, Math.round(quoteProbeUsd * 1e6))) }
  }
  const shillings = Math.max(1, Math.round(quoteProbeTzs ?? quoteProbeUsd * SHILLINGS_PER_DOLLAR))
  return { from: 'NTZS', to: quoteStable, amount: BigInt(shillings) * 10n ** 18n }
}
