import { z } from 'zod'
import { dollarNumber, partnerEndpoint, param } from '../kit/endpoint.ts'
import { dollars, id, maybe, oneOf, shillings, words } from '../kit/read-answer.ts'
import { tokenName } from '../kit/shilling-symbol.ts'

const STATUSES = ['completed', 'pending', 'failed'] as const

/** The `...Tzs` amounts are set for shilling tokens, in whole shillings; the others for USDC, in base units. */
const transfer = z
  .object({
    id,
    status: oneOf(STATUSES),
    txHash: words,
    amountTzs: maybe(shillings),
    recipientAmountTzs: maybe(shillings),
    feeAmountTzs: maybe(shillings),
    token: words,
    amount: maybe(dollars),
    recipientAmount: maybe(dollars),
    feeAmount: maybe(dollars),
    feeTxHash: words,
    toAddress: words,
  })
  .readonly()

export type Transfer = z.output<typeof transfer>

/**
 * POST /transfers: synchronous, after the chain's confirmation. It has no event and no GET: after a lost answer the
 * chain's logs (from, to, exact units) and a replay of the key find it.
 */
export const createTransfer = partnerEndpoint({
  route: 'POST /transfers',
  summary: "Moves the token or USDC from a user's wallet to another user or to an address.",
  needs: 'transfers',
  isMoney: true,
  params: z.strictObject({
    fromUserId: param.text('the user whose wallet pays'),
    amountTzs: param.shillings('whole shillings of the token').optional(),
    amount: param.dollars('USDC, with token USDC').optional(),
    token: param.choice(['TZS_TOKEN', 'USDC'], 'what moves; default TZS_TOKEN').optional(),
    toUserId: param.text('to this user of the partner').optional(),
    toAddress: param.text('to this address on the primary chain').optional(),
    metadata: param.json('kept with the transfer').optional(),
  }),
  toRequest: ({ amount, ...rest }, settings) => ({
    body: {
      ...rest,
      ...(rest.token === undefined ? {} : { token: tokenName(rest.token, settings) }),
      ...(amount === undefined ? {} : { amount: dollarNumber(amount) }),
    },
  }),
  answer: transfer,
  command: {
    resource: 'transfers',
    verb: 'create',
    example: '--from-user-id 6f1c... --amount-tzs 40000000 --to-address 0x52aa... --yes',
  },
})
