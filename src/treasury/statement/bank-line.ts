import { TOKEN_DECIMALS } from '../../money/asset.ts'
import { parseDecimalText } from '../../money/decimal-text.ts'
import { dayNumberOf, dayText, parseDay } from '../policy/calendar/civil-day.ts'

/** One line of the statement of the LP's own bank account. */
export type BankLine = {
  /** YYYY-MM-DD, as the bank has it. */
  readonly day: string
  /** Base units of NTZS: positive = came to the account. */
  readonly amount: bigint
  readonly reference: string
  /** All that the bank writes of it, in one line. */
  readonly text: string
  /** Where it stands in the file, from 1. */
  readonly line: number
}

export type FileProblem = { readonly line: number; readonly message: string }

/** What a bank file holds. A line that cannot be read is a problem with its place, never a guess and never a throw. */
export type BankFile = {
  readonly lines: readonly BankLine[]
  readonly problems: readonly FileProblem[]
  /** Balances that the file itself names, base units of NTZS; null = it names none. */
  readonly opening: bigint | null
  readonly closing: bigint | null
}

/** A month of a busy account has thousands of lines; a file beyond this is another kind of file. */
export const MOST_CHARACTERS = 10_000_000
export const MOST_PROBLEMS = 100

export type DayForm = 'YYYY-MM-DD' | 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'DD-MMM-YYYY'

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** A day in the form that a bank writes; `/`, `.` and `-` are one. Null = it is no day of that form. */
export function readBankDay(text: string, form: DayForm): string | null {
  const parts = text.trim().split(/[\s./-]+/, 4)
  const order = form.split(/[/-]/)
  const part = (name: string) => parts[order.indexOf(name)] ?? ''
  const written = part('MMM').slice(0, 3).toUpperCase()
  const month = form === 'DD-MMM-YYYY' ? MONTHS.indexOf(written) + 1 : numberIn(part('MM'), 2)
  const [year, day] = [numberIn(part('YYYY'), 4), numberIn(part('DD'), 2)]
  if (year < 1970 || month < 1 || day < 1) return null
  const read = dayText(dayNumberOf({ year, month, day }))
  const asWritten = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return read === asWritten && parseDay(read) !== null ? read : null
}

/** A bank's figure in base units of NTZS: thousands separated or not, a sign or brackets. Null = it is no such figure. */
export function readBankAmount(text: string, decimal: '.' | ','): bigint | null {
  const compact = text.replaceAll(/[\s'’]/g, '').replace(/^(TZS|TSH)\.?/i, '')
  const isNegative = /^\(.*\)$/.test(compact) || /^-|-$/.test(compact)
  const digits = compact.replaceAll(/^[(+-]|[)-]$/g, '')
  const thousands = decimal === '.' ? ',' : '.'
  const [whole = '', fraction = '', ...others] = digits.split(decimal)
  const isGrouped = /^\d+$/.test(whole) || isInThousands(whole, thousands)
  if (others.length > 0 || !isGrouped || !/^\d*$/.test(fraction)) return null
  const plain = `${whole.replaceAll(thousands, '')}${fraction === '' ? '' : `.${fraction}`}`
  const read = parseDecimalText(plain, TOKEN_DECIMALS.NTZS)
  if (!read.ok) return null
  return isNegative ? -read.value : read.value
}

function isInThousands(text: string, separator: string): boolean {
  const [first = '', ...groups] = text.split(separator)
  return /^\d{1,3}$/.test(first) && groups.length > 0 && groups.every((group) => /^\d{3}$/.test(group))
}

function numberIn(text: string, digits: number): number {
  return /^\d+$/.test(text) && text.length <= digits ? Number(text) : -1
}
