import fc from 'fast-check'
import { parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXCHANGE_ABI } from '../../../src/core/rfq/exchange-abi.ts'
import type { Hex, RfqOrder } from '../../../src/core/rfq/rfq-order.ts'
import { startChain, type StartedChain } from '../../../src/simulator/sandbox/chain/start-chain.ts'
import { openLocalSigner } from '../../../src/custody/signing/local/local-signer.ts'
import { createOrderPacker, type PackedOrder } from '../../../src/custody/signing/order-hash.ts'
import type { OrderSignature, OrderSigner } from '../../../src/custody/signing/order-signer.ts'
import { loadWasmEngine, type WasmEngine } from '../../../src/custody/signing/local/wasm-engine.ts'
import { needs } from '../../support/needs.ts'
import { permissiveWall, privateKey, signableOrder } from '../../support/signing-fixture.ts'

const ABI = parseAbi(EXCHANGE_ABI)
const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array): Hex => `0x${Buffer.from(array).toString('hex')}`)
const whole = (bits: number) => {
  const max = (1n << BigInt(bits)) - 1n
  return fc.oneof(fc.constantFrom(0n, 1n, max), fc.bigInt({ min: 0n, max }))
}
const anyOrder: fc.Arbitrary<RfqOrder> = fc.record({
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

describe.skipIf(needs('anvil'))('the real exchange', () => {
  let chain: StartedChain
  let pack: (order: RfqOrder) => PackedOrder
  let signer: OrderSigner
  let nowMs = 0

  beforeAll(async () => {
    chain = await startChain()
    const engine = await loadedEngine()
    pack = createOrderPacker({ chainId: chain.chainId, exchange: lower(chain.exchange) }, engine.keccak256)
    nowMs = await chain.now()
    signer = signerOn(chain, engine)
  }, 120_000)

  afterAll(async () => {
    await chain.close()
  })

  const read = { abi: ABI } as const
  const stateOf = (order: RfqOrder, signature: OrderSignature) =>
    chain.client.readContract({
      ...read,
      address: chain.exchange,
      functionName: 'getRfqOrderRelevantState',
      args: [order, signature],
    })

  test('hashes every order as the fast path does', async () => {
    for (const order of fc.sample(anyOrder, 200)) {
      const hash = await chain.client.readContract({
        ...read,
        address: chain.exchange,
        functionName: 'getRfqOrderHash',
        args: [order],
      })
      expect(`0x${Buffer.from(pack(order).orderHash).toString('hex')}`).toBe(hash)
    }
  })

  test('calls every signature of the signer valid, and the order fillable', async () => {
    const amount = fc.bigInt({ min: 1n, max: (1n << 128n) - 1n })
    const terms = fc.record({ makerAmount: amount, takerAmount: amount, salt: whole(256) })
    for (const change of fc.sample(terms, 100)) {
      const signed = await sign(orderOn(chain, nowMs, change))
      const [info, , isSignatureValid] = await stateOf(signed.order, signed.signature)
      expect([info.orderHash, info.status, isSignatureValid]).toEqual([signed.hash, 1, true])
    }
  })

  test('calls the same signature with a high s, the other v, or v of 0 and 1 invalid', async () => {
    for (const salt of [1n, 2n, 3n, 4n]) {
      const { order, signature } = await sign(orderOn(chain, nowMs, { salt }))
      const { v, s } = signature
      const otherV = v === 27 ? 28 : 27
      const highS: Hex = `0x${(GROUP_ORDER - BigInt(s)).toString(16).padStart(64, '0')}`
      const wrong = [{ v: otherV }, { s: highS }, { v: otherV, s: highS }, { v: v - 27 }]
      for (const change of wrong)
        expect(await validOrReverted(order, { ...signature, ...change })).toBe(false)
    }
  })

  test('calls the signature of one order invalid for another', async () => {
    const { signature } = await sign(orderOn(chain, nowMs, {}))
    expect(await validOrReverted(orderOn(chain, nowMs, { makerAmount: 2n }), signature)).toBe(false)
  })

  async function validOrReverted(order: RfqOrder, signature: object): Promise<boolean> {
    const state = await stateOf(order, signature as OrderSignature).catch(() => null)
    return state !== null && state[2]
  }

  async function sign(order: RfqOrder) {
    const signed = await signer.sign(order)
    if (!signed.ok) throw new Error(signed.error.message)
    return signed.value
  }
})

async function loadedEngine(): Promise<WasmEngine> {
  const loaded = await loadWasmEngine()
  if (!loaded.ok) throw new Error(loaded.error)
  return loaded.value
}

function signerOn(chain: StartedChain, engine: WasmEngine): OrderSigner {
  const { accounts, chainId, exchange } = chain
  const opened = openLocalSigner(
    privateKey(accounts.maker.key),
    permissiveWall({ chainId, exchange: lower(exchange) }),
    engine,
  )
  if (!opened.ok) throw new Error(opened.error)
  return opened.value
}

function orderOn({ accounts, tokens }: StartedChain, nowMs: number, change: Partial<RfqOrder>): RfqOrder {
  const solver = lower(accounts.solver.address)
  return signableOrder({
    makerToken: lower(tokens.address.NTZS),
    takerToken: lower(tokens.address.USDC),
    maker: lower(accounts.maker.address),
    taker: solver,
    txOrigin: solver,
    expiry: BigInt(Math.floor(nowMs / 1_000) + 3_600),
    ...change,
  })
}

function lower(address: string): Hex {
  return address.toLowerCase() as Hex
}
