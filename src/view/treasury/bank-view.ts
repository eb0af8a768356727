import { z } from 'zod'
import { formatTokens } from '../../money/asset.ts'
import type { Intent } from '../../treasury/model/intent.ts'
import type { BankFile, BankLine } from '../../treasury/statement/bank-line.ts'
import { expectedPayments, type ExpectedPayment } from '../../treasury/statement/expected-payments.ts'
import { matchBank } from '../../treasury/statement/match-bank.ts'
import { guessMapping, readBankCsv } from '../../treasury/statement/read-csv.ts'
import { isMt940, readMt940 } from '../../treasury/statement/read-mt940.ts'
import { decimal, type Shown } from '../fields.ts'

const line = z.object({
  /** Where it stands in the file, from 1. */
  line: z.int(),
  day: z.string(),
  /** Shillings; positive = came to the account. */
  amount: decimal,
  reference: z.string(),
  text: z.string(),
})
const payment = z.object({
  intent: z.string(),
  /** The step of the intent, from 1. */
  step: z.int(),
  amount: decimal,
  reference: z.string().nullable(),
  /** Between these days, both included, it is on time. */
  firstDay: z.string(),
  lastDay: z.string(),
})

/** A bank's file matched to the payments that intents expect; nothing is booked from it. */
export const bankMatchSchema = z.object({
  format: z.enum(['CSV', 'MT940']),
  lines: z.int(),
  opening: decimal.nullable(),
  closing: decimal.nullable(),
  problems: z.array(z.object({ line: z.int(), message: z.string() })),
  matched: z.array(z.object({ line, payment })),
  exceptions: z.array(
    z.object({
      kind: z.enum(['short', 'over', 'double', 'late', 'unknown']),
      line,
      payment: payment.nullable(),
      why: z.string(),
    }),
  ),
  /** Payments that no line of the file answers. */
  missing: z.array(z.object({ payment, isOverdue: z.boolean() })),
})
export type BankMatchView = Shown<z.infer<typeof bankMatchSchema>>

/** Reads a bank's file, CSV or MT940, and matches it to the payments of intents. What cannot be read is a problem in it. */
export function matchBankFile(text: string, intents: Iterable<Intent>): BankMatchView {
  const format = isMt940(text) ? 'MT940' : 'CSV'
  const { lines, problems, opening, closing } = format === 'MT940' ? readMt940(text) : readCsv(text)
  const { matched, exceptions, missing } = matchBank(lines, expectedPayments(intents))
  const shillings = (amount: bigint | null) => (amount === null ? null : formatTokens(amount, 'NTZS'))
  return {
    format,
    lines: lines.length,
    opening: shillings(opening),
    closing: shillings(closing),
    problems: problems.map((one) => ({ ...one })),
    matched: matched.map((one) => ({ line: lineView(one.line), payment: paymentView(one.payment) })),
    exceptions: exceptions.map((one) => ({
      kind: one.kind,
      line: lineView(one.line),
      payment: one.payment === null ? null : paymentView(one.payment),
      why: one.why,
    })),
    missing: missing.map((one) => ({ payment: paymentView(one.payment), isOverdue: one.isOverdue })),
  }
}

function readCsv(text: string): BankFile {
  const mapping = guessMapping(text)
  if (mapping.ok) return readBankCsv(text, mapping.value)
  return { lines: [], problems: [{ line: 1, message: mapping.error }], opening: null, closing: null }
}

function lineView(one: BankLine): BankMatchView['matched'][number]['line'] {
  return { ...one, amount: formatTokens(one.amount, 'NTZS') }
}

function paymentView(one: ExpectedPayment): BankMatchView['matched'][number]['payment'] {
  const { intent, leg, amount, reference, firstDay, lastDay } = one
  return { intent, step: leg + 1, amount: formatTokens(amount, 'NTZS'), reference, firstDay, lastDay }
}
