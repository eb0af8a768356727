import { z } from 'zod'
import { formatTokens } from '../../../base/money/asset.ts'
import type { Intent } from '../../../treasury/model/intent.ts'
import type { BankLine } from '../../../treasury/statement/bank-line.ts'
import { expectedPayments, type ExpectedPayment } from '../../../treasury/statement/expected-payments.ts'
import { matchBank } from '../../../treasury/statement/match-bank.ts'
import type { ReadBankFile } from '../../../treasury/statement/read-bank-file.ts'
import { decimal, type Shown } from '../fields.ts'

const line = z.object({
  /** Its line in the file, from 1. */
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
  /** MT940, or a name of treasury.bankFormats. */
  format: z.string(),
  lines: z.int(),
  /** Accounts in shillings with the balances that the file states; empty for CSV. */
  accounts: z.array(z.object({ account: z.string(), opening: decimal, closing: decimal })),
  /** Rows that move no shillings: without date and amount, or of an account in another currency. */
  leftOut: z.array(z.object({ line: z.int(), message: z.string() })),
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

/** A bank's file matched to the payments of intents. */
export function bankMatchView(file: ReadBankFile, intents: Iterable<Intent>): BankMatchView {
  const { format, lines, leftOut, accounts } = file
  const { matched, exceptions, missing } = matchBank(lines, expectedPayments(intents))
  return {
    format,
    lines: lines.length,
    accounts: accounts.map(({ account, opening, closing }) => ({
      account,
      opening: formatTokens(opening, 'NTZS'),
      closing: formatTokens(closing, 'NTZS'),
    })),
    leftOut: leftOut.map((one) => ({ ...one })),
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

function lineView(one: BankLine): BankMatchView['matched'][number]['line'] {
  return { ...one, amount: formatTokens(one.amount, 'NTZS') }
}

function paymentView(one: ExpectedPayment): BankMatchView['matched'][number]['payment'] {
  const { intent, leg, amount, reference, firstDay, lastDay } = one
  return { intent, step: leg + 1, amount: formatTokens(amount, 'NTZS'), reference, firstDay, lastDay }
}
