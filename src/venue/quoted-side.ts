import { formatAmount, formatTokens, toBook, TOKEN_UNIT } from '../base/money/asset.ts'
import { dollarsForShillings, shillingsForDollars, splitProtocolFee } from '../base/money/payout.ts'
import { formatRate } from '../base/money/rate.ts'
import type { Side } from '../base/money/side.ts'
import type { EndpointMethods } from './endpoints.ts'
import { type QuoteAnswer, type QuoteParams, quoteProbe } from './lp/quote.ts'
import type { NotQuoted, QuotedSide } from './port.ts'
import type { VenueSettings } from './settings.ts'

/** Returns the venue's current quote to a taker on a side, and the public market's best spread. */
export async function readQuotedSide(
  client: Pick<EndpointMethods, 'quote' | 'swapRate'>,
  settings: VenueSettings,
  side: Side,
): Promise<QuotedSide | NotQuoted> {
  const probe = quoteProbe(settings, side)
  const [own, open] = await Promise.all([
    client.quote(probe),
    settings.publicUrl === null ? null : client.swapRate({ side, probe: probe.amount }),
  ])
  if (!own.ok) return { side, failure: own.error }
  const { spreadBps, mid, protocolFeeBps } = own.value
  return {
    side,
    spreadBps,
    mid: mid === null ? null : formatRate(mid),
    protocolFeeBps,
    takerGives: `${formatTokens(probe.amount, probe.from)} ${probe.from}`,
    takerGets: takerGets(own.value, probe, settings),
    formula: formulaOf(own.value),
    publicBestBps: open?.ok === true ? open.value.bestBps : null,
  }
}

/** Our own calculation, to which the venue's figure was compared; hidden if they differ. */
function takerGets(answer: QuoteAnswer, probe: QuoteParams, settings: VenueSettings): string | null {
  const { mid, spreadBps, isExplained } = answer
  if (mid === null || !isExplained) return null
  const feeBps = answer.protocolFeeBps ?? settings.protocolFeeBps
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
