import { expect, test } from 'vitest'
import type { PartnerClient } from '../../../src/treasury/api/client.ts'
import type { MoneyEndpointName } from '../../../src/treasury/api/endpoints.ts'
import { fundedUser, simulated, valueOf } from './place.ts'

// The answer of a payment is lost in every way, with the payment carried out and without. The client cannot tell the two
// apart: it reports the outcome as unknown after one request, and a replay of the same key and bytes ends with the
// payment made exactly once.

const PHONE = '255754000345'
const LOST = [
  'reset-before',
  'reset-after',
  '500',
  '500-after',
  '503',
  'html',
  'malformed',
  'truncated',
] as const

type Payment = {
  readonly endpoint: MoneyEndpointName
  readonly route: string
  /** The body of one payment, ready to be sent. */
  readonly prepare: (client: PartnerClient, userId: string) => Promise<string>
  /** What the payment changes. */
  readonly measure: (client: PartnerClient, userId: string) => Promise<bigint | null>
}

const tzsOf = async (client: PartnerClient, userId: string) =>
  valueOf(await client.readUser({ id: userId })).balanceTzs
const floatOf = async (client: PartnerClient) => valueOf(await client.rampBalance({})).usdcBalance

const PAYMENTS: readonly Payment[] = [
  {
    endpoint: 'createDeposit',
    route: 'POST /deposits',
    prepare: (client, userId) =>
      Promise.resolve(
        client.calls.createDeposit({ amountTzs: 7_000n, userId, phoneNumber: PHONE }).body ?? '',
      ),
    measure: tzsOf,
  },
  {
    endpoint: 'createTransfer',
    route: 'POST /transfers',
    prepare: async (client, userId) => {
      const to = await fundedUser(client, 0n)
      return (
        client.calls.createTransfer({ fromUserId: userId, toUserId: to.id, amountTzs: 9_000n }).body ?? ''
      )
    },
    measure: tzsOf,
  },
  {
    endpoint: 'createWithdrawal',
    route: 'POST /withdrawals',
    prepare: async (client, userId) => {
      const wanted = { amountTzs: 60_000n, userId, phoneNumber: PHONE }
      const { quoteId } = valueOf(await client.quoteWithdrawal(wanted))
      return client.calls.createWithdrawal({ ...wanted, quoteId: quoteId ?? '' }).body ?? ''
    },
    measure: tzsOf,
  },
  {
    endpoint: 'createSpend',
    route: 'POST /spend',
    prepare: async (client, userId) => {
      const wanted = { amountTzs: 20_000n, userId, kind: 'lipa', payNumber: '512345' } as const
      const { quoteId } = valueOf(await client.quoteSpend(wanted))
      return client.calls.createSpend({ ...wanted, quoteId: quoteId ?? '' }).body ?? ''
    },
    measure: tzsOf,
  },
  {
    endpoint: 'payMerchant',
    route: 'POST /merchant/pay',
    prepare: (client, payerUserId) =>
      Promise.resolve(
        client.calls.payMerchant({ payerUserId, handle: 'sample-shop', amountTzs: 2_500n }).body ?? '',
      ),
    measure: tzsOf,
  },
  {
    endpoint: 'offramp',
    route: 'POST /ramp/offramp',
    prepare: async (client) => {
      const { quoteId } = valueOf(await client.quoteRamp({ direction: 'offramp', tzsAmount: 50_000n }))
      return client.calls.offramp({ quoteId, phoneNumber: PHONE }).body ?? ''
    },
    measure: floatOf,
  },
]

const CASES = PAYMENTS.flatMap((payment) => LOST.map((fault) => ({ ...payment, fault })))

/** What one such payment changes, in a venue where nothing is lost. */
async function paidOnce({ endpoint, prepare, measure }: Payment): Promise<bigint> {
  const { client } = await simulated({ speed: speedOf(endpoint) })
  const { id } = await fundedUser(client, 300_000n)
  const body = await prepare(client, id)
  const start = (await measure(client, id)) ?? 0n
  valueOf<unknown>(await client.transmit({ endpoint, key: 'calm', body }))
  if (endpoint === 'createDeposit') valueOf(await client.advance({}))
  return ((await measure(client, id)) ?? 0n) - start
}

const paid = new Map<MoneyEndpointName, Promise<bigint>>()

/** As above, measured once for all the ways to lose an answer. */
function expectedOf(payment: Payment): Promise<bigint> {
  const known = paid.get(payment.endpoint) ?? paidOnce(payment)
  paid.set(payment.endpoint, known)
  return known
}

/** An off-ramp is answered once its payout has ended. */
function speedOf(endpoint: MoneyEndpointName): number {
  return endpoint === 'offramp' ? 100 : 0
}

test.each(CASES)(
  'a lost answer ($fault) of $route is unknown after one request, and its replay pays once',
  async (one) => {
    const { endpoint, route, prepare, measure, fault } = one
    const expected = await expectedOf(one)
    expect(expected).not.toBe(0n)
    const { client, control, routes } = await simulated({ speed: speedOf(endpoint) })
    const { id } = await fundedUser(client, 300_000n)
    const attempt = { endpoint, key: 'one-attempt', body: await prepare(client, id) }
    const before = (await measure(client, id)) ?? 0n
    await control('inject', { nextRequest: { route, kind: fault } })
    const requests = routes.length
    expect(await client.transmit(attempt)).toMatchObject({
      kind: 'unknown',
      sent: expect.stringMatching(/^(maybe|yes)$/),
    })
    expect(routes.length - requests).toBe(1)
    const replay = valueOf<unknown>(await client.transmit(attempt))
    expect(valueOf<unknown>(await client.transmit(attempt))).toEqual(replay)
    if (endpoint === 'createDeposit') valueOf(await client.advance({}))
    expect((await measure(client, id)) ?? 0n).toBe(before + expected)
  },
)
