import { describe, expect, test } from 'vitest'
import { zeroAmounts } from '../../../../../src/base/money/asset.ts'
import { RATE_ONE } from '../../../../../src/base/money/rate.ts'
import { pricedPairOf, type Pair } from '../../../../../src/simulator/sandbox/market/price.ts'
import { createProvider, type Provider } from '../../../../../src/simulator/sandbox/market/provider.ts'
import { pickProvider, pickQuoter } from '../../../../../src/simulator/sandbox/market/router.ts'

const MID = 2_500n * RATE_ONE
const TERMS = { toleranceBps: 5 }
const ASK = pricedPairOf('USDC', 'NTZS') as Pair
const BID = pricedPairOf('NTZS', 'USDC') as Pair
const DOLLARS = 10n ** 6n
const SHILLINGS = 10n ** 18n

function provider(name: string, bps: number, change: Partial<Provider> = {}): Provider {
  const amounts = { ...zeroAmounts(), NTZS: 10_000_000n * SHILLINGS, USDC: 4_000n * DOLLARS }
  return Object.assign(createProvider(name, false, true, amounts), { bidBps: bps, askBps: bps }, change)
}

const picked = (providers: Provider[], pair = ASK, amount = 100n * DOLLARS) =>
  pickProvider(providers, pair, amount, MID, TERMS)?.name ?? null

describe('the router', () => {
  test('the lowest spread wins', () => {
    expect(picked([provider('wide', 90), provider('tight', 60), provider('middle', 70)])).toBe('tight')
  })

  test('within the tolerance of the best, no matter who was filled longest ago wins, also at a wider spread', () => {
    const best = provider('best', 60, { lastFilled: 7 })
    expect(picked([best, provider('five wider', 65, { lastFilled: 3 })])).toBe('five wider')
    expect(picked([best, provider('six wider', 66, { lastFilled: 3 })])).toBe('best')
  })

  test('among providers that were never filled the tighter one wins', () => {
    expect(picked([provider('wider', 63), provider('tighter', 60)])).toBe('tighter')
  })

  test('a provider is no candidate while inactive, leaving, suspended, off on that side or without the pair', () => {
    const excuses: Partial<Provider>[] = [
      { isActive: false },
      { isLeaving: true },
      { isSuspended: true },
      { quoteAsk: false },
      { quotePairs: ['USDT', 'TGBP'] },
    ]
    for (const excuse of excuses) {
      expect([excuse, picked([provider('best', 20, excuse), provider('other', 300)])]).toEqual([
        excuse,
        'other',
      ])
    }
    expect(picked([provider('bid off', 20, { quoteBid: false })])).toBe('bid off')
    expect(picked([provider('has the pair', 20, { quotePairs: ['USDC'] })])).toBe('has the pair')
  })

  test('the position must cover the whole payout at mid, spread or no spread', () => {
    const poor = provider('poor', 500)
    poor.pool.NTZS = 250_000n * SHILLINGS
    expect(picked([poor], ASK, 100n * DOLLARS)).toBe('poor')
    poor.pool.NTZS -= 1n
    expect(picked([poor], ASK, 100n * DOLLARS)).toBeNull()
  })

  test('nothing is split: two halves do not make a provider', () => {
    expect(picked([provider('a', 60), provider('b', 60)], BID, 12_000_000n * SHILLINGS)).toBeNull()
    expect(picked([provider('a', 60), provider('b', 60)], BID, 10_000_000n * SHILLINGS)).toBe('a')
  })

  test('the best of those who cannot cover does not set the tolerance', () => {
    const empty = provider('empty', 10)
    empty.pool.NTZS = 0n
    expect(picked([empty, provider('full', 100), provider('fuller', 104, { lastFilled: 0 })])).toBe('full')
    expect(pickQuoter([empty, provider('full', 100)], ASK, TERMS)?.name).toBe('empty')
  })
})
