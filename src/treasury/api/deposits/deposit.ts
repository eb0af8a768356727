import { z } from 'zod'
import { isRecord } from '../../../base/record.ts'
import { id, maybe, oneOf, shillings, words } from '../kit/read-answer.ts'
import { partnerEndpoint, endUser, param } from '../kit/endpoint.ts'

const METHODS = ['mobile_money', 'card', 'bank_transfer', 'lipa_namba'] as const
const STATUSES = ['submitted', 'pending', 'completed', 'failed', 'review'] as const

/** The payer's instructions: a sentence, or fields to show. They come from the answer and are never built here. */
const instructions = z
  .union([z.string().max(2_000), z.custom<Readonly<Record<string, unknown>>>(isRecord)])
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)

/** `review`: the money is held, not lost. `reference` identifies a bank transfer for 72 hours. Amounts: whole shillings. */
const deposit = z
  .object({
    id,
    /** Some venues name these states differently. Source: venue-measured.md, section 5. */
    status: oneOf(STATUSES, { minted: 'completed', rejected: 'failed' }),
    amountTzs: maybe(shillings),
    userId: words,
    paymentMethod: maybe(oneOf(METHODS)),
    instructions,
    reference: words,
    paymentUrl: words,
  })
  .readonly()

export type Deposit = z.output<typeof deposit>

/** POST /deposits. Nothing moves before someone pays; its event or a replay finds a lost answer. */
export const createDeposit = partnerEndpoint({
  route: 'POST /deposits',
  summary: 'Collects shillings by mobile money, card, bank transfer or a till number. At least 500.',
  needs: 'collections',
  isMoney: true,
  params: z.strictObject({
    amountTzs: param.shillings('whole shillings, at least 500'),
    userId: param.text("mints into this user's wallet; absent = into the platform wallet").optional(),
    paymentMethod: param.choice(METHODS, 'how the payer pays; default mobile_money').optional(),
    phoneNumber: param
      .text('the payer: required for mobile_money; for lipa_namba the number that pays')
      .optional(),
    payerAccountNumber: param
      .text('the account that pays a bank transfer; some venues require it')
      .optional(),
    redirectUrl: param.text('https address after a card payment').optional(),
    cancelUrl: param.text('https address after a cancelled card payment').optional(),
    collectToTreasury: param.flag('mints to the platform wallet; userId is kept as a reference').optional(),
    endUser: endUser.optional(),
  }),
  answer: deposit,
  command: {
    resource: 'deposits',
    verb: 'create',
    example: '--amount-tzs 500000 --user-id 6f1c... --payment-method bank_transfer --yes',
  },
})

export const readDeposit = partnerEndpoint({
  route: 'GET /deposits/:id',
  summary: 'Reads a deposit and its instructions while it is open.',
  needs: 'collections',
  params: z.strictObject({ id: param.id('of the deposit') }),
  answer: deposit,
  command: { resource: 'deposits', verb: 'read', example: '--id 6f1c...' },
})
