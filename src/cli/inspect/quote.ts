import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import type { VenueFailure } from '../../core/engine/model/venue-answer.ts'
import { formatAmount, formatTokens, toBook, TOKEN_UNIT } from '../../base/money/asset.ts'
import { dollarsForShillings, shillingsForDollars, splitProtocolFee } from '../../base/money/payout.ts'
import { formatRate } from '../../base/money/rate.ts'
import { SIDES, type Side } from '../../base/money/side.ts'
import { type QuoteAnswer, type QuoteParams, quoteProbe } from '../../venue/lp/quote.ts'
import type { VenueClient } from '../../venue/client.ts'
import { EXIT_CODE } from '../../base/text/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { openVenue } from '../../daemon/runtime/effects/open-venue.ts'
import { fail, print, type OutputFormat } from '../output/print.ts'
import { decimalText } from '../../base/text/numbers.ts'

type QuoteOptions = OutputFormat & { readonly config: string }

/** One side as a taker would see it. Texts are exact decimals; null = not given by the venue. */
type QuotedSide = {
  readonly side: Side
  readonly spreadBps: number
  readonly mid: string | null
  readonly protocolFeeBps: number | null
  readonly takerGives: string
  readonly takerGets: string | null
  /** Which formula gives the venue's own figure; null = none that is known. */
  readonly formula: string | null
  /** The best spread on the public market for the same size; null = no quote, or not known. */
  readonly publicBestBps: number | null
}

type NotQuoted = { readonly side: Side; readonly failure: VenueFailure }

/** What the venue quotes a taker for this position now, on both sides. Changes nothing. */
export async function quote(options: QuoteOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  const client = openVenue(config)
  try {
    const sides = await Promise.all(SIDES.map((side) => look(client, config, side)))
    report(options, config, sides)
  } finally {
    await client.close()
  }
}

function report(voice: OutputFormat, config: LoadedConfig, sides: readonly (QuotedSide | NotQuoted)[]): void {
  const failures = sides.filter((side) => 'failure' in side)
  if (failures.length === sides.length) {
    const messages = [...new Set(failures.map(({ failure }) => failure.message))].join('\n')
    const isRefusal = failures.every(({ failure }) => failure.kind === 'refused')
    return fail(voice, isRefusal ? EXIT_CODE.failed : EXIT_CODE.unconfirmed, messages)
  }
  const data = sides.map((side) =>
    'failure' in side ? { side: side.side, error: side.failure.message } : side,
  )
  print(voice, sides.map(textOf).join('\n'), { position: config.core.name, sides: data })
}

async function look(client: VenueClient, config: LoadedConfig, side: Side): Promise<QuotedSide | NotQuoted> {
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

/** Our own reckoning, which the venue's figure was compared with: not shown where the two differ. */
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

function textOf(side: QuotedSide | NotQuoted): string {
  if ('failure' in side) return `${side.side}  not quoted: ${side.failure.message}`
  const { spreadBps, mid, protocolFeeBps, takerGives, takerGets: gets, formula, publicBestBps } = side
  return [
    `${side.side}  ${spreadBps} bps`,
    mid === null ? 'mid not given' : `mid ${decimalText(mid, 4)}`,
    protocolFeeBps === null ? 'protocol fee not given' : `protocol fee ${protocolFeeBps} bps`,
    gets === null ? `a taker gives ${takerGives}` : `a taker gives ${takerGives} and gets ${gets}`,
    formula === null ? 'NO KNOWN FORMULA gives the output that the venue quotes' : `by ${formula}`,
    publicBestBps === null ? 'public best not known' : `public best ${publicBestBps} bps`,
  ].join('; ')
}
