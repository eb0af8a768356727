import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { zeroAmounts } from '../../../src/base/money/asset.ts'
import type { RfqOrder } from '../../../src/core/rfq/rfq-order.ts'
import { conservationGap } from '../../support/conservation-gap.ts'
import { chainOrder, orderBody, signOrder } from '../../support/chain-order.ts'
import { allowMaker, chainVenue, type VenueOnChain } from '../../support/chain-venue.ts'
import { needs } from '../../support/needs.ts'
import { until } from '../daemon/until.ts'

const ASSETS = ['NTZS', 'USDC', 'USDT'] as const
let salt = 1_000n

async function promise(venue: VenueOnChain, change: Partial<RfqOrder> = {}): Promise<string> {
  salt += 1n
  const expiry = BigInt(Math.floor(venue.server.model.state.now / 1_000) + 600)
  const signed = await signOrder(venue.chain, chainOrder(venue.chain, { salt, expiry, ...change }))
  const { status, json } = await venue.ask('POST', '/rfq/orders', orderBody(signed))
  if (status !== 200) throw new Error(`refused: ${JSON.stringify(json)}`)
  return signed.hash
}

async function enableCustody({ ask, chain }: VenueOnChain): Promise<void> {
  expect((await ask('PUT', '/custody', { enabled: true })).status).toBe(200)
  await allowMaker(chain)
}

function fillsOf({ server }: VenueOnChain) {
  return server.model.book().ours.orderFills
}

describe.skipIf(needs('anvil'))('the solver', () => {
  const venue = chainVenue({ solver: { policy: 'soon', fillEveryMs: 15 } })

  test('takes the best price for its wish, whole, and then the next one', async () => {
    await enableCustody(venue())
    const worse = await promise(venue(), { makerAmount: 2_500n * 10n ** 18n })
    const best = await promise(venue(), { makerAmount: 2_600n * 10n ** 18n })
    await until('both filled', () => fillsOf(venue()).length === 2)
    // The worse one stood alone for a moment: anyone who came first, both are whole and each once.
    expect(
      fillsOf(venue())
        .map(({ orderHash }) => orderHash)
        .toSorted(),
    ).toEqual([worse, best].toSorted())
    expect(fillsOf(venue()).every(({ takerAmount }) => takerAmount === 1_000_003n)).toBe(true)
  })
})

describe.skipIf(needs('anvil'))('a solver that fills in parts', () => {
  const venue = chainVenue({ solver: { policy: 'soon', fillEveryMs: 15, parts: 3 } })

  test('needs three fills for an order, and the maker gives no unit more than promised', async () => {
    await enableCustody(venue())
    const hash = await promise(venue())
    await until('the last part', () => fillsOf(venue()).length === 3)
    const parts = fillsOf(venue())
    expect(parts.map(({ takerAmount }) => takerAmount)).toEqual([333_335n, 333_335n, 333_333n])
    expect(parts.every(({ orderHash }) => orderHash === hash)).toBe(true)
    const given = parts.reduce((sum, { makerAmount }) => sum + makerAmount, 0n)
    expect(given).toBeLessThanOrEqual(2_600_000_000_000_000_000_007n)
  })

  test('takes what balance and allowance leave, and no more', async () => {
    const { tokens, accounts, exchange } = venue().chain
    await tokens.approve('NTZS', accounts.maker.address, exchange, 5n * 10n ** 20n)
    const before = fillsOf(venue()).length
    await promise(venue(), { makerAmount: 2_600n * 10n ** 18n, takerAmount: 1_000_000n })
    await until('a first fill', () => fillsOf(venue()).length > before)
    await until('nothing left to find', async () => {
      const { json } = await venue().ask('GET', '/sandbox/state')
      return ((json['counters'] as Record<string, number>)['solver: found nothing'] ?? 0) > 20
    })
    const given = fillsOf(venue())
      .slice(before)
      .reduce((sum, { makerAmount }) => sum + makerAmount, 0n)
    expect(given).toBeLessThanOrEqual(5n * 10n ** 20n)
    expect(given).toBeGreaterThan(4n * 10n ** 20n)
  })
})

describe.skipIf(needs('anvil'))('a solver that comes late', () => {
  const venue = chainVenue({ solver: { policy: 'late', fillEveryMs: 15, lateMs: 60_000 } })

  test('leaves an order alone until it is about to expire', async () => {
    await enableCustody(venue())
    await promise(venue())
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(fillsOf(venue())).toEqual([])
    await venue().ask('POST', '/sandbox/advance', { ms: 560_000 })
    await until('the late fill', () => fillsOf(venue()).length === 1)
  })

  test('does not touch an order that has expired', async () => {
    await promise(venue(), { makerAmount: 1n })
    await venue().ask('POST', '/sandbox/advance', { ms: 700_000 })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(fillsOf(venue()).length).toBe(1)
  })
})

describe.skipIf(needs('anvil'))('an hour of everything', () => {
  const venue = chainVenue({ solver: { policy: 'soon', fillEveryMs: 12, parts: 2, chance: 0.7 } })

  test('the venue’s book and the chain agree to the last unit at every step', async () => {
    const { ask, chain, server } = venue()
    const random = seededRandom(20_261_121, 'an hour of everything')
    const upTo = (limit: number) => Math.floor(random() * limit)
    await allowMaker(chain)
    let pooled = false
    const steps: Record<string, () => Promise<unknown>> = {
      async sweep() {
        if (!pooled) await ask('PUT', '/custody', { enabled: false })
        pooled = !pooled
        await ask('POST', '/activate', { isActive: pooled })
        if (!pooled) await ask('PUT', '/custody', { enabled: true })
      },
      async promise() {
        if (pooled) return
        const sells = random() < 0.5
        const { NTZS, USDC, USDT } = chain.tokens.address
        const dollar = random() < 0.5 ? USDC : USDT
        const shillings = BigInt(1 + upTo(5_000_000)) * 10n ** 14n + BigInt(upTo(1_000_000))
        const dollars = BigInt(1 + upTo(50_000_000))
        await promise(
          venue(),
          sells
            ? { makerToken: NTZS, takerToken: dollar, makerAmount: shillings, takerAmount: dollars }
            : { makerToken: dollar, takerToken: NTZS, makerAmount: dollars, takerAmount: shillings },
        )
      },
      withdraw: () =>
        ask('POST', '/withdraw', {
          token: 'usdc',
          toAddress: chain.accounts.stranger.address,
          amount: `0.${1 + upTo(900_000)}`,
        }),
      dust: () =>
        chain.tokens.transfer('USDT', chain.accounts.taker.address, chain.accounts.maker.address, 1n),
      pause: () => new Promise((resolve) => setTimeout(resolve, upTo(60))),
      hurry: () => ask('POST', '/sandbox/advance', { ms: 60_000 }),
    }
    await ask('PUT', '/custody', { enabled: true })
    const names = [
      'sweep',
      'withdraw',
      'dust',
      ...Array<string>(6).fill('promise'),
      ...Array<string>(3).fill('pause'),
    ]
    for (let minute = 0; minute < 60; minute += 1) {
      await steps['hurry']?.()
      for (let step = 0; step < 4; step += 1) await steps[names[upTo(names.length)] ?? '']?.()
      await ask('GET', '/balances')
      const book = server.model.book()
      expect(conservationGap(book)).toEqual(zeroAmounts())
      expect(owedByEvents(venue())).toEqual(book.ours.wallet)
    }
    // Whatever the solver does in between, a settled book is the chain's: both are read while it rests.
    await server.close()
    const book = server.model.book()
    for (const asset of ASSETS) {
      expect(await chain.tokens.balance(asset, chain.accounts.maker.address)).toBe(book.ours.wallet[asset])
      expect(await chain.tokens.balance(asset, chain.accounts.pool.address)).toBe(book.ours.pool[asset])
    }
    expect(book.ours.orderFills.length).toBeGreaterThan(10)
  })
})

/** The wallet by the book's own entries: opening, transfers and fills of orders. */
function owedByEvents({ server }: VenueOnChain) {
  const { opening, transfers, orderFills } = server.model.book().ours
  const sum = { ...opening }
  for (const { kind, asset, amount } of transfers) {
    sum[asset] += kind === 'deposit' || kind === 'sweep-to-wallet' ? amount : -amount
  }
  for (const { makerAsset, takerAsset, makerAmount, takerAmount } of orderFills) {
    sum[makerAsset] -= makerAmount
    sum[takerAsset] += takerAmount
  }
  return sum
}
