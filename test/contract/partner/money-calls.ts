import type { PartnerClient } from '../../../src/treasury/api/client.ts'
import type { MoneyEndpointName } from '../../../src/treasury/api/endpoints.ts'
import { fundedUser, valueOf } from './place.ts'

const PHONE = '255754000345'

/** A payment of a funded user, as an endpoint takes it. */
export type MoneyCall = {
  readonly name: MoneyEndpointName
  readonly route: string
  /** Opens what the payment needs, such as its quote, and returns its parameters. */
  readonly params: (client: PartnerClient, userId: string) => Promise<Readonly<Record<string, unknown>>>
}

/** One payment over each route that takes a key. */
export const MONEY_CALLS: readonly MoneyCall[] = [
  {
    name: 'createDeposit',
    route: 'POST /deposits',
    params: async (_client, userId) => ({ amountTzs: 7_000n, userId, phoneNumber: PHONE }),
  },
  {
    name: 'createTransfer',
    route: 'POST /transfers',
    params: async (client, fromUserId) => {
      const { id: toUserId } = await fundedUser(client, 0n)
      return { fromUserId, toUserId, amountTzs: 9_000n }
    },
  },
  {
    name: 'createWithdrawal',
    route: 'POST /withdrawals',
    params: async (client, userId) => {
      const wanted = { amountTzs: 60_000n, userId, phoneNumber: PHONE }
      return { ...wanted, quoteId: valueOf(await client.quoteWithdrawal(wanted)).quoteId }
    },
  },
  {
    name: 'createSpend',
    route: 'POST /spend',
    params: async (client, userId) => {
      const wanted = { amountTzs: 20_000n, userId, kind: 'lipa', payNumber: '512345' } as const
      return { ...wanted, quoteId: valueOf(await client.quoteSpend(wanted)).quoteId }
    },
  },
  {
    name: 'payMerchant',
    route: 'POST /merchant/pay',
    params: async (_client, payerUserId) => ({ payerUserId, handle: 'sample-shop', amountTzs: 2_500n }),
  },
  {
    name: 'swap',
    route: 'POST /swap',
    params: async (_client, userId) => ({
      userId,
      fromToken: 'TZS_TOKEN',
      toToken: 'USDC',
      amount: 20_000_000_000n,
    }),
  },
  {
    name: 'offramp',
    route: 'POST /ramp/offramp',
    params: async (client) => {
      const { quoteId } = valueOf(await client.quoteRamp({ direction: 'offramp', tzsAmount: 50_000n }))
      return { quoteId, phoneNumber: PHONE }
    },
  },
  {
    name: 'onramp',
    route: 'POST /ramp/onramp',
    params: async (client) => {
      const wanted = { direction: 'onramp', tzsAmount: 50_000n, phoneNumber: PHONE } as const
      const { quoteId } = valueOf(await client.quoteRamp(wanted))
      return { quoteId, phoneNumber: PHONE }
    },
  },
]
