import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { parseSignature, recoverAddress } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Hex, RfqOrder } from '../../../src/core/rfq/rfq-order.ts'
import { createOrderPacker, hashRfqOrder, rfqTypedData } from '../../../src/custody/signing/order-hash.ts'
import { toOrderSignature } from '../../../src/custody/signing/create-order-signer.ts'
import { fastSignHash, referenceSignHash } from '../../../src/custody/signing/local/local-signer.ts'
import { loadWasmEngine, type WasmEngine } from '../../../src/custody/signing/local/wasm-engine.ts'
import { privateKey } from '../../support/signing-fixture.ts'

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

const hex = (bytes: number) =>
  fc
    .oneof(
      {
        weight: 1,
        arbitrary: fc.constantFrom('00'.repeat(bytes), 'ff'.repeat(bytes), `${'00'.repeat(bytes - 1)}01`),
      },
      {
        weight: 4,
        arbitrary: fc
          .uint8Array({ minLength: bytes, maxLength: bytes })
          .map((array) => Buffer.from(array).toString('hex')),
      },
    )
    .map((digits): Hex => `0x${digits}`)

/** The ends of each type, and the ends of the 64-bit pieces that it is written in, as often as the rest. */
const whole = (bits: number) => {
  const max = (1n << BigInt(bits)) - 1n
  const edges = [0n, 1n, max, max - 1n]
  for (let piece = 64n; piece < BigInt(bits); piece += 64n)
    edges.push(1n << piece, (1n << piece) - 1n, max - (1n << piece))
  return fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max }))
}

const order: fc.Arbitrary<RfqOrder> = fc.record({
  makerToken: hex(20),
  takerToken: hex(20),
  makerAmount: whole(128),
  takerAmount: whole(128),
  maker: hex(20),
  taker: hex(20),
  txOrigin: hex(20),
  pool: hex(32),
  expiry: whole(64),
  salt: whole(256),
})
const domain = fc.record({ chainId: fc.integer({ min: 1, max: 2 ** 48 }), exchange: hex(20) })
const key = fc
  .bigInt({ min: 1n, max: HALF_ORDER * 2n })
  .map((number): Hex => `0x${number.toString(16).padStart(64, '0')}`)

describe('the fast path, whatever the order, domain and key', () => {
  let engine: WasmEngine

  beforeAll(async () => {
    const loaded = await loadWasmEngine()
    if (!loaded.ok) throw new Error(loaded.error)
    engine = loaded.value
  })

  it('hashes as typed data does', () => {
    fc.assert(
      fc.property(domain, fc.array(order, { minLength: 1, maxLength: 3 }), (where, orders) => {
        const pack = createOrderPacker(where, engine.keccak256)
        for (const one of orders) {
          const { preimage, orderHash } = pack(one)
          const reference = hashRfqOrder(one, where)
          expect(textOf(orderHash)).toBe(reference.orderHash)
          expect(textOf(preimage.subarray(34))).toBe(reference.structHash)
        }
      }),
      { numRuns: 80 },
    )
  })

  it('signs as signTypedData does, for the address of the key, with a low s', async () => {
    await fc.assert(
      fc.asyncProperty(domain, order, key, async (where, one, hexKey) => {
        const account = privateKeyToAccount(hexKey)
        const { orderHash } = createOrderPacker(where, engine.keccak256)(one)
        const signature = toOrderSignature(fastSignHash(privateKey(hexKey), engine)(orderHash))
        const reference = parseSignature(await account.signTypedData(rfqTypedData(one, where)))
        expect(signature).toEqual({
          signatureType: 2,
          v: Number(reference.v),
          r: reference.r,
          s: reference.s,
        })
        expect([27, 28]).toContain(signature.v)
        expect(BigInt(signature.s) <= HALF_ORDER).toBe(true)
        const { v, r, s } = signature
        expect(await recoverAddress({ hash: textOf(orderHash), signature: { v: BigInt(v), r, s } })).toBe(
          account.address,
        )
      }),
      { numRuns: 50 },
    )
  }, 60_000)

  it('signs any hash as the reference does, short r and s included', () => {
    fc.assert(
      fc.property(hex(32), key, (hash, hexKey) => {
        const bytes = Buffer.from(hash.slice(2), 'hex')
        const fast = fastSignHash(privateKey(hexKey), engine)(bytes)
        expect(fast).toEqual(referenceSignHash(privateKey(hexKey))(bytes))
        expect([fast.r.length, fast.s.length]).toEqual([66, 66])
      }),
      { numRuns: 80 },
    )
  }, 60_000)
})

function textOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`
}
