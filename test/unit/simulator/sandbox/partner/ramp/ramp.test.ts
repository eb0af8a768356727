import { describe, expect, test } from 'vitest'
import { zeroAmounts } from '../../../../../../src/base/money/asset.ts'
import { conservationGap } from '../../../../../support/conservation-gap.ts'
import type { SandboxOptionsInput } from '../../../../../../src/simulator/sandbox/options.ts'
import { partnerClient, type PartnerClient, type PartnerReply } from '../partner-client.ts'

const PHONE = '0754000123'

const client = (settings: object = {}, more: SandboxOptionsInput = {}) =>
  partnerClient({ ...more, partner: { settings } })

function quote({ ask }: PartnerClient, body: object): Record<string, unknown> {
  const { status, json } = ask('POST', '/ramp/quote', body)
  expect(status).toBe(200)
  return json
}

function offramp(venue: PartnerClient, tzsAmount: number, phoneNumber = PHONE): PartnerReply {
  const { quoteId } = quote(venue, { direction: 'offramp', tzsAmount })
  return venue.ask('POST', '/ramp/offramp', { quoteId, phoneNumber })
}

function float({ ask }: PartnerClient): { usdcBalance: string; tokenBalance: string } {
  return ask('GET', '/ramp/balance').json as { usdcBalance: string; tokenBalance: string }
}

function events({ model }: PartnerClient): { type: string; data: Record<string, unknown> }[] {
  return model.partner.outbox.map(({ text }) => JSON.parse(text) as never)
}

const isConserved = ({ model }: PartnerClient) => expect(conservationGap(model.book())).toEqual(zeroAmounts())

describe('a quote of the ramp', () => {
  test('is exact in what was asked for and valid for a minute', () => {
    const venue = client()
    const byShillings = quote(venue, { direction: 'offramp', tzsAmount: 100_000 })
    expect(byShillings).toMatchObject({
      tzsAmount: 100_000,
      feeTzs: 700,
      expiresAt: new Date(venue.model.state.now + 60_000).toISOString(),
    })
    expect(byShillings).not.toHaveProperty('recipientName')
    const byDollars = quote(venue, { direction: 'offramp', usdcAmount: 40 })
    expect(byDollars).toMatchObject({ usdcAmount: 40 })
    const paid = Number(byDollars['tzsAmount']) + Number(byDollars['feeTzs'])
    expect(paid).toBe(Math.floor(40 * Number(byDollars['rateUsdTzs'])))
    expect(quote(venue, { direction: 'onramp', amount: 50_000 })).toMatchObject({ tzsAmount: 50_000 })
  })

  test('for a till or a bill has the tariff of the rail and the name of the payee', () => {
    const destination = { kind: 'lipa', payNumber: '512345' }
    expect(quote(client(), { direction: 'offramp', tzsAmount: 10_000, destination })).toMatchObject({
      feeTzs: 400,
      recipientName: expect.any(String),
    })
  })

  test.each([
    [{ direction: 'sideways' }, 'missing_required_fields'],
    [{ direction: 'offramp' }, 'missing_required_fields'],
    [{ direction: 'offramp', tzsAmount: 1, usdcAmount: 1 }, 'missing_required_fields'],
    [{ direction: 'offramp', usdcAmount: 0.0000001 }, 'invalid_amount'],
    [{ direction: 'offramp', usdcAmount: 0.01 }, 'invalid_amount'],
    [{ direction: 'onramp', tzsAmount: 300 }, 'invalid_amount'],
    [{ direction: 'onramp', tzsAmount: -5 }, 'invalid_amount'],
    [{ direction: 'offramp', tzsAmount: 1_000, phoneNumber: '1' }, 'invalid_phone'],
    [{ direction: 'offramp', tzsAmount: 1_000, destination: { kind: 'lipa' } }, 'missing_required_fields'],
  ])('refuses %j as %s', (body, code) => {
    expect(client().ask('POST', '/ramp/quote', body)).toMatchObject({ status: 400, json: { error: code } })
  })
})

describe('an off-ramp', () => {
  test('completes within the answer and is read, listed and reported alike', () => {
    const venue = client()
    const { usdcAmount } = quote(venue, { direction: 'offramp', tzsAmount: 100_000 })
    const { status, json, delayMs } = offramp(venue, 100_000)
    expect({ status, delayMs }).toEqual({ status: 201, delayMs: 3_000 })
    expect(json).toEqual({ settlementId: expect.any(String), status: 'completed' })
    expect(Number(float(venue).usdcBalance)).toBeCloseTo(1_000 - Number(usdcAmount), 6)
    const id = json['settlementId'] as string
    const read = venue.ask('GET', `/ramp/${id}`).json
    expect(read).toMatchObject({ settlementId: id, tzsAmount: 100_000, usdcAmount, tokenUsedTzs: 0 })
    expect(venue.ask('GET', '/ramp/settlements').json).toEqual([read])
    expect(events(venue)).toMatchObject([{ type: 'ramp.settlement.completed', data: { settlementId: id } }])
    isConserved(venue)
  })

  test('that takes longer than ten seconds is answered as under way and completes later', () => {
    const venue = client({ settleMs: 20_000 })
    const { status, json } = offramp(venue, 50_000)
    expect({ status, json }).toMatchObject({ status: 202, json: { status: 'paying_out' } })
    venue.wait(20_000)
    expect(venue.ask('GET', `/ramp/${json['settlementId'] as string}`).json['status']).toBe('completed')
    isConserved(venue)
  })

  test('that fails returns its whole value as token, which the next one uses before any dollar', () => {
    const venue = client()
    const failed = offramp(venue, 100_000, '0754000113')
    expect(failed).toMatchObject({ status: 202, json: { status: 'paying_out' } })
    const after = float(venue).usdcBalance
    venue.wait(3_000)
    expect(float(venue)).toEqual(expect.objectContaining({ usdcBalance: after, tokenBalance: '100700' }))
    expect(events(venue).at(-1)).toMatchObject({
      type: 'ramp.settlement.failed',
      data: { status: 'failed', returnedAsTokenTo: venue.partner.settlementAddress },
    })
    offramp(venue, 60_000)
    expect(float(venue)).toMatchObject({ usdcBalance: after, tokenBalance: '40200' })
    const mixed = offramp(venue, 60_000).json['settlementId'] as string
    expect(float(venue).tokenBalance).toBe('0')
    expect(Number(float(venue).usdcBalance)).toBeLessThan(Number(after))
    expect(venue.ask('GET', `/ramp/${mixed}`).json).toMatchObject({ tokenUsedTzs: 40_200 })
    isConserved(venue)
  })

  test('to a number ending in 02 stays unconfirmed and one ending in 99 under way', () => {
    const venue = client()
    const statusOf = (phone: string) => {
      const id = offramp(venue, 1_000, phone).json['settlementId'] as string
      venue.wait(86_400_000)
      return venue.ask('GET', `/ramp/${id}`).json['status']
    }
    expect(statusOf('0754000102')).toBe('reconcile_required')
    expect(statusOf('0754000199')).toBe('paying_out')
    expect(events(venue)).toEqual([])
    isConserved(venue)
  })

  test('needs a fresh quote of its own and a phone, and more dollars than the float has are refused', () => {
    const venue = client()
    const execute = (body: object) => venue.ask('POST', '/ramp/offramp', body).json
    expect(execute({})).toMatchObject({ error: 'quote_required' })
    expect(execute({ quoteId: 'x' })).toMatchObject({ error: 'invalid_quote' })
    const { quoteId } = quote(venue, { direction: 'offramp', tzsAmount: 1_000, phoneNumber: PHONE })
    expect(execute({ quoteId })).toMatchObject({ code: 'phone_required' })
    expect(execute({ quoteId, phoneNumber: '0754000124' })).toMatchObject({ error: 'quote_mismatch' })
    const on = quote(venue, { direction: 'onramp', tzsAmount: 10_000 })
    expect(execute({ quoteId: on['quoteId'], phoneNumber: PHONE })).toMatchObject({ error: 'quote_mismatch' })
    expect(offramp(venue, 90_000_000)).toMatchObject({
      status: 400,
      json: { error: 'insufficient_balance', details: { available: 1_000 } },
    })
    venue.wait(60_000)
    expect(execute({ quoteId, phoneNumber: PHONE })).toMatchObject({ error: 'invalid_quote' })
  })

  test('replayed under its key debits once', () => {
    const venue = client()
    const { quoteId } = quote(venue, { direction: 'offramp', tzsAmount: 1_000 })
    const send = () =>
      venue.ask('POST', '/ramp/offramp', { quoteId, phoneNumber: PHONE }, { idempotencyKey: 'k' })
    expect(send().json).toEqual(send().json)
    expect(venue.partner.payments.settlements.size).toBe(1)
  })

  test('to a till shows where it went and to whom', () => {
    const venue = client()
    const destination = { kind: 'lipa', payNumber: '512345' }
    const { quoteId } = quote(venue, { direction: 'offramp', tzsAmount: 5_000, destination })
    expect(venue.ask('POST', '/ramp/offramp', { quoteId })).toMatchObject({
      status: 201,
      json: { destination, recipientName: expect.any(String) },
    })
    isConserved(venue)
  })
})

describe('an on-ramp', () => {
  test("mints dollars to the liquidity provider's wallet after the phone has paid", () => {
    const venue = client()
    const { walletAddress: destinationAddress } = venue.model.options
    const { quoteId, usdcAmount } = quote(venue, { direction: 'onramp', tzsAmount: 100_000 })
    const before = venue.model.state.ours.wallet.USDC
    const { status, json } = venue.ask('POST', '/ramp/onramp', {
      quoteId,
      phoneNumber: PHONE,
      destinationAddress,
    })
    expect({ status, json }).toMatchObject({ status: 202, json: { status: 'minting' } })
    expect(venue.model.state.ours.wallet.USDC).toBe(before)
    venue.wait(3_000)
    const units = BigInt(Math.round(Number(usdcAmount) * 1e6))
    expect(venue.model.state.ours.wallet.USDC).toBe(before + units)
    expect(venue.model.state.ours.transfers.at(-1)).toMatchObject({ kind: 'deposit', asset: 'USDC' })
    expect(events(venue).at(-1)).toMatchObject({
      type: 'ramp.settlement.completed',
      data: { direction: 'onramp', destinationAddress },
    })
    isConserved(venue)
  })

  test('without an address goes to the float, and a phone that refuses moves nothing', () => {
    const venue = client()
    const run = (tzsAmount: number) => {
      const { quoteId } = quote(venue, { direction: 'onramp', tzsAmount })
      venue.ask('POST', '/ramp/onramp', { quoteId, phoneNumber: PHONE })
      venue.wait(3_000)
    }
    run(10_013)
    expect(float(venue).usdcBalance).toBe('1000')
    expect(events(venue).at(-1)).toMatchObject({
      type: 'ramp.settlement.failed',
      data: { returnedAsTokenTo: null },
    })
    run(10_000)
    expect(Number(float(venue).usdcBalance)).toBeGreaterThan(1_000)
    isConserved(venue)
  })

  test('refuses an invalid address', () => {
    const venue = client()
    const { quoteId } = quote(venue, { direction: 'onramp', tzsAmount: 10_000 })
    const body = { quoteId, phoneNumber: PHONE, destinationAddress: '0x12' }
    expect(venue.ask('POST', '/ramp/onramp', body).json).toMatchObject({ error: 'invalid_address' })
  })
})
