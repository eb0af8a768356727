import { z } from 'zod'
import { isRecord } from '../../../base/record.ts'

/**
 * Names that a venue has for fields of the contract: another field, a field inside `fees`, or a pattern where the name carries
 * the operator's own. Source: venue-measured.md, section 5.
 */
export const ALIASES = {
  withdrawalQuote: { totalFeeTzs: ['fees.totalFeeTzs'] },
  fees: { operatorFeeTzs: [/^(?!platform|psp|rail|total)[a-z]+FeeTzs$/] },
  float: { tokenBalance: [/^(?!usdc|usdt)[a-z]+Balance$/] },
} as const

/** States that a venue names otherwise. */
export const DEPOSIT_STATES = { minted: 'completed', rejected: 'failed' } as const

type Aliases = Readonly<Record<string, readonly (string | RegExp)[]>>
type Fields = Readonly<Record<string, unknown>>

/** Reads fields by their documented names or their aliases. A name and its alias that disagree are unreadable. */
export function aliased<Output, Input>(aliases: Aliases, schema: z.ZodType<Output, Input>) {
  return z.preprocess((body, context) => {
    if (!isRecord(body)) return body
    const found: Record<string, unknown> = {}
    for (const [name, others] of Object.entries(aliases)) {
      const stated = statedAs(body, [name, ...others])
      const [first, ...rest] = stated
      if (first !== undefined) found[name] = first.value
      const other = rest.find(({ value }) => String(value) !== String(first?.value))
      if (other !== undefined)
        context.issues.push({
          code: 'custom',
          input: body,
          message: `${first?.name} and ${other.name} disagree`,
        })
    }
    return { ...body, ...found }
  }, schema)
}

function statedAs(
  body: Fields,
  names: readonly (string | RegExp)[],
): readonly { readonly name: string; readonly value: unknown }[] {
  const inner = Object.entries(body).flatMap(([outer, fields]) =>
    isRecord(fields)
      ? Object.entries(fields).map(([name, value]) => [`${outer}.${name}`, value] as const)
      : [],
  )
  const all = [...Object.entries(body), ...inner].filter(([, value]) => value !== null && value !== undefined)
  return names.flatMap((wanted) =>
    all
      .filter(([name]) => (typeof wanted === 'string' ? name === wanted : wanted.test(name)))
      .map(([name, value]) => ({ name, value })),
  )
}
