import { err, ok, type Result } from '../../base/result.ts'
import { formatTokens } from '../../base/money/asset.ts'
import { readBankAmount, readBankDay } from './bank-format.ts'
import type { BankFile, BankLine, FileProblem } from './bank-line.ts'

/** A field of the file: `:61:` and the rows up to the next field. */
type Field = { readonly tag: string; readonly rows: readonly string[]; readonly line: number }

/** Value day, entry day, debit or credit (R = reversal), currency letter, amount, type, references. */
const ENTRY = /^(\d{6})(?:\d{4})?(RC|RD|C|D)[A-Z]?(\d{1,15}(?:,\d*)?)[A-Z][A-Z\d]{3}(.*)$/
const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d{1,15}(?:,\d*)?)$/
/** Fields about the message or the account, without movements. */
const ABOUT = new Set(['20', '21', '13', '13D', '28', '28C', '34F', '64', '65', '90C', '90D', 'end'])

type Entry = { -readonly [Key in keyof BankLine]: BankLine[Key] }
type Balance = { readonly day: string; readonly currency: string; readonly amount: bigint }
type Account = {
  readonly account: string
  readonly currency: string
  readonly line: number
  opening: Balance
  closing: Balance | null
  entries: number
}

type Reading = {
  readonly lines: Entry[]
  readonly leftOut: FileProblem[]
  /** By number and currency. */
  readonly accounts: Map<string, Account>
  number: string
  /** The statement without a closing balance yet, and its balance after the last entry. */
  open: { readonly account: Account; running: bigint } | null
  /** The entry to which an `:86:` belongs. */
  entry: Entry | null
}

/** Returns whether a text looks like MT940 by its first statement field. */
export function isMt940(text: string): boolean {
  return /^:(20|25P?|60[FM]|61):/m.test(text.slice(0, 20_000))
}

/**
 * Reads a SWIFT MT940 file, including several accounts and statements. Each statement's entries must lead from its
 * opening to its closing balance. Leaves out accounts in another currency. Source: SWIFT Standards, category 9.
 */
export function readMt940(text: string): Result<BankFile, FileProblem> {
  const fields = fieldsOf(text)
  if (!fields.ok) return fields
  const reading: Reading = {
    lines: [],
    leftOut: [],
    accounts: new Map(),
    number: '',
    open: null,
    entry: null,
  }
  for (const field of [...fields.value, { tag: 'end', rows: [], line: text.split('\n').length }]) {
    const problem = readField(reading, field)
    if (problem !== null) return err({ line: field.line, message: problem })
  }
  const accounts = [...reading.accounts.values()]
  if (accounts.length === 0) return err({ line: 1, message: 'the file has no opening balance (:60F:)' })
  const others = accounts.filter(({ currency }) => currency !== 'TZS')
  const leftOut = others.map(({ line, account, currency, entries }) => ({
    line,
    message: `account ${account} is in ${currency}: ${entries} of its entries are left out`,
  }))
  return ok({
    lines: reading.lines,
    leftOut: [...reading.leftOut, ...leftOut].toSorted((a, b) => a.line - b.line),
    accounts: accounts.flatMap(({ account, currency, opening, closing }) =>
      currency === 'TZS' && closing !== null
        ? [{ account, opening: opening.amount, closing: closing.amount }]
        : [],
    ),
  })
}

function fieldsOf(text: string): Result<readonly Field[], FileProblem> {
  const fields: { tag: string; rows: string[]; line: number }[] = []
  for (const [index, row] of text.split(/\r\n|\r|\n/).entries()) {
    const line = index + 1
    const start = /^:([A-Z\d]{2,3}):(.*)$/.exec(row)
    const last = fields.at(-1)
    if (start !== null) fields.push({ tag: start[1]!, rows: [start[2]!], line })
    else if (/^-(\}.*)?$|^\{\d:/.test(row.trim())) fields.push({ tag: 'end', rows: [], line })
    else if (row.trim() === '') continue
    else if (last === undefined || last.tag === 'end')
      return err({
        line,
        message: `${JSON.stringify(row.slice(0, 40))} does not belong to a field of a statement`,
      })
    else last.rows.push(row)
  }
  return ok(fields)
}

/** Returns why a field is not understood; null = it is. */
function readField(reading: Reading, field: Field): string | null {
  const { tag, rows } = field
  if (tag === '61') return readEntry(reading, field)
  if (tag === '86') {
    if (reading.entry !== null) reading.entry.text = joined([reading.entry.text, ...rows])
    return null
  }
  reading.entry = null
  if (rows.length > 1) return `a row after :${tag}: is not a field of a statement`
  if (tag === '60F' || tag === '60M') return openStatement(reading, field)
  if (tag === '62F' || tag === '62M') return closeStatement(reading, field)
  if (tag !== '25' && tag !== '25P' && !ABOUT.has(tag)) return `:${tag}: is not a known field of MT940`
  if (reading.open !== null && !/^(13|34|90)/.test(tag))
    return 'the statement before it has no closing balance (:62F:); the file may be cut off'
  if (!ABOUT.has(tag)) reading.number = rows[0]!.trim()
  return null
}

function openStatement(reading: Reading, field: Field): string | null {
  if (reading.open !== null) return 'the statement before it has no closing balance (:62F:)'
  const stated = readBalance(field)
  if (!stated.ok) return stated.error
  const { day, currency, amount } = stated.value
  const key = `${reading.number} ${currency}`
  const account = reading.accounts.get(key) ?? {
    account: reading.number,
    currency,
    line: field.line,
    opening: stated.value,
    closing: null,
    entries: 0,
  }
  const { closing, opening } = account
  // A file may list its statements newest first.
  if (closing !== null && day >= closing.day && closing.amount !== amount)
    return brokenBalance(field.tag, closing.amount, amount)
  if (day < opening.day) account.opening = stated.value
  reading.open = { account, running: amount }
  reading.accounts.set(key, account)
  return null
}

function closeStatement(reading: Reading, field: Field): string | null {
  const stated = readBalance(field)
  if (!stated.ok) return stated.error
  const { open } = reading
  const { day, currency, amount } = stated.value
  if (open === null) return 'the statement has no opening balance (:60F:)'
  const { account, running } = open
  if (account.currency !== currency)
    return `:${field.tag}: is in ${currency}, but the opening balance in ${account.currency}`
  if (running !== amount) return brokenBalance(field.tag, running, amount)
  if (day >= (account.closing?.day ?? '')) account.closing = stated.value
  reading.open = null
  return null
}

function readBalance({ tag, rows }: Field): Result<Balance, string> {
  const match = BALANCE.exec(rows[0]!.trim())
  if (match === null) return err(`:${tag}: is no balance`)
  const [, side, written = '', currency = '', figure = ''] = match
  const day = readBankDay(written, 'YYMMDD')
  const amount = readFigure(figure)
  if (day === null) return err(`:${tag}: has an invalid day ${written}`)
  return amount.ok ? ok({ day, currency, amount: side === 'D' ? -amount.value : amount.value }) : amount
}

function readEntry(reading: Reading, { rows, line }: Field): string | null {
  const { open } = reading
  if (open === null) return 'an entry comes before an opening balance (:60F:), so its currency is unknown'
  const match = ENTRY.exec(rows[0]!.trim())
  if (match === null) return ':61: is not an entry of a statement'
  const [, valueDay = '', side = '', figure = '', references = ''] = match
  const day = readBankDay(valueDay, 'YYMMDD')
  if (day === null) return `:61: has an invalid day ${valueDay}`
  const size = readFigure(figure)
  if (!size.ok) return size.error
  // A reversed credit leaves the account, and a reversed debit comes back.
  const amount = side === 'C' || side === 'RD' ? size.value : -size.value
  const [customer = '', bank = ''] = references.split('//', 2)
  const reference = customer.trim() === 'NONREF' ? bank.trim() : customer.trim()
  const text = joined([references.replace('//', ' '), ...rows.slice(1)])
  reading.entry = { day, amount, reference, text, line }
  open.running += amount
  open.account.entries += 1
  if (amount === 0n) reading.leftOut.push({ line, message: ':61: moves nothing' })
  else if (open.account.currency === 'TZS') reading.lines.push(reading.entry)
  return null
}

/** Parses an MT940 figure: a comma before its decimals, no thousands separators. */
function readFigure(figure: string): Result<bigint, string> {
  return readBankAmount(figure.replace(/,$/, ''), ',')
}

/** Joins the rows to one line, without the codes (`?20`) by which some banks number the parts of `:86:`. */
function joined(rows: readonly string[]): string {
  return rows
    .join(' ')
    .replaceAll(/\?\d\d/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function brokenBalance(tag: string, counted: bigint, stated: bigint): string {
  return `:${tag}: is ${formatTokens(stated, 'NTZS')}, but the entries before it lead to ${formatTokens(counted, 'NTZS')}`
}
