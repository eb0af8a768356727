import { err, ok, type Result } from '../../base/result.ts'
import { TOKEN_DECIMALS } from '../../base/money/asset.ts'
import { parseDecimalText } from '../../base/money/decimal-text.ts'
import { dayNumberOf, civilDayText } from '../policy/calendar/civil-day.ts'

/** The format of a bank's CSV files; `daemon/config/schema/bank-format.ts` describes each key. */
export type BankFormat = {
  readonly delimiter: ',' | ';' | '\t' | '|'
  readonly decimal: '.' | ','
  readonly dates: string
  readonly currency: string
  /** Header names; every column of the file must be listed. */
  readonly columns: {
    readonly [key in 'amount' | 'debit' | 'credit' | 'marker' | 'currency' | 'balance' | 'reference']?:
      | string
      | undefined
  } & { readonly date: string; readonly text: readonly string[]; readonly ignored: readonly string[] }
  readonly markers: { readonly debit: readonly string[]; readonly credit: readonly string[] }
  readonly debitsAreNegative: boolean
}

/** The formats of `treasury.bankFormats` by name. */
export type BankFormats = Readonly<Record<string, BankFormat>>

const MONTHS = 'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER'.split(
  ' ',
)
const DAY_FORM = /^(DD|MMM?|YY(?:YY)?)([./ -]?)(DD|MMM?|YY(?:YY)?)\2(DD|MMM?|YY(?:YY)?)$/
const TIME = '(?:[T ]+\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?: ?[AP]M)?)?'

/** Returns whether a text is a day format: day, month (MM or MMM) and year (YYYY or YY) once each, in any order. */
export function isDayForm(form: string): boolean {
  const [, first = '', , second = '', third = ''] = DAY_FORM.exec(form) ?? []
  return new Set([first[0], second[0], third[0]]).size === 3
}

/** A day in the form that a bank writes, as YYYY-MM-DD; `/`, `.` and `-` are one, and a time may follow. Null = no such day. */
export function readBankDay(text: string, form: string): string | null {
  const [, first = '', separator = '', second = '', third = ''] = DAY_FORM.exec(form) ?? []
  const parts = [first, second, third]
  const pattern = parts.map((part) => {
    if (part === 'MMM') return '([A-Za-z]{3,9})'
    return part.startsWith('Y') || separator === '' ? `(\\d{${part.length}})` : '(\\d{1,2})'
  })
  const read = new RegExp(`^${pattern.join(separator === '' ? '' : '[./ -]')}${TIME}$`, 'i').exec(text.trim())
  if (read === null) return null
  const value = (letter: string) => read[1 + parts.findIndex((part) => part.startsWith(letter))] ?? ''
  const written = value('M').toUpperCase()
  const month = parts.includes('MMM')
    ? MONTHS.findIndex((name) => name.startsWith(written)) + 1
    : Number(written)
  const asWritten = [
    value('Y').padStart(4, '20'),
    String(month).padStart(2, '0'),
    value('D').padStart(2, '0'),
  ]
  const [year, , day] = asWritten.map(Number)
  if (month < 1 || month > 12 || year! < 1970) return null
  const iso = civilDayText(dayNumberOf({ year: year!, month, day: day! }))
  return iso === asWritten.join('-') ? iso : null
}

/**
 * Parses a bank's figure to base units of NTZS: with or without thousands separators, a sign before or after it, or
 * brackets. Errors for an ambiguous figure such as 250.000, which may be thousands or three decimals.
 */
export function readBankAmount(text: string, decimal: '.' | ','): Result<bigint, string> {
  const bare = text
    .trim()
    .replace('−', '-')
    .replace(/^([(+-]?)\s*(?:TZS|TSH)\.?\s*/i, '$1')
  const signed = /^(?:([+-]?)\s*([^()+-]+)|\(([^()+-]+)\)|([^()+-]+)-)$/.exec(bare)
  const [, sign, plain, inBrackets, beforeMinus] = signed ?? []
  const figure = (plain ?? inBrackets ?? beforeMinus ?? '').trim()
  const [point, thousands] = decimal === '.' ? ['\\.', ','] : [',', '\\.']
  const digits = new RegExp(
    `^(\\d+|\\d{1,3}(?:([${thousands}\\s'’])\\d{3})(?:\\2\\d{3})*)(?:${point}(\\d+))?$`,
  ).exec(figure)
  const shown = JSON.stringify(text.trim().slice(0, 40))
  if (digits === null) return err(`${shown} is not an amount with the decimal separator ${decimal}`)
  const [, whole = '', separator, fraction = ''] = digits
  if (fraction.length === 3 && separator === undefined && whole.length <= 3)
    return err(`${shown} is ambiguous: thousands, or three decimals behind ${decimal}`)
  const read = parseDecimalText(
    `${whole.replaceAll(/\D/g, '')}${fraction === '' ? '' : `.${fraction}`}`,
    TOKEN_DECIMALS.NTZS,
  )
  if (!read.ok) return err(read.error.message)
  const isNegative = sign === '-' || inBrackets !== undefined || beforeMinus !== undefined
  return ok(isNegative ? -read.value : read.value)
}

/** Normalises names of columns and markers, which are compared without case and outer spaces. */
export function plainName(text: string): string {
  return text.trim().toLowerCase()
}
