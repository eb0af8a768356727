import { createServer, type Server } from 'node:http'
import type { OrderEffect } from '../../../../../src/core/engine/model/effect.ts'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { err, ok } from '../../../../../src/base/result.ts'
import type { Chain } from '../../../../../src/custody/chain/chain.ts'
import type { Event } from '../../../../../src/core/engine/model/event.ts'
import type { Hex, RfqOrder } from '../../../../../src/core/rfq/rfq-order.ts'
import { createOrderPerformer } from '../../../../../src/daemon/runtime/effects/perform-orders.ts'
import type { OrderSigner, SigningFailure } from '../../../../../src/custody/signing/order-signer.ts'
import { createVenueClient, type VenueClient } from '../../../../../src/venue/client.ts'
import { venueSettingsSchema } from '../../../../../src/venue/settings.ts'

// What becomes of an order between the core and the venue, over real HTTP.

const HASH: Hex = `0x${'ab'.repeat(32)}`
const WORD: Hex = `0x${'11'.repeat(32)}`
const ADDRESS: Hex = `0x${'22'.repeat(20)}`
const DOMAIN = { chainId: 8_453, exchange: ADDRESS }
const ORDER: RfqOrder = {
  makerToken: ADDRESS,
  takerToken: ADDRESS,
  makerAmount: 1n,
  takerAmount: 1n,
  maker: ADDRESS,
  taker: ADDRESS,
  txOrigin: ADDRESS,
  pool: WORD,
  expiry: 2_000_000_000n,
  salt: 7n,
}
const PLACE: OrderEffect = { type: 'placeOrder', id: 3, order: ORDER }

const open: { close: () => unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** Null: hangs up without an answer. */
type VenueAnswer = { readonly status: number; readonly body: unknown } | null

async function venue(answer: VenueAnswer): Promise<VenueClient> {
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (answer === null) return request.socket.destroy()
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      return response.end(JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  open.push({ close: () => server.close() })
  return clientOf((server.address() as AddressInfo).port)
}

function clientOf(port: number): VenueClient {
  const settings = venueSettingsSchema.parse({
    baseUrl: `http://127.0.0.1:${port}`,
    requestTimeoutMs: 1_000,
  })
  const client = createVenueClient(settings, { apiKey: 'mm_test_performer' })
  open.push(client)
  return client
}

async function performed(
  client: VenueClient,
  effect: OrderEffect,
  change: {
    readonly refusal?: SigningFailure
    readonly chain?: Chain | string
  } = {},
): Promise<Event> {
  const { refusal, chain = 'no endpoint of the chain can be reached' } = change
  const signature = { signatureType: 2, v: 27, r: WORD, s: WORD } as const
  const signer: OrderSigner = {
    address: ADDRESS,
    sign: async (order) => (refusal === undefined ? ok({ order, hash: HASH, signature }) : err(refusal)),
    account: null as never,
  }
  return createOrderPerformer({
    client,
    clock: { now: () => 1_000 },
    signer,
    domain: DOMAIN,
    chain: async () => chain,
    onSigned: () => undefined,
  })(effect)
}

test('an order that the venue takes is placed under its hash', async () => {
  const client = await venue({ status: 200, body: { orderHash: HASH, orderStatus: 'FILLABLE' } })
  expect(await performed(client, PLACE)).toEqual({
    type: 'orderPlaced',
    t: 1_000,
    request: 3,
    salt: 7n,
    hash: HASH,
  })
})

test('an order that the venue calls by another hash stays outstanding', async () => {
  const client = await venue({ status: 200, body: { orderHash: WORD } })
  const outcome = await performed(client, PLACE)
  expect(outcome).toMatchObject({ type: 'orderFailed', isVoid: false, failure: { code: 'HASH_MISMATCH' } })
})

test('a refused order stays outstanding: the venue has seen its signature', async () => {
  const client = await venue({ status: 400, body: { code: 'BAD_ORDER', error: 'expiry: missing' } })
  const outcome = await performed(client, PLACE)
  expect(outcome).toMatchObject({ type: 'orderFailed', stage: 'submit', isVoid: false, hash: HASH })
})

test('an order without an answer stays outstanding', async () => {
  const outcome = await performed(await venue(null), PLACE)
  expect(outcome).toMatchObject({ type: 'orderFailed', isVoid: false, failure: { outcome: 'unknown' } })
})

test('a signature that certainly never left this process is void', async () => {
  const outcome = await performed(clientOf(1), PLACE)
  expect(outcome).toMatchObject({ type: 'orderFailed', stage: 'submit', isVoid: true })
})

test.each([true, false])('what the signer refuses is as void as it says (%s)', async (isVoid) => {
  const refusal = { code: 'SIGN_WRONG_SOLVER', message: 'another solver', isVoid }
  const outcome = await performed(clientOf(1), PLACE, { refusal })
  expect(outcome).toMatchObject({ type: 'orderFailed', stage: 'sign', isVoid, hash: null })
})

test('a chain that is not open fails the reading and the cancellation, not the daemon', async () => {
  const client = clientOf(1)
  const reading = await performed(client, {
    type: 'readChain',
    id: 4,
    orders: [],
    fillsFrom: null,
    after: null,
  })
  expect(reading).toMatchObject({ type: 'requestFailed', request: 4, failure: { code: 'CHAIN_NOT_OPEN' } })
  const cancel = { kind: 'each', orders: [ORDER] } as const
  const outcome = await performed(client, { type: 'cancelOrders', id: 5, cancel })
  expect(outcome).toMatchObject({ type: 'requestFailed', request: 5, failure: { outcome: 'failed' } })
})

test('orders of which nothing is filled are named, not described', async () => {
  const touched = { salt: 8n, hash: HASH, status: 'FILLABLE', takerFilled: 1n } as const
  const reading = {
    head: { number: 1n, hash: HASH, t: 0 },
    orders: [{ salt: 7n, hash: HASH, status: 'FILLABLE', takerFilled: 0n } as const, touched],
    fillsFrom: 1n,
    fills: [],
    balances: {},
    allowances: {},
    gasPriceWei: 1n,
  }
  const chain = { read: async () => ok(reading) } as unknown as Chain
  const outcome = await performed(
    clientOf(1),
    { type: 'readChain', id: 4, orders: [ORDER], fillsFrom: null, after: null },
    { chain },
  )
  expect(outcome).toMatchObject({ type: 'chainRead', untouched: [7n], reading: { orders: [touched] } })
})

test('the block of the last reading is handed to the chain', async () => {
  const asked: unknown[] = []
  const chain = {
    read: async (...question: unknown[]) => {
      asked.push(question)
      return err({ code: 'X' })
    },
  } as unknown as Chain
  const after = { number: 7n, hash: HASH }
  await performed(clientOf(1), { type: 'readChain', id: 4, orders: [ORDER], fillsFrom: 5n, after }, { chain })
  expect(asked).toEqual([[[ORDER], 5n, after]])
})

test('a reservation comes back as an event, and nothing else happens', async () => {
  const reservation = { order: ORDER } as never
  const outcome = await performed(clientOf(1), { type: 'reserveOrder', id: 6, reservation })
  expect(outcome).toEqual({ type: 'orderReserved', t: 1_000, request: 6, reservation })
})

test('an order that is kept back comes back as an event, and no signer is asked', async () => {
  const perform = createOrderPerformer({
    client: clientOf(1),
    clock: { now: () => 1_000 },
    signer: {
      address: ADDRESS,
      sign: () => expect.unreachable('the signer was asked'),
      account: null as never,
    },
    domain: DOMAIN,
    chain: () => expect.unreachable('the chain was asked'),
    onSigned: () => expect.unreachable('it counts as signed'),
  })
  const outcome = await perform({ type: 'withholdOrder', id: 7, salt: 7n, why: 'it was halted' })
  expect(outcome).toEqual({ type: 'orderWithheld', t: 1_000, request: 7, salt: 7n, why: 'it was halted' })
})
