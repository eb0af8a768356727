import { z } from 'zod'
import { partnerEndpoint, endUser, fundingSource, param } from '../kit/endpoint.ts'
import { id, maybe, moment, oneOf, readExpiringQuote, shillings, words } from '../kit/read-answer.ts'

const VALID_MS = 300_000
const STATUSES = ['burned', 'completed', 'pending', 'failed', 'reverted'] as const
const PAYOUT_STATUSES = ['completed', 'pending', 'reverted', 'reconcile_required'] as const

/** A till, or a biller's bill. */
const destination = {
  kind: param.choice(['lipa', 'bill'], 'a till or a bill'),
  payNumber: param.text('number of the till').optional(),
  utilityCode: param.text('code of the biller, from `billers`').optional(),
  utilityRef: param.text('reference at the biller').optional(),
  network: param.text("the till's network, if its registry does not list it").optional(),
}

const amountTzs = param.shillings(
  'whole shillings that the destination receives, at least 500; fees are on top',
)

/** Amounts in whole shillings. */
const quote = z.object({
  /** Null = insufficient balance. */
  quoteId: words,
  expiresAt: moment,
  target: maybe(z.object({ payNumber: words, network: words })),
  recipientName: words,
  principalTzs: shillings,
  burnAmountTzs: shillings,
  fees: maybe(
    z.object({
      railFeeTzs: maybe(shillings),
      platformFeeTzs: maybe(shillings),
      totalFeeTzs: maybe(shillings),
    }),
  ),
  balance: maybe(z.object({ availableTzs: maybe(shillings), sufficient: maybe(z.boolean()) })),
})

/** POST /spend/quote. `expiresAt` is on our clock, at most five minutes away. */
export const quoteSpend = partnerEndpoint({
  route: 'POST /spend/quote',
  summary: 'Prices the payment of a till or a bill. Valid five minutes.',
  params: z.strictObject({ amountTzs, ...fundingSource, ...destination }),
  answer: readExpiringQuote(quote, VALID_MS),
  command: {
    resource: 'spend',
    verb: 'quote',
    example: '--amount-tzs 50000 --from-treasury --kind bill --utility-code LUKU --utility-ref 0142...',
  },
})

/** The voucher of a bill arrives once, with the answer or later: it is the product and is not reissued. */
const spend = z
  .object({
    id,
    status: oneOf(STATUSES),
    payoutStatus: maybe(oneOf(PAYOUT_STATUSES)),
    reference: words,
    recipientName: words,
    principalTzs: maybe(shillings),
    fees: maybe(z.object({ totalFeeTzs: maybe(shillings) })),
    message: words,
    utilityToken: words,
    utilityUnits: maybe(z.union([z.string(), z.number()])),
    utilityReceipt: words,
  })
  .readonly()

/** POST /spend. After a lost answer: a replay within five minutes, or the event with endUser.reference. */
export const createSpend = partnerEndpoint({
  route: 'POST /spend',
  summary: 'Pays a till or a bill, as quoted. The amount with its fees stays below 1,000,000.',
  isMoney: true,
  params: z.strictObject({
    quoteId: param.text('of the quote with the same source, destination and amount'),
    amountTzs,
    ...fundingSource,
    ...destination,
    endUser: endUser.optional(),
  }),
  answer: spend,
  command: {
    resource: 'spend',
    verb: 'create',
    example:
      '--quote-id q_... --amount-tzs 50000 --from-treasury --kind bill --utility-code LUKU --utility-ref 0142... --end-user-reference rent --yes',
  },
})

export const readSpend = partnerEndpoint({
  route: 'GET /spend/:id',
  summary: 'Reads a payment, and the voucher of a bill once the biller has issued it.',
  params: z.strictObject({ id: param.id('of the payment') }),
  answer: spend,
  command: { resource: 'spend', verb: 'read', example: '--id 6f1c...' },
})
