import { z } from 'zod'
import { partnerEndpoint, endUser, fundingSource, param } from '../kit/endpoint.ts'
import { id, maybe, oneOf, shillings, words } from '../kit/read-answer.ts'
import { payoutDestination } from './withdrawal-quote.ts'

const STATUSES = ['requested', 'burned', 'pending', 'paid', 'failed', 'reverted'] as const
const PAYOUT_STATUSES = ['pending', 'completed', 'reverted', 'reconcile_required'] as const

/** `requested` waits for the operator. `reconcile_required` is burned but unconfirmed, and is never sent again. */
const withdrawal = z
  .object({
    id,
    status: oneOf(STATUSES),
    receiveAmountTzs: maybe(shillings),
    totalFeeTzs: maybe(shillings),
    recipientName: words,
    phoneNumber: words,
    accountNumber: words,
    payoutRail: words,
    payoutReference: words,
    payoutReceipt: words,
    payoutStatus: maybe(oneOf(PAYOUT_STATUSES)),
    confirmationMessage: words,
    message: words,
  })
  .readonly()

export type Withdrawal = z.output<typeof withdrawal>

/**
 * POST /withdrawals. After a lost answer: a replay of the same key and body within five minutes, or
 * `duplicate_withdrawal`, which proves that an identical one exists. Only a person may set `allowDuplicate`.
 */
export const createWithdrawal = partnerEndpoint({
  route: 'POST /withdrawals',
  summary:
    'Pays shillings to a phone or a bank account, as quoted. From 1,000,000 a phone waits for approval.',
  needs: 'disbursements',
  isMoney: true,
  params: z.strictObject({
    amountTzs: param.shillings('whole shillings net to the recipient, as quoted'),
    ...fundingSource,
    ...payoutDestination,
    quoteId: param.text('of the quote with the same source, destination and amount').optional(),
    endUser: endUser.optional(),
    allowDuplicate: param.flag('pays although an identical one of the last 5 minutes holds funds').optional(),
  }),
  answer: withdrawal,
  command: {
    resource: 'withdrawals',
    verb: 'create',
    example:
      '--amount-tzs 990000 --user-id 6f1c... --bank-code CRDB --account-number 0150... --quote-id q_... --yes',
  },
})

export const readWithdrawal = partnerEndpoint({
  route: 'GET /withdrawals/:id',
  summary: 'Reads a payout.',
  needs: 'disbursements',
  params: z.strictObject({ id: param.id('of the withdrawal') }),
  answer: withdrawal,
  command: { resource: 'withdrawals', verb: 'read', example: '--id 6f1c...' },
})
