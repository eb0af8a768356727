import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { modeOf } from '../../../src/treasury/api/testmode/testmode.ts'
import { readDelivery } from '../../../src/treasury/webhooks/delivery.ts'
import { person, refusalOf, simulated, valueOf } from './place.ts'

let receiver: Server | null = null
afterEach(() => {
  receiver?.close()
  receiver = null
})

const LIVE = 'svc_live_0123456789'
const KEY = 'svc_test_sandbox'
const BANK = { paymentMethod: 'bank_transfer', payerAccountNumber: '0150123456789' } as const
const PHONE = '255754000345'

/** The measured venue, its client, a funded user, and its answers as they are. */
async function measured(shillings = 0n) {
  const parts = await simulated({ venue: 'measured', partner: { liveKey: LIVE } })
  const { box, client, control } = parts
  const { id, walletAddress } = valueOf(await client.createUser(person()))
  if (walletAddress === null) throw new Error('no wallet')
  const amount = String(shillings)
  if (shillings > 0n) await control('partner/fund', { address: walletAddress, asset: 'NTZS', amount })
  const raw = async (method: string, path: string, body: object | null = null, headers: object = {}) => {
    const answer = await fetch(`${box.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      body: body === null ? null : JSON.stringify(body),
    })
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
  }
  const tzs = async () => valueOf(await client.readUser({ id })).balanceTzs
  return { ...parts, id, raw, tzs }
}

test('the mode of a live key is stated by an answer, and not by a refusal', async () => {
  const { client, raw } = await measured()
  const live = await raw('GET', '/testmode', null, { authorization: `Bearer ${LIVE}` })
  expect(live).toMatchObject({ status: 200, text: expect.stringContaining('"livemode":true') })
  expect(modeOf(await client.testmode({}))).toBe('test')
})

test('the fees of a payout are read where they stand only inside fees, the one under the name of the operator too', async () => {
  const { client, id, raw } = await measured(500_000n)
  const wish = { amountTzs: 60_000n, userId: id, phoneNumber: PHONE }
  const shown = await raw('POST', '/withdrawals/quote', { ...wish, amountTzs: 60_000 })
  const quote = valueOf(await client.quoteWithdrawal(wish))
  expect(JSON.parse(shown.text)).not.toHaveProperty('totalFeeTzs')
  expect(quote.burnAmountTzs - quote.receiveAmountTzs).toBe(quote.totalFeeTzs)
  expect(quote.fees?.operatorFeeTzs).toBe(200n)
})

test('a bank deposit without the account that pays is refused, and one with it ends as completed', async () => {
  const { client, id, raw, tzs } = await measured()
  const wish = { amountTzs: 7_000n, userId: id, paymentMethod: 'bank_transfer' } as const
  expect(refusalOf(await client.createDeposit(wish)).code).toBe('missing_required_fields')
  const deposit = valueOf(await client.createDeposit({ ...wish, ...BANK }))
  valueOf(await client.advance({}))
  expect((await raw('GET', `/deposits/${deposit.id}`)).text).toContain('"status":"minted"')
  expect(valueOf(await client.readDeposit({ id: deposit.id })).status).toBe('completed')
  expect(await tzs()).toBe(7_000n)
  const rejected = valueOf(await client.createDeposit({ ...wish, ...BANK, amountTzs: 7_013n }))
  valueOf(await client.advance({}))
  expect(valueOf(await client.readDeposit({ id: rejected.id })).status).toBe('failed')
})

test('a key is honoured by the ramp alone: a repeated transfer is a second payment', async () => {
  const { client, id, tzs } = await measured(100_000n)
  const other = valueOf(await client.createUser(person()))
  const transfer = { fromUserId: id, toUserId: other.id, amountTzs: 9_000n }
  for (let sent = 0; sent < 2; sent++) valueOf(await client.createTransfer(transfer, { key: 'one' }))
  expect(await tzs()).toBe(100_000n - 18_000n)
  const { quoteId } = valueOf(
    await client.quoteRamp({ direction: 'onramp', tzsAmount: 50_000n, phoneNumber: PHONE }),
  )
  const body = client.calls.onramp({ quoteId, phoneNumber: PHONE }).body ?? ''
  const attempt = { endpoint: 'onramp', key: 'two', body } as const
  expect(valueOf(await client.transmit(attempt)).settlementId).toBe(
    valueOf(await client.transmit(attempt)).settlementId,
  )
})

test('transfers of the shilling are capped at once and in a day, with figures', async () => {
  const { client, id } = await measured(5_000_000n)
  const other = valueOf(await client.createUser(person()))
  const move = (amountTzs: bigint) => client.createTransfer({ fromUserId: id, toUserId: other.id, amountTzs })
  expect(refusalOf(await move(1_000_001n)).details).toEqual({ limit: 1_000_000, requested: 1_000_001 })
  valueOf(await move(1_000_000n))
  valueOf(await move(900_000n))
  expect(refusalOf(await move(200_000n)).details).toMatchObject({ limit: 2_000_000, usedInPeriod: 1_900_000 })
})

test('a payout and an off-ramp that failed are errors that name what they became', async () => {
  const { client, id, tzs } = await measured(500_000n)
  const phoneNumber = '255754000313'
  const wish = { amountTzs: 60_000n, userId: id, phoneNumber }
  const { quoteId } = valueOf(await client.quoteWithdrawal(wish))
  const payout = await client.createWithdrawal({ ...wish, quoteId: quoteId ?? '' })
  if (payout.kind !== 'unknown' || payout.id === undefined) throw new Error('it names no id')
  expect(payout.status).toBe(502)
  expect(valueOf(await client.readWithdrawal({ id: payout.id })).payoutStatus).toBe('reverted')
  expect(await tzs()).toBe(500_000n)
  const ramp = valueOf(await client.quoteRamp({ direction: 'offramp', tzsAmount: 50_000n }))
  const off = await client.offramp({ quoteId: ramp.quoteId, phoneNumber })
  if (off.kind !== 'unknown' || off.id === undefined) throw new Error('it names no id')
  expect(off.status).toBe(400)
  expect(valueOf(await client.readSettlement({ id: off.id })).status).toBe('failed')
  expect(valueOf(await client.rampBalance({})).tokenBalance).toBeGreaterThan(0n)
})

test('a refused swap is plain text, an unknown route a page, and an unexpected error an empty 500', async () => {
  const { control, id, raw } = await measured()
  const swap = await raw('POST', '/swap', { userId: id, fromToken: 'TZS_TOKEN', toToken: 'USDC', amount: 5 })
  expect(swap).toMatchObject({ status: 400, text: 'Unsupported tokens. Valid: NTZS, USDC, USDT' })
  expect(swap.type).toMatch(/^text\/plain/)
  expect(await raw('GET', '/no-such-route')).toMatchObject({
    status: 404,
    type: expect.stringMatching(/^text\/html/),
  })
  await control('inject', { nextRequest: { route: 'GET /supply', kind: '500' } })
  expect(await raw('GET', '/supply')).toMatchObject({ status: 500, text: '' })
})

test('a webhook is read in the envelope with event and timestamp', async () => {
  const posted = new Promise<string>((done) => {
    receiver = createServer((request, response) => {
      void text(request).then(done)
      response.end()
    }).listen(0)
  })
  const { client, control, id } = await measured()
  const address = receiver?.address() ?? null
  if (address === null || typeof address === 'string') throw new Error('it does not listen')
  await control('partner/webhooks', { url: `http://127.0.0.1:${address.port}/` })
  const deposit = valueOf(await client.createDeposit({ amountTzs: 7_000n, userId: id, ...BANK }))
  valueOf(await client.advance({}))
  const body = await posted
  expect(Object.keys(JSON.parse(body) as object)).toEqual(['event', 'data', 'timestamp'])
  expect(readDelivery(Buffer.from(body))).toMatchObject({
    event: 'deposit.completed',
    resourceId: deposit.id,
  })
})
