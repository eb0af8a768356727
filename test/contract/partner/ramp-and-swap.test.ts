import { describe, expect, test } from 'vitest'
import type { StreamLine } from '../../../src/treasury/api/kit/stream.ts'
import { fundedUser, PLACES, refusalOf, simulated, valueOf } from './place.ts'

const PHONE = '255754000345'
/** A payout is waited for and a swap streams its steps: three seconds of the venue are a third of one here. */
const SPEED = 10

describe.each(PLACES)('the ramp, against $name', ({ open }) => {
  test('quoteRamp and offramp pay exactly the net amount, and the float pays no more than was quoted', async () => {
    const client = await open(SPEED)
    const before = valueOf(await client.rampBalance({})).usdcBalance
    const quote = valueOf(
      await client.quoteRamp({ direction: 'offramp', tzsAmount: 100_001n, phoneNumber: PHONE }),
    )
    expect(quote.tzsAmount).toBe(100_001n)
    expect(quote.expiresAt - Date.now()).toBeLessThanOrEqual(60_000)
    const settlement = valueOf(await client.offramp({ quoteId: quote.quoteId, phoneNumber: PHONE }))
    expect(['completed', 'paying_out']).toContain(settlement.status)
    valueOf(await client.advance({}))
    const read = valueOf(await client.readSettlement({ id: settlement.settlementId }))
    expect(read).toMatchObject({ settlementId: settlement.settlementId, status: 'completed' })
    const paid = before - valueOf(await client.rampBalance({})).usdcBalance
    expect(paid <= quote.usdcAmount).toBe(true)
    const { settlements } = valueOf(await client.listSettlements({}))
    expect(settlements.map(({ settlementId }) => settlementId)).toContain(settlement.settlementId)
  })

  test('a used quote and one that no one made are refused, and nothing is debited', async () => {
    const client = await open(SPEED)
    const { quoteId } = valueOf(await client.quoteRamp({ direction: 'offramp', tzsAmount: 50_000n }))
    valueOf(await client.offramp({ quoteId, phoneNumber: PHONE }))
    const before = valueOf(await client.rampBalance({}))
    expect(refusalOf(await client.offramp({ quoteId, phoneNumber: PHONE })).code).toBe('invalid_quote')
    expect(refusalOf(await client.offramp({ quoteId: 'made-up', phoneNumber: PHONE })).code).toBe(
      'invalid_quote',
    )
    expect(valueOf(await client.rampBalance({}))).toEqual(before)
  })

  test('a failed payout returns its value as the token, and the next offramp uses it first', async () => {
    const client = await open(SPEED)
    const before = valueOf(await client.rampBalance({})).tokenBalance ?? 0n
    const to = '255754000313'
    const { quoteId } = valueOf(
      await client.quoteRamp({ direction: 'offramp', tzsAmount: 80_000n, phoneNumber: to }),
    )
    const { settlementId } = valueOf(await client.offramp({ quoteId, phoneNumber: to }))
    valueOf(await client.advance({}))
    expect(['failed', 'reverted']).toContain(
      valueOf(await client.readSettlement({ id: settlementId })).status,
    )
    const returned = (valueOf(await client.rampBalance({})).tokenBalance ?? 0n) - before
    expect(returned >= 80_000n * 10n ** 18n).toBe(true)
  })

  test('onramp collects from a phone, and the dollars arrive at the address', async () => {
    const client = await open(SPEED)
    const { id, walletAddress } = await fundedUser(client, 0n)
    const quote = valueOf(await client.quoteRamp({ direction: 'onramp', tzsAmount: 256_000n }))
    const wanted = { quoteId: quote.quoteId, phoneNumber: PHONE, destinationAddress: walletAddress }
    const { settlementId, status } = valueOf(await client.onramp(wanted))
    expect(status).toBe('minting')
    valueOf(await client.advance({}))
    expect(valueOf(await client.readSettlement({ id: settlementId })).status).toBe('completed')
    expect(valueOf(await client.readUser({ id })).balanceUsdc).toBe(quote.usdcAmount)
  })
})

describe.each(PLACES)('swaps, against $name', ({ open }) => {
  test('swapRate needs no key, and its floor is below what is expected', async () => {
    const client = await open(SPEED)
    const rate = valueOf(await client.swapRate({ from: 'USDC', to: 'TZS_TOKEN', amount: 100_000_000n }))
    expect(rate).toMatchObject({ from: 'USDC', to: 'TZS_TOKEN', amount: 100_000_000n })
    expect((rate.minOutput ?? 0n) > 0n && (rate.minOutput ?? 0n) < (rate.expectedOutput ?? 0n)).toBe(true)
  })

  test('swap streams its steps in order, and gives at least its floor', async () => {
    const client = await open(SPEED)
    const { id: userId } = await fundedUser(client, 256_000n)
    const pair = { from: 'TZS_TOKEN', to: 'USDC', amount: 200_000_000_000n } as const
    const rate = valueOf(await client.swapRate(pair))
    const received: StreamLine[] = []
    const wanted = {
      userId,
      fromToken: pair.from,
      toToken: pair.to,
      amount: pair.amount,
      minOutput: rate.minOutput ?? 1n,
    }
    const result = valueOf(await client.swap(wanted, { onLine: (line) => received.push(line) }))
    expect(result.status).toBe('FILLED')
    expect(received.map(({ status }) => status)).toEqual(['CHECKING', 'SENDING', 'FILLING', 'FILLED'])
    const { balanceTzs, balanceUsdc } = valueOf(await client.readUser({ id: userId }))
    expect(balanceTzs).toBe(56_000n)
    expect((balanceUsdc ?? 0n) >= (rate.minOutput ?? 0n)).toBe(true)
  })

  test('below its floor a swap is refused before anything moves', async () => {
    const client = await open(SPEED)
    const { id: userId } = await fundedUser(client, 256_000n)
    const wanted = {
      userId,
      fromToken: 'TZS_TOKEN',
      toToken: 'USDC',
      amount: 200_000_000_000n,
      minOutput: 10n ** 12n,
    } as const
    expect(refusalOf(await client.swap(wanted))).toMatchObject({
      status: 409,
      code: 'SLIPPAGE_EXCEEDED',
      retry: 'never',
    })
    expect(valueOf(await client.readUser({ id: userId })).balanceTzs).toBe(256_000n)
  })
})

test('a used key of a swap is refused and never replayed, though its swap took all that the wallet had, in the simulated venue', async () => {
  const { client } = await simulated({ speed: SPEED })
  const { id: userId } = await fundedUser(client, 256_000n)
  const call = client.calls.swap({
    userId,
    fromToken: 'TZS_TOKEN',
    toToken: 'USDC',
    amount: 256_000_000_000n,
  })
  const attempt = { endpoint: 'swap', key: 'one-swap', body: call.body ?? '' } as const
  valueOf(await client.transmit(attempt))
  const again = refusalOf(await client.transmit(attempt))
  expect(again.status).toBe(409)
  expect(['idempotency_key_used', 'transfer_in_flight']).toContain(again.code)
  expect(valueOf(await client.readUser({ id: userId })).balanceTzs).toBe(0n)
})
