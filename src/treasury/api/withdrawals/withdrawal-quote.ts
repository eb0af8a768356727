import { z } from 'zod'
import { ALIASES, aliased } from '../kit/aliases.ts'
import { endpoint } from '../kit/endpoint.ts'
import { shillings } from '../kit/figures.ts'
import { fundingSource, param } from '../kit/params.ts'
import { expiryOf, maybe, moment, read, words } from '../kit/read-answer.ts'

const VALID_MS = 300_000

/** Exactly one of them is paid: a phone, or an account of a bank. */
export const payoutDestination = {
  phoneNumber: param.text('pays to this mobile money line').optional(),
  bankCode: param.text("pays to a bank, with accountNumber: the bank's canonical code").optional(),
  accountNumber: param.text('the account at the bank').optional(),
}

const fees = aliased(
  ALIASES.fees,
  z.object({
    platformFeeTzs: maybe(shillings),
    pspFeeTzs: maybe(shillings),
    operatorFeeTzs: maybe(shillings),
    totalFeeTzs: maybe(shillings),
  }),
)

/** Amounts in whole shillings. */
const quoted = z.object({
  /** Null = the balance does not cover it. */
  quoteId: words,
  expiresAt: moment,
  /** Null = unconfirmed: the number is shown, and nothing is blocked. */
  recipientName: words,
  /** Net to the recipient. */
  receiveAmountTzs: shillings,
  /** What leaves the balance. */
  burnAmountTzs: shillings,
  totalFeeTzs: shillings,
  payoutRail: words,
  fees: maybe(fees),
  balance: maybe(z.object({ availableTzs: maybe(shillings), sufficient: maybe(z.boolean()) })),
  approval: maybe(
    z.object({ requiresApproval: maybe(z.boolean()), secondApprovalThresholdTzs: maybe(shillings) }),
  ),
  bankCode: words,
  bankName: words,
  accountNumber: words,
})

const quote = aliased(ALIASES.withdrawalQuote, quoted)

/** POST /withdrawals/quote. `expiresAt` is on our clock, five minutes away at most. */
export const quoteWithdrawal = endpoint({
  route: 'POST /withdrawals/quote',
  summary: 'Prices a payout: what arrives, what it costs, and who is registered there. Valid five minutes.',
  needs: 'disbursements',
  params: z.strictObject({
    amountTzs: param.shillings('whole shillings net to the recipient, at least 5,000'),
    ...fundingSource,
    ...payoutDestination,
  }),
  translate: read(quote, (body, facts) => ({
    ...body,
    expiresAt: expiryOf(body.expiresAt, VALID_MS, facts),
  })),
  command: {
    resource: 'withdrawals',
    verb: 'quote',
    example: '--amount-tzs 990000 --user-id 6f1c... --bank-code CRDB --account-number 0150...',
  },
})
