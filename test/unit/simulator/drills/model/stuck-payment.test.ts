import { describe, expect, test } from 'vitest'
import { configSchema } from '../../../../../src/daemon/config/schema/schema.ts'
import { SecretReference } from '../../../../../src/daemon/config/source/secret.ts'
import { stuckPayment, whyNoRail } from '../../../../../src/simulator/drills/model/stuck-payment.ts'

const SECRET = new SecretReference('env', 'KEY')
const SHILLINGS = { NTZS: { target: '4000000', refillBelow: '3000000', skimAbove: '90000000' } }
const DOLLARS = { USDC: { target: '4000', refillBelow: '3000', skimAbove: '90000' } }
const BY_ADDRESS = { name: 'cold', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }

function desk(treasury: object | null) {
  const account = {
    partner: { baseUrl: 'https://partner.example', apiKey: SECRET },
    userId: '3f2b8c1e-0d4a-4f6b-9a57-2d1c8e9f0a1b',
  }
  return configSchema.parse({
    name: 'desk-1',
    venue: { baseUrl: 'https://venue.example', apiKey: SECRET },
    strategy: { use: 'fixed-spread' },
    treasury: treasury === null ? null : { ...account, ...treasury },
  })
}

describe('The payment that a rail swallows', () => {
  test('is the refill from the bank where the desk has one, whatever else it may pay', () => {
    const both = desk({
      phone: '0754000222',
      policy: { bands: { ...SHILLINGS, ...DOLLARS }, routes: ['payout', 'onramp', 'bank-deposit'] },
      payees: [{ name: 'house', phone: '0754000333' }],
    })
    expect(stuckPayment(both)).toEqual({ kind: 'refill', asset: 'NTZS' })
    expect(whyNoRail(both)).toBeNull()
  })

  test('is the refill of dollars from the phone where no bank is used', () => {
    const policy = { bands: { ...SHILLINGS, ...DOLLARS }, routes: ['onramp', 'swap'] }
    expect(stuckPayment(desk({ phone: '0754000222', policy }))).toEqual({ kind: 'refill', asset: 'USDC' })
    expect(stuckPayment(desk({ policy }))).toBeNull()
  })

  test('is the payout to the first payee with an account where nothing is refilled', () => {
    const policy = {
      bands: { NTZS: { ...SHILLINGS.NTZS, refillBelow: '0' } },
      routes: ['bank-deposit', 'payout'],
    }
    const paid = (payees: readonly object[]) => stuckPayment(desk({ policy, payees }))
    const bank = { bankCode: 'CRDB', accountNumber: '0150999999999' }
    expect(paid([BY_ADDRESS, { name: 'house', bank }])).toEqual({
      kind: 'payout',
      payee: 'house',
      to: 'bank',
    })
    expect(paid([{ name: 'till', phone: '0754000333' }])).toEqual({
      kind: 'payout',
      payee: 'till',
      to: 'phone',
    })
    expect(paid([BY_ADDRESS])).toBeNull()
  })

  test('does not exist without a treasury, or with one that uses no rail, and the desk reads why', () => {
    expect(whyNoRail(desk(null))).toContain('no section treasury')
    const inside = desk({ policy: { bands: SHILLINGS, routes: ['rebalance', 'swap'] } })
    expect(stuckPayment(inside)).toBeNull()
    expect(whyNoRail(inside)).toContain('no payment rail')
  })
})
