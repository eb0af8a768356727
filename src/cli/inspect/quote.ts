import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import type { NotQuoted, QuotedSide } from '../../venue/port.ts'
import { SIDES } from '../../base/money/side.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { openVenue } from '../../daemon/runtime/effects/open-venue.ts'
import { fail, print, type ConfigOptions, type OutputFormat } from '../output/print.ts'
import { decimalText } from '../../base/text/numbers.ts'

/** Prints the venue's current quotes for takers of this position, on both sides. Changes nothing. */
export async function quote(options: ConfigOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  const client = openVenue(config)
  try {
    const sides = await Promise.all(SIDES.map((side) => client.quotedSide(side)))
    report(options, config, sides)
  } finally {
    await client.close()
  }
}

function report(voice: OutputFormat, config: LoadedConfig, sides: readonly (QuotedSide | NotQuoted)[]): void {
  const failures = sides.filter((side) => 'failure' in side)
  if (failures.length === sides.length) {
    const messages = [...new Set(failures.map(({ failure }) => failure.message))].join('\n')
    const areAll = (kind: string) => failures.every(({ failure }) => failure.kind === kind)
    const hint = areAll('auth') ? '; check what venue.apiKey refers to' : ''
    return fail(voice, areAll('refused') ? EXIT_CODE.failed : EXIT_CODE.unconfirmed, `${messages}${hint}`)
  }
  const data = sides.map((side) =>
    'failure' in side ? { side: side.side, error: side.failure.message } : side,
  )
  print(voice, sides.map(textOf).join('\n'), { position: config.core.name, sides: data })
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
