import { z } from 'zod'
import { partnerEndpoint, param } from '../kit/endpoint.ts'
import { maybe, oneOf, shillings, words } from '../kit/read-answer.ts'

const NETWORKS = ['vodacom', 'airtel', 'tigo', 'halotel', 'ttcl'] as const

/** POST /lookup/recipient-name: a null name is normal and blocks nothing. 30 a minute. */
export const lookupRecipient = partnerEndpoint({
  route: 'POST /lookup/recipient-name',
  summary: 'Reads the registered name of a phone number.',
  deadline: 'lookup',
  params: z.strictObject({ phoneNumber: param.text('mobile number') }),
  answer: z.object({ phone: words, network: maybe(oneOf(NETWORKS)), name: words }),
  command: { resource: 'lookup', verb: 'recipient', example: '--phone-number 255712345678' },
})

/** POST /lookup/merchant-name: `reason` only if the name is null. 60 a minute, up to 25 s upstream. */
export const lookupMerchant = partnerEndpoint({
  route: 'POST /lookup/merchant-name',
  summary: 'Reads the name of a till or of an account at a biller.',
  deadline: 'lookup',
  params: z.strictObject({
    kind: param.choice(['lipa', 'bill'], 'a till or a bill'),
    payNumber: param.text('number of the till').optional(),
    utilityCode: param.text('code of the biller').optional(),
    utilityRef: param.text('reference at the biller').optional(),
    amountTzs: param.shillings("the bill's amount; default the biller's minimum").optional(),
  }),
  answer: z.object({
    kind: maybe(oneOf(['lipa', 'bill'])),
    target: words,
    payNumber: words,
    utilityCode: words,
    utilityRef: words,
    name: words,
    reason: words,
  }),
  command: { resource: 'lookup', verb: 'merchant', example: '--kind lipa --pay-number 556677' },
})

/** POST /lookup/qr: only `resolved` is payable; with `nameMatch` false both names are shown and confirmed. */
export const lookupQr = partnerEndpoint({
  route: 'POST /lookup/qr',
  summary: 'Reads a scanned payment code. Only `resolved` is payable.',
  deadline: 'lookup',
  params: z.strictObject({ payload: param.text('the scanned text, unchanged') }),
  answer: z.object({
    payNumber: words,
    merchantName: words,
    qrMerchantName: words,
    nameMatch: maybe(z.boolean()),
    amountTzs: maybe(shillings),
    dynamic: maybe(z.boolean()),
    resolution: oneOf(['resolved', 'unresolved', 'ambiguous']),
    warnings: maybe(z.array(z.string().max(500)).max(50)),
  }),
  command: { resource: 'lookup', verb: 'qr', example: '--payload 000201010211...' },
})
