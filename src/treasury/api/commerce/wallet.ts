import { z } from 'zod'
import { partnerEndpoint, param } from '../kit/endpoint.ts'
import { readFields } from '../kit/read-answer.ts'
import { ofMerchant } from './merchant.ts'

/** Returns a read of a merchant: one parameter, and a body that the contract does not define. */
function merchantRead(
  route: `GET /commerce/${string}`,
  { verb, summary }: { readonly verb: string; readonly summary: string },
) {
  return partnerEndpoint({
    route,
    summary,
    needs: 'commerce',
    params: z.strictObject(ofMerchant),
    answer: readFields,
    command: { resource: 'commerce', verb, example: '--merchant-id m_1' },
  })
}

export const merchantStats = merchantRead('GET /commerce/stats', {
  verb: 'stats',
  summary: 'Reads the sales of today and of this month.',
})

export const merchantWallet = merchantRead('GET /commerce/wallet', {
  verb: 'wallet',
  summary: "Reads the balance of the merchant's wallet.",
})

export const readMerchantSettlement = merchantRead('GET /commerce/settlement', {
  verb: 'settlement',
  summary: 'Reads which share of the sales is settled automatically, and to which phone.',
})

export const financingStatus = merchantRead('GET /commerce/financing/status', {
  verb: 'financing',
  summary: 'Reads the credit facility: granted, drawn, available.',
})

/** PATCH /commerce/settlement. The contract does not define the names `autoSettlePercent` and `payoutPhone`. */
export const changeMerchantSettlement = partnerEndpoint({
  route: 'PATCH /commerce/settlement',
  summary: 'Changes the share of the sales that is settled automatically, and the phone.',
  needs: 'commerce',
  isMoney: true,
  takesKey: false,
  params: z.strictObject({
    ...ofMerchant,
    autoSettlePercent: param.count('0 to 100').optional(),
    payoutPhone: param.text('phone that sales are settled to').optional(),
  }),
  answer: readFields,
  command: {
    resource: 'commerce',
    verb: 'settlement-change',
    example: '--merchant-id m_1 --auto-settle-percent 50 --yes',
  },
})

/** POST /commerce/withdraw: 403 lender_controls_settlement while a lender funds the merchant. */
export const merchantWithdraw = partnerEndpoint({
  route: 'POST /commerce/withdraw',
  summary: "Pays the merchant's balance out to its phone.",
  needs: 'commerce',
  isMoney: true,
  params: z.strictObject({
    ...ofMerchant,
    amountTzs: param.shillings('whole shillings net, at least 5,000'),
  }),
  answer: readFields,
  command: { resource: 'commerce', verb: 'withdraw', example: '--merchant-id m_1 --amount-tzs 50000 --yes' },
})

/** POST /commerce/transfer-to-wallet: its key is in the body. It may be retried only after 409 transfer_in_flight. */
export const merchantTransfer = partnerEndpoint({
  route: 'POST /commerce/transfer-to-wallet',
  summary: "Moves the merchant's balance to the owner's wallet, without a fee.",
  needs: 'commerce',
  isMoney: true,
  takesKey: false,
  params: z.strictObject({
    ...ofMerchant,
    amountTzs: param.shillings('whole shillings'),
    idempotencyKey: param.text('at most 128 characters'),
  }),
  answer: readFields,
  command: {
    resource: 'commerce',
    verb: 'transfer',
    example: '--merchant-id m_1 --amount-tzs 50000 --yes',
  },
})

/** POST /commerce/financing/withdraw. The contract does not define its body; this sends an amount, as other routes do. */
export const financingWithdraw = partnerEndpoint({
  route: 'POST /commerce/financing/withdraw',
  summary: 'Draws shillings from the credit facility.',
  needs: 'commerce',
  isMoney: true,
  params: z.strictObject({ ...ofMerchant, amountTzs: param.shillings('whole shillings') }),
  answer: readFields,
  command: { resource: 'commerce', verb: 'draw', example: '--merchant-id m_1 --amount-tzs 500000 --yes' },
})
