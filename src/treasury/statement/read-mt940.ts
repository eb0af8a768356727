import { formatTokens } from '../../money/asset.ts'
import {
  MOST_CHARACTERS,
  MOST_PROBLEMS,
  readBankAmount,
  readBankDay,
  type BankFile,
  type BankLine,
  type FileProblem,
} from './bank-line.ts'

/** A field of the file: `:61:` and what follows it until the next one. */
type Field = { readonly tag: string; readonly rows: readonly string[]; readonly line: number }

/** Value day, entry day, debit or credit (R = reversal), letter of the currency, amount, type, references. */
const ENTRY = /^(\d{6})(\d{4})?(RC|RD|C|D)([A-Z])?(\d[\d,]*)([A-Z][A-Z\d]{3})?(.*)$/
const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d[\d,]*)$/

/** Whether a text looks like one: its first field of a statement. */
export function isMt940(text: string): boolean {
  return /^:(20|60[FM]|61):/m.test(text.slice(0, 20_000))
}

/**
 * Reads a SWIFT MT940 file of a shilling account, several statements in a row included. The lines of each are checked
 * against its opening and closing balance. Source: SWIFT Standards, category 9.
 */
export function readMt940(text: string): BankFile {
  if (text.length > MOST_CHARACTERS) {
    const problems = [{ line: 1, message: 'the file is larger than 10 MB' }]
    return { lines: [], problems, opening: null, closing: null }
  }
  const lines: BankLine[] = []
  const problems: FileProblem[] = []
  const report = (line: number, message: string) => {
    if (problems.length < MOST_PROBLEMS) problems.push({ line, message })
  }
  let opening: bigint | null = null
  let balance: bigint | null = null
  let before = ''
  for (const field of fieldsOf(text)) {
    const { tag, line } = field
    if (tag === '60F' || tag === '60M' || tag === '62F' || tag === '62M') {
      const stated = readBalance(field)
      if (typeof stated === 'string') report(line, stated)
      else {
        if (balance !== null && balance !== stated) report(line, brokenBalance(tag, balance, stated))
        opening ??= tag.startsWith('60') ? stated : null
        balance = stated
      }
    } else if (tag === '61') {
      const entry = readEntry(field)
      if (typeof entry === 'string') report(line, entry)
      else {
        lines.push(entry)
        if (balance !== null) balance += entry.amount
      }
    } else if (tag === '86' && before === '61') addText(lines, field)
    before = tag
  }
  if (lines.length === 0 && problems.length === 0) report(1, 'the file has no :61: of MT940')
  return { lines, problems, opening, closing: balance }
}

function fieldsOf(text: string): readonly Field[] {
  const fields: { tag: string; rows: string[]; line: number }[] = []
  text.split(/\r\n|\r|\n/).forEach((row, index) => {
    const start = /^:(\d{2}[A-Z]?):(.*)$/.exec(row)
    if (start !== null) fields.push({ tag: start[1]!, rows: [start[2]!], line: index + 1 })
    else if (/^-\}?$|^\{/.test(row)) fields.push({ tag: 'end', rows: [], line: index + 1 })
    else fields.at(-1)?.rows.push(row)
  })
  return fields
}

function readBalance({ tag, rows }: Field): bigint | string {
  const match = BALANCE.exec((rows[0] ?? '').trim())
  if (match === null) return `:${tag}: is no balance`
  const [, side, , currency, figure = ''] = match
  if (currency !== 'TZS') return `:${tag}: is in ${currency}, and only accounts in TZS are read`
  const amount = readBankAmount(figure, ',')
  if (amount === null) return `:${tag}: has no amount`
  return side === 'D' ? -amount : amount
}

function readEntry({ rows, line }: Field): BankLine | string {
  const match = ENTRY.exec((rows[0] ?? '').trim())
  if (match === null) return ':61: is no entry of a statement'
  const [, valueDay = '', , side = '', , figure = '', , references = ''] = match
  const day = readBankDay(
    `20${valueDay.slice(0, 2)}-${valueDay.slice(2, 4)}-${valueDay.slice(4, 6)}`,
    'YYYY-MM-DD',
  )
  if (day === null) return `:61: has no day ${valueDay}`
  const size = readBankAmount(figure, ',')
  if (size === null || size === 0n) return `:61: has no amount ${figure.slice(0, 40)}`
  // A reversed credit leaves the account again, a reversed debit comes back.
  const amount = side === 'C' || side === 'RD' ? size : -size
  const [customer = '', bank = ''] = references.split('//', 2)
  const reference = customer.trim() === 'NONREF' ? bank.trim() : customer.trim()
  const text = [references.replace('//', ' '), ...rows.slice(1)].join(' ').replaceAll(/\s+/g, ' ').trim()
  return { day, amount, reference, text, line }
}

/** The text of `:86:` behind an entry belongs to it; elsewhere it is about the account. */
function addText(lines: BankLine[], { rows }: Field): void {
  const last = lines.pop()
  if (last === undefined) return
  const text = `${last.text} ${rows.join(' ')}`.replaceAll(/\s+/g, ' ').trim()
  lines.push({ ...last, text: text.slice(0, 2_000) })
}

function brokenBalance(tag: string, counted: bigint, stated: bigint): string {
  return `:${tag}: is ${formatTokens(stated, 'NTZS')}, and the lines before it lead to ${formatTokens(counted, 'NTZS')}`
}
