import { err, ok, type Result } from '../../base/result.ts'
import { isRecord } from '../../base/record.ts'

type Fields = Readonly<Record<string, unknown>>
type Aliases = Readonly<Record<string, readonly string[]>>

/**
 * Names that venues have for fields of the LP API, by endpoint: another field, or one inside of another object. The first name of
 * each is the documented one where the contract has one. Source: venue-measured.md, sections 1 and 5; venue.md, the LP API in practice.
 */
export const LP_ALIASES = {
  account: {
    isActive: ['account.isActive'],
    walletAddress: ['account.walletAddress'],
  },
  /** What is ours of a token in `positions`. */
  position: { amount: ['balance', 'contributed'] },
  custody: { enabled: ['selfCustody'] },
  rfqInfo: {
    solverWallet: ['solver', 'solverAddress', 'taker'],
    exchange: ['exchangeProxy', 'verifyingContract'],
  },
} as const satisfies Readonly<Record<string, Aliases>>

/** What a row of fills states for people: the first of these that is there. No figure rests on it, and nothing is compared. */
export const FILL_INFORMATION = {
  earned: ['feesEarned', 'spreadEarned'],
  txHash: ['txHash', 'outTxHash', 'inTxHash'],
} as const

/** What names the token of an entry; an address decides before a symbol. */
export const TOKEN_NAMES = ['tokenAddress', 'token', 'symbol'] as const

/**
 * The body with each aliased field under its documented name. Absent and null = not stated. A name and its alias that disagree
 * are unreadable; the case of letters and zeros at the end of a decimal do not count.
 */
export function withDocumentedNames(body: Fields, aliases: Aliases): Result<Fields, string> {
  const found: Record<string, unknown> = {}
  for (const [name, others] of Object.entries(aliases)) {
    let first: { readonly name: string; readonly value: unknown } | null = null
    for (const one of [name, ...others]) {
      const value = fieldAt(body, one)
      if (value === undefined || value === null) continue
      if (first === null) first = { name: one, value }
      else if (textOf(first.value) !== textOf(value))
        return err(`${first.name}: ${quotedValue(first.value)}, and ${one} is ${quotedValue(value)}`)
    }
    if (first !== null) found[name] = first.value
  }
  return ok({ ...body, ...found })
}

/** A field, or one inside of another object (`account.isActive`). */
function fieldAt(body: Fields, name: string): unknown {
  if (Object.hasOwn(body, name)) return body[name]
  const [outer = '', inner] = name.split('.')
  const fields = inner === undefined || !Object.hasOwn(body, outer) ? null : body[outer]
  return inner !== undefined && isRecord(fields) ? fields[inner] : undefined
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return /^-?\d{1,60}\.\d{1,60}$/.test(text) ? text.replace(/\.?0+$/, '') : text.toLowerCase()
}

const LONGEST_SHOWN = 60

/** A value of the outside in a sentence, cut. */
export function quotedValue(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, LONGEST_SHOWN)
}
