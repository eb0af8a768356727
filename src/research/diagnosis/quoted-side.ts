import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import type { VenueFailure } from '../../core/engine/model/venue-answer.ts'
import { formatAmount, formatTokens, toBook, TOKEN_UNIT } from '../../base/money/asset.ts'
import { dollarsForShillings, shillingsForDollars, splitProtocolFee } from '../../base/money/payout.ts'
import { formatRate } from '../../base/money/rate.ts'
import type { Side } from '../../base/money/side.ts'
import type { VenueClient } from '../../venue/client.ts'
import { type QuoteAnswer, type QuoteParams, quoteProbe } from '../../venue/lp/quote.ts'

/** One side from the taker's view. Texts are exact decimals; null = not stated by the venue. */
export type QuotedSide = {
  readonly side: Side
  readonly spreadBps: number
  readonly mid: string | null
  readonly protocolFeeBps: number | null
  readonly takerGives: string
  readonly takerGets: string | null
  /** The formula that yields the venue's figure; null = no known formula does. */
  readonly formula: string | null
  /** Best public spread for the same size; null = no quote, or unknown. */
  readonly publicBestBps: number | null
}

export type NotQuoted = { readonly side: Side; readonly failure: VenueFailure }

/** Returns the venue's current quote to a taker on a side, and the public market's best spread. */
export async function readQuotedSide(
  client: VenueClient,
  config: LoadedConfig,
  side: Side,
): Promise<QuotedSide | NotQuoted> {
  const probe = quoteProbe(client.settings, side)
  const [own, open] = await Promise.all([
    client.quote(probe),
    client.settings.publicUrl === null ? null : client.swapRate({ side, probe: probe.amount }),
  ])
  if (!own.ok) return { side, failure: own.error }
  const { spreadBps, mid, protocolFeeBps } = own.value
  return {
    side,
    spreadBps,
    mid: mid === null ? null : formatRate(mid),
    protocolFeeBps,
    takerGives: `${formatTokens(probe.amount, probe.from)} ${probe.from}`,
    takerGets: takerGets(own.value, probe, config),
    formula: formulaOf(own.value),
    publicBestBps: open?.ok === true ? open.value.bestBps : null,
  }
}

/** Our own calculation, to which the venue's figure was compared; hidden if they differ. */
function takerGets(answer: QuoteAnswer, probe: QuoteParams, config: LoadedConfig): string | null {
  const { mid, spreadBps, isExplained } = answer
  if (mid === null || !isExplained) return null
  const feeBps = answer.protocolFeeBps ?? config.venue.protocolFeeBps
  const grain = TOKEN_UNIT[probe.to]
  const amount = toBook(probe.amount, probe.from)
  const gross =
    probe.from === 'NTZS'
      ? dollarsForShillings(amount, mid, spreadBps, answer.formula ?? 'divide', grain, 'down')
      : shillingsForDollars(amount, mid, spreadBps, 'down')
  return `${formatAmount(splitProtocolFee(gross, feeBps, grain).net)} ${probe.to}`
}

function formulaOf({ side, formula, isExplained }: QuoteAnswer): string | null {
  if (side === 'ask') return isExplained ? 'in * mid * (1 - ask)' : null
  if (formula === 'divide') return 'in / (mid * (1 + bid))'
  if (formula === 'multiply') return 'in / mid * (1 - bid)'
  return isExplained ? 'in / (mid * (1 + bid)) or in / mid * (1 - bid), which are equal here' : null
}
