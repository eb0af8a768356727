import { z } from 'zod'
import { partnerEndpoint, param } from '../kit/endpoint.ts'
import { id, maybe, oneOf, shillings, words } from '../kit/read-answer.ts'

const payment = {
  handle: param.text("the merchant's checkout handle"),
  amountTzs: param.shillings("whole shillings, at least 100; a fixed link's own amount"),
  linkId: param.text('of the payment link').optional(),
  payerName: param.text('name of the payer').optional(),
  payerPhone: param.text('phone of the payer').optional(),
  externalReference: param.text('echoed unchanged; at most 128 characters, not unique').optional(),
}

const sale = z
  .object({
    id,
    status: oneOf(['completed']),
    collectionId: words,
    transferId: words,
    paymentMethod: words,
    txHash: words,
    amountTzs: maybe(shillings),
    merchant: maybe(z.object({ handle: words, businessName: words })),
    payerUserId: words,
    externalReference: words,
    livemode: maybe(z.boolean()),
  })
  .readonly()

/** POST /merchant/pay: synchronous and final; the merchant gets the whole amount. */
export const payMerchant = partnerEndpoint({
  route: 'POST /merchant/pay',
  summary: "Pays a merchant from a user's balance. Final, without a fee.",
  isMoney: true,
  params: z.strictObject({ payerUserId: param.text('whose balance pays'), ...payment }),
  answer: sale,
  command: {
    resource: 'merchant',
    verb: 'pay',
    example: '--payer-user-id 6f1c... --handle duka-la-mama --amount-tzs 2500 --yes',
  },
})

/** GET /api/pay/status, from the contract's prose. */
export const payStatus = partnerEndpoint({
  route: 'GET /api/pay/status',
  summary: 'Reads whether a payment to a merchant succeeded.',
  params: z.strictObject({ id: param.text('of the payment') }),
  answer: z.object({ status: oneOf(['success', 'pending', 'failed']) }),
  command: { resource: 'merchant', verb: 'status', example: '--id 6f1c...' },
})

/** The contract's prose shows only the reference of this tender; the rest is assumed to match the other tender. */
const prompt = z
  .object({
    id: words,
    status: maybe(oneOf(['pending', 'submitted', 'completed', 'failed'])),
    message: words,
  })
  .refine(({ id: given, status }) => given !== null || status !== null, 'neither id nor status')

/** POST /api/merchant/pay, from the contract's prose: prompts the payer's phone. */
export const payMobileMoney = partnerEndpoint({
  route: 'POST /api/merchant/pay',
  summary: 'Collects a payment to a merchant from a phone.',
  isMoney: true,
  params: z.strictObject(payment),
  answer: prompt,
  command: {
    resource: 'merchant',
    verb: 'mobile-money',
    example: '--handle duka-la-mama --amount-tzs 2500 --payer-phone 255712345678 --yes',
  },
})
