import { expect, test } from 'vitest'
import type { PartnerCall } from '../../../src/treasury/api/call.ts'
import type { PartnerClient } from '../../../src/treasury/api/client.ts'
import type { MoneyEndpointName } from '../../../src/treasury/api/endpoints.ts'
import { fundedUser, simulated, valueOf } from './place.ts'
import { MONEY_CALLS, type MoneyCall } from './money-calls.ts'

// The answer of a payment is lost in every way, with the payment carried out and without. The client cannot tell the two
// apart: it reports the outcome as unknown after one request, and a replay of the same key and bytes ends with the
// payment made exactly once.

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

const tzsOf = async (client: PartnerClient, userId: string) =>
  valueOf(await client.readUser({ id: userId })).balanceTzs
const floatOf = async (client: PartnerClient) => valueOf(await client.rampBalance({})).usdcBalance

// The key of a swap is never replayed, and an on-ramp is paid from outside.
const CALLS = MONEY_CALLS.filter(({ name }) => name !== 'swap' && name !== 'onramp')
const CASES = CALLS.flatMap((call) => LOST.map((fault) => ({ ...call, fault })))

/** What a payment changes. */
const measure = (name: MoneyEndpointName, client: PartnerClient, userId: string) =>
  name === 'offramp' ? floatOf(client) : tzsOf(client, userId)

/** The body of one payment, ready to be sent. */
async function prepare({ name, params }: MoneyCall, client: PartnerClient, userId: string): Promise<string> {
  const makeCall = client.calls[name] as (params: unknown) => PartnerCall<unknown>
  return makeCall(await params(client, userId)).body ?? ''
}

/** What one such payment changes, in a venue where nothing is lost. */
async function paidOnce(call: MoneyCall): Promise<bigint> {
  const { name: endpoint } = call
  const { client } = await simulated({ speed: speedOf(endpoint) })
  const { id } = await fundedUser(client, 300_000n)
  const body = await prepare(call, client, id)
  const start = (await measure(endpoint, client, id)) ?? 0n
  valueOf<unknown>(await client.transmit({ endpoint, key: 'calm', body }))
  if (endpoint === 'createDeposit') valueOf(await client.advance({}))
  return ((await measure(endpoint, client, id)) ?? 0n) - start
}

const paid = new Map<MoneyEndpointName, Promise<bigint>>()

/** As above, measured once for all the ways to lose an answer. */
function expectedOf(call: MoneyCall): Promise<bigint> {
  const known = paid.get(call.name) ?? paidOnce(call)
  paid.set(call.name, known)
  return known
}

/** An off-ramp is answered once its payout has ended. */
function speedOf(endpoint: MoneyEndpointName): number {
  return endpoint === 'offramp' ? 100 : 0
}

test.each(CASES)(
  'a lost answer ($fault) of $route is unknown after one request, and its replay pays once',
  async (one) => {
    const { name: endpoint, route, fault } = one
    const expected = await expectedOf(one)
    expect(expected).not.toBe(0n)
    const { client, control, routes } = await simulated({ speed: speedOf(endpoint) })
    const { id } = await fundedUser(client, 300_000n)
    const attempt = { endpoint, key: 'one-attempt', body: await prepare(one, client, id) }
    const before = (await measure(endpoint, client, id)) ?? 0n
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
    expect((await measure(endpoint, client, id)) ?? 0n).toBe(before + expected)
  },
)
