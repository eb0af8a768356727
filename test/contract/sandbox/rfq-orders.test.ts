import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashMessage, hashTypedData, parseSignature, type Hex } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { TOKENS } from '../../../src/simulator/sandbox/market/tokens.ts'
import { START } from '../../unit/simulator/sandbox/scripted-world.ts'
import { httpClient, type HttpClient } from './http-client.ts'

// The first two keys every development chain knows; the sandbox's default maker and solver are theirs.
const MAKER_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const OTHER_KEY: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const MAKER = privateKeyToAccount(MAKER_KEY)
const SOLVER = privateKeyToAccount(OTHER_KEY).address
const SECOND = START / 1_000

type Order = Record<string, string>
const ORDER: Order = {
  makerToken: TOKENS.NTZS.address,
  takerToken: TOKENS.USDC.address,
  makerAmount: '2500000000000000000000',
  takerAmount: '1000000',
  maker: MAKER.address,
  taker: SOLVER,
  txOrigin: SOLVER,
  pool: `0x${'00'.repeat(32)}`,
  expiry: String(SECOND + 600),
  salt: '1',
}

const address = (name: string) => ({ name, type: 'address' })
const number = (name: string, bits: number) => ({ name, type: `uint${bits}` })
const RFQ_ORDER = [
  address('makerToken'),
  address('takerToken'),
  number('makerAmount', 128),
  number('takerAmount', 128),
  address('maker'),
  address('taker'),
  address('txOrigin'),
  { name: 'pool', type: 'bytes32' },
  number('expiry', 64),
  number('salt', 256),
]

function hashOf(order: Order): Hex {
  return hashTypedData({
    domain: {
      name: 'ZeroEx',
      version: '1.0.0',
      chainId: 8453,
      verifyingContract: '0xDef1C0ded9bec7F1a1670819833240f027b25EfF',
    },
    types: { RfqOrder: RFQ_ORDER },
    primaryType: 'RfqOrder',
    message: order,
  })
}

async function signed(order: Order, signatureType: 2 | 3 = 2, privateKey = MAKER_KEY) {
  const hash = signatureType === 2 ? hashOf(order) : hashMessage({ raw: hashOf(order) })
  const { r, s, v } = parseSignature(await sign({ hash, privateKey, to: 'hex' }))
  return { order, signature: { signatureType, v: Number(v), r, s } }
}

let client: HttpClient
beforeAll(async () => {
  client = await httpClient()
})
afterAll(() => client.sandbox.close())

describe('without self-custody', () => {
  test('no order is taken', async () => {
    expect(await client.ask('POST', '/rfq/orders', await signed(ORDER))).toMatchObject({
      status: 409,
      json: { code: 'NOT_SELF_CUSTODY' },
    })
  })
})

describe('with self-custody', () => {
  beforeEach(async () => {
    await client.ask('PUT', '/custody', { enabled: true })
  })

  test.each([2, 3] as const)(
    'an order signed by the maker is taken, signature type %i',
    async (signatureType) => {
      const order = { ...ORDER, salt: String(100 + signatureType) }
      const taken = await client.ask('POST', '/rfq/orders', await signed(order, signatureType))
      expect(taken).toMatchObject({
        status: 200,
        json: { orderHash: hashOf(order), orderStatus: 'FILLABLE' },
      })
      const state = (await client.ask('GET', '/sandbox/state')).json as { orders: { hash: string }[] }
      expect(state.orders.map(({ hash }) => hash)).toContain(hashOf(order))
    },
  )

  test.each([
    ['UNKNOWN_TOKEN', { makerToken: SOLVER }],
    ['UNKNOWN_TOKEN', { takerToken: TOKENS['USDT.bnb'].address }],
    ['SAME_TOKEN', { takerToken: TOKENS.NTZS.address.toLowerCase() }],
    ['NOT_TZS_TOKEN_PAIR', { makerToken: TOKENS.USDT.address }],
    ['WRONG_MAKER', { maker: SOLVER }],
    ['WRONG_TAKER', { taker: MAKER.address }],
    ['WRONG_TX_ORIGIN', { txOrigin: MAKER.address }],
    ['EXPIRES_TOO_SOON', { expiry: String(SECOND + 59) }],
    ['EXPIRES_TOO_LATE', { expiry: String(SECOND + 86_401) }],
  ])('%s', async (code, change) => {
    const refused = await client.ask('POST', '/rfq/orders', await signed({ ...ORDER, ...change }))
    expect(refused).toMatchObject({ status: 400, json: { code } })
  })

  test('an expiry of exactly 60 seconds or 24 hours ahead is taken', async () => {
    for (const ahead of [60, 86_400]) {
      const taken = await client.ask(
        'POST',
        '/rfq/orders',
        await signed({ ...ORDER, expiry: String(SECOND + ahead) }),
      )
      expect(taken.status).toBe(200)
    }
  })

  test.each([
    ['makerToken', '0x12'],
    ['makerAmount', '1.5'],
    ['makerAmount', '0'],
    ['takerAmount', String(2n ** 128n)],
    ['takerAmount', 1],
    ['taker', null],
    ['pool', '0x00'],
    ['expiry', String(2n ** 64n)],
    ['salt', '-1'],
    ['salt', undefined],
  ])('BAD_ORDER names the field: %s = %s', async (field, value) => {
    const { signature } = await signed(ORDER)
    const refused = await client.ask('POST', '/rfq/orders', {
      order: { ...ORDER, [field]: value },
      signature,
    })
    expect(refused).toMatchObject({
      status: 400,
      json: { code: 'BAD_ORDER', error: expect.stringMatching(new RegExp(`^${field}`)) },
    })
  })

  test.each([undefined, {}, 'order', '{"order":'])('a body of %j has no order', async (body) => {
    const refused = await client.ask('POST', '/rfq/orders', body)
    expect(refused).toMatchObject({
      status: 400,
      json: { code: 'BAD_ORDER', error: expect.stringMatching(/^order/) },
    })
  })

  test('UNSUPPORTED_CHAIN when the body names another chain', async () => {
    const refused = await client.ask('POST', '/rfq/orders', { ...(await signed(ORDER)), chainId: 56 })
    expect(refused).toMatchObject({ status: 400, json: { code: 'UNSUPPORTED_CHAIN' } })
  })

  test('BAD_SIGNATURE for a wrong form, a high s, another signer, another order or another type', async () => {
    const good = await signed(ORDER)
    const { signature } = good
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const highS = `0x${(order - BigInt(signature.s)).toString(16).padStart(64, '0')}`
    const bad = [
      { order: ORDER },
      { order: ORDER, signature: { ...signature, v: signature.v - 27 } },
      { order: ORDER, signature: { ...signature, signatureType: 4 } },
      { order: ORDER, signature: { ...signature, r: '0x12' } },
      { order: ORDER, signature: { ...signature, s: highS, v: 55 - signature.v } },
      { order: ORDER, signature: { ...signature, r: `0x${'ff'.repeat(32)}` } },
      { order: ORDER, signature: { ...signature, signatureType: 3 } },
      { order: { ...ORDER, salt: '2' }, signature },
      await signed(ORDER, 2, OTHER_KEY),
    ]
    for (const body of bad) {
      const refused = await client.ask('POST', '/rfq/orders', body)
      expect({ body, ...refused }).toMatchObject({ body, status: 400, json: { code: 'BAD_SIGNATURE' } })
    }
  })

  test('ORDER_NOT_FILLABLE says which status the exchange contract reports', async () => {
    await client.inject({ orderStatus: { orderHash: hashOf(ORDER), status: 'CANCELLED' } })
    const refused = await client.ask('POST', '/rfq/orders', await signed(ORDER))
    expect(refused).toMatchObject({
      status: 409,
      json: { code: 'ORDER_NOT_FILLABLE', orderStatus: 'CANCELLED' },
    })
    await client.inject({ orderStatus: { orderHash: hashOf(ORDER), status: null } })
    expect((await client.ask('POST', '/rfq/orders', await signed(ORDER))).status).toBe(200)
  })

  test('CHAIN_UNAVAILABLE while the chain cannot be read', async () => {
    await client.inject({ faults: { chainUnavailable: true } })
    const refused = await client.ask('POST', '/rfq/orders', await signed(ORDER))
    expect(refused).toMatchObject({ status: 503, json: { code: 'CHAIN_UNAVAILABLE' } })
    await client.inject({ faults: { chainUnavailable: false } })
  })
})
