import { formatDecimalText } from '../../base/money/decimal-text.ts'
import { isRecord } from '../../base/record.ts'
import { printable } from '../../base/printable.ts'

/** Amounts in base units, with their decimals; every other bigint is whole shillings. */
const DECIMALS_OF: Readonly<Record<string, number>> = {
  amount: 6,
  recipientAmount: 6,
  feeAmount: 6,
  usdcAmount: 6,
  balanceUsdc: 6,
  balanceUsdt: 6,
  usdcBalance: 6,
  tokenBalance: 18,
}

/** Fields of a swap's price whose unit is the token in another field. */
const TOKEN_OF: Readonly<Record<string, string>> = { amount: 'from', expectedOutput: 'to', minOutput: 'to' }

/** Returns an answer for print and for JSON: amounts as exact decimal text, times of quotes as ISO 8601. */
export function shownAnswer(
  value: unknown,
  name = '',
  beside: Readonly<Record<string, unknown>> = {},
): unknown {
  if (typeof value === 'bigint') return formatDecimalText(value, decimalsOf(name, beside))
  if (name === 'expiresAt' && typeof value === 'number') return new Date(value).toISOString()
  if (Array.isArray(value)) return value.map((item: unknown) => shownAnswer(item, name))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, shownAnswer(inner, field, value)]),
  )
}

function decimalsOf(name: string, beside: Readonly<Record<string, unknown>>): number {
  const token = beside[TOKEN_OF[name] ?? '']
  if (typeof token === 'string') return token === 'TZS_TOKEN' ? 18 : 6
  return DECIMALS_OF[name] ?? 0
}

/** Returns lines of `name: value` for people, with inner fields indented; absent values are omitted. */
export function answerLines(value: unknown, indent = ''): readonly string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${indent}(none)`]
    return value.flatMap((item: unknown, index) =>
      isRecord(item)
        ? [`${indent}${index + 1}.`, ...answerLines(item, `${indent}   `)]
        : [`${indent}${textOf(item)}`],
    )
  }
  if (!isRecord(value)) return [`${indent}${textOf(value)}`]
  return Object.entries(value).flatMap(([name, inner]) => {
    if (inner === null || inner === undefined) return []
    const isNested = Array.isArray(inner) || isRecord(inner)
    const label = `${indent}${printable(name)}:`
    return isNested ? [label, ...answerLines(inner, `${indent}  `)] : [`${label} ${textOf(inner)}`]
  })
}

function textOf(value: unknown): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value))
}
