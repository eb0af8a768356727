import fc from 'fast-check'
import { expect, test } from 'vitest'
import { configSchema } from '../../../../../src/daemon/config/schema/schema.ts'
import { SecretReference } from '../../../../../src/daemon/config/source/secret.ts'
import {
  capitalToRefill,
  middleOf,
  openingCapital,
} from '../../../../../src/simulator/drills/model/capital.ts'
import { parseAmount } from '../../../../../src/base/money/asset.ts'
import { isWithinBand, RATE_ONE } from '../../../../../src/base/money/rate.ts'

function desk(inventory: object, treasury: object | null = null) {
  return configSchema.parse({
    name: 'desk-1',
    venue: { baseUrl: 'https://venue.example', apiKey: new SecretReference('env', 'KEY') },
    strategy: { use: 'fixed-spread' },
    inventory,
    treasury,
  })
}

test('the mid of a drill is inside of the corridor, whatever the corridor is', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: RATE_ONE, max: 9_000n * RATE_ONE }),
      fc.bigInt({ min: 1n, max: 900n * RATE_ONE }),
      (min, width) => {
        const band = { min, max: min + width }
        expect(isWithinBand(band, middleOf(band))).toBe(true)
      },
    ),
  )
})

test('without limits the capital is at the target', () => {
  expect(openingCapital(desk({ target: 0.5 }), 2_500n * RATE_ONE)).toEqual({
    NTZS: '40000000',
    USDC: '12000',
    USDT: '4000',
    'USDT.bnb': '0',
  })
})

test('the capital is inside of every limit, so that no drill begins with a side off', () => {
  const limit = fc
    .tuple(fc.nat(1_000_000), fc.integer({ min: 2, max: 1_000_000 }))
    .map(([min, room]) => ({ min, max: min + room }))
  fc.assert(
    fc.property(limit, limit, limit, (NTZS, USDC, USDT) => {
      const opening = openingCapital(desk({ limits: { NTZS, USDC, USDT } }), 2_500n * RATE_ONE)
      for (const [asset, { min, max }] of [
        ['NTZS', NTZS],
        ['USDC', USDC],
        ['USDT', USDT],
      ] as const) {
        const amount = parseAmount(opening[asset])
        const least = parseAmount(String(min))
        const most = parseAmount(String(max))
        if (!amount.ok || !least.ok || !most.ok) throw new Error('not an amount')
        expect(amount.value >= least.value && amount.value <= most.value).toBe(true)
      }
    }),
  )
})

test('a refill is due with the capital that it begins with, and no other token has anything to spare', () => {
  const treasury = {
    partner: { baseUrl: 'https://partner.example', apiKey: new SecretReference('env', 'PARTNER') },
    userId: '3f2b8c1e-0d4a-4f6b-9a57-2d1c8e9f0a1b',
    policy: {
      bands: {
        NTZS: { target: '12000000', refillBelow: '6000000', skimAbove: '60000000' },
        USDC: { target: '5000', refillBelow: '3000', skimAbove: '90000' },
      },
    },
  }
  const mid = 2_500n * RATE_ONE
  const opening = (inventory: object) => capitalToRefill(desk(inventory, treasury), mid, 'NTZS')
  expect(opening({})).toMatchObject({ NTZS: '3000000', USDC: '5000', USDT: '4000' })
  // Above the limit below which the side is off: what is drilled is the refill, and not an empty side.
  expect(opening({ limits: { NTZS: { min: '2000000' } } })).toMatchObject({ NTZS: '4000000' })
  expect(opening({ limits: { NTZS: { min: '9000000' } } })).toMatchObject({ NTZS: '3000000' })
})

test('the capital is whole units of each token, though a limit may be finer', () => {
  const USDC = { min: '0.0000001', max: '0.0000102' }
  expect(openingCapital(desk({ limits: { USDC } }), 2_500n * RATE_ONE).USDC).toBe('0.000005')
})
