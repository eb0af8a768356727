import { z } from 'zod'
import { aliased, maybe, moment, readExpiringQuote, shillings, words } from '../kit/read-answer.ts'
import { partnerEndpoint, fundingSource, param } from '../kit/endpoint.ts'

const VALID_MS = 300_000

/** Exactly one destination: a phone, or a bank account. */
export const payoutDestination = {
  phoneNumber: param.text('pays to this mobile money line').optional(),
  bankCode: param.text("pays to a bank, with accountNumber: the bank's canonical code").optional(),
  accountNumber: param.text('the account at the bank').optional(),
}

/** Some venues name the operator's fee after the operator. Source: venue-measured.md, section 5. */
const fees = aliased(
  { operatorFeeTzs: [/^(?!platform|psp|rail|total)[a-z]+FeeTzs$/] },
  z.object({
    platformFeeTzs: maybe(shillings),
    pspFeeTzs: maybe(shillings),
    operatorFeeTzs: maybe(shillings),
    totalFeeTzs: maybe(shillings),
  }),
)

/** Amounts in whole shillings. */
const quoted = z.object({
  /** Null = insufficient balance. */
  quoteId: words,
  expiresAt: moment,
  /** Null = unconfirmed: only the number is shown, and nothing is blocked. */
  recipientName: words,
  /** Net to the recipient. */
  receiveAmountTzs: shillings,
  /** The total debit of the balance. */
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

const quote = aliased({ totalFeeTzs: ['fees.totalFeeTzs'] }, quoted)

/** POST /withdrawals/quote. `expiresAt` is on our clock, at most five minutes away. */
export const quoteWithdrawal = partnerEndpoint({
  route: 'POST /withdrawals/quote',
  summary: 'Prices a payout: net amount, cost and registered name. Valid five minutes.',
  needs: 'disbursements',
  params: z.strictObject({
    amountTzs: param.shillings('whole shillings net to the recipient, at least 5,000'),
    ...fundingSource,
    ...payoutDestination,
  }),
  answer: readExpiringQuote(quote, VALID_MS),
  command: {
    resource: 'withdrawals',
    verb: 'quote',
    example: '--amount-tzs 990000 --user-id 6f1c... --bank-code CRDB --account-number 0150...',
  },
})
