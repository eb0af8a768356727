import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Wallet } from 'ethers'
import { encodeAbiParameters, parseAbiParameters, recoverAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hex, RfqOrder } from '../src/core/rfq/rfq-order.ts'
import { openLocalSigner } from '../src/custody/signing/local/local-signer.ts'
import {
  createOrderPacker,
  domainSeparator,
  hashRfqOrder,
  RFQ_ORDER_TYPE_HASH,
  rfqTypedData,
} from '../src/custody/signing/order-hash.ts'
import { loadWasmEngine, type WasmEngine } from '../src/custody/signing/local/wasm-engine.ts'
import { BASE, KEY, permissiveWall, privateKey, signableOrder } from '../test/support/signing-fixture.ts'
import { shortOr } from './harness/short.ts'

const ROUNDS = shortOr(1, 7)
const TARGET = 15_000

/** Signs all orders one after another; what comes back is the last one's signature, 65 bytes of hex. */
type Way = { readonly orders: number; readonly sign: (orders: readonly RfqOrder[]) => Promise<Hex> }

type NativeSecp256k1 = {
  readonly ecdsaSign: (
    hash: Uint8Array,
    key: Uint8Array,
  ) => { readonly signature: Uint8Array; readonly recid: number }
}

/** Orders signed in a second by the clock, and in a second of a core's time, which others at work do not take. */
type Rate = { readonly perSecond: number; readonly perCpuSecond: number }

/**
 * Signed orders a second on one core, hash included: ours with its checks of every order, ours without the
 * fast engine, what other libraries make of the same orders, and libsecp256k1 in C as the limit. The ways
 * take turns; of each the best round of seven counts, since a busy machine only ever makes it slower. All of
 * them have to give the same signature, and that recovers to the wallet. On a quiet machine both rates are
 * the same; where they differ, the second one says what a core of its own would do.
 */
export default async function signBench(): Promise<Record<string, unknown>> {
  const loaded = await loadWasmEngine()
  if (!loaded.ok) throw new Error(loaded.error)
  const ways = waysOf(loaded.value)
  const rates = await compare(ways)
  const c = await signInC()
  if (c !== null) rates['libsecp256k1InC'] = c
  const ours = rates['ours'] ?? { perSecond: 0, perCpuSecond: 0 }
  return {
    target: TARGET,
    met: ours.perSecond >= TARGET,
    signedOrders: rates,
    oursToTheirs: Object.fromEntries(
      Object.entries(rates).map(([name, { perCpuSecond }]) => [
        name,
        Math.round((100 * ours.perCpuSecond) / perCpuSecond) / 100,
      ]),
    ),
    rounds: ROUNDS,
    ...(c === null ? { libsecp256k1InC: 'skipped: needs cc and the Debian package libsecp256k1-dev' } : {}),
  }
}

function waysOf(engine: WasmEngine): Readonly<Record<string, Way>> {
  const account = privateKeyToAccount(KEY)
  const wallet = new Wallet(KEY)
  return {
    ours: { orders: 4_000, sign: signerWay(engine) },
    oursWithoutTheEngine: { orders: 400, sign: signerWay(null) },
    secp256k1NativeWithOurPacker: { orders: 4_000, sign: nativeWay(engine) },
    viem: { orders: 400, sign: lastOf((order) => account.signTypedData(rfqTypedData(order, BASE))) },
    ethers: {
      orders: 300,
      sign: lastOf(async (order) => {
        const { domain, types, message } = rfqTypedData(order, BASE)
        const { RfqOrder } = types
        return (await wallet.signTypedData({ ...domain }, { RfqOrder: [...RfqOrder] }, message)) as Hex
      }),
    },
  }
}

function signerWay(engine: WasmEngine | null): Way['sign'] {
  const opened = openLocalSigner(privateKey(), permissiveWall(), engine)
  if (!opened.ok) throw new Error(opened.error)
  const { sign } = opened.value
  return lastOf(async (order) => {
    const signed = await sign(order)
    if (!signed.ok) throw new Error(signed.error.message)
    const { r, s, v } = signed.value.signature
    return `${r}${s.slice(2)}${v.toString(16)}`
  })
}

/** The package's main file falls back to JavaScript in silence; this one is native or throws. */
function nativeWay(engine: WasmEngine): Way['sign'] {
  const native = createRequire(import.meta.url)('secp256k1/bindings.js') as NativeSecp256k1
  const pack = createOrderPacker(BASE, engine.keccak256)
  const key = Buffer.from(KEY.slice(2), 'hex')
  return lastOf((order) => {
    const { signature, recid } = native.ecdsaSign(pack(order).orderHash, key)
    return `0x${Buffer.from(signature).toString('hex')}${(27 + recid).toString(16)}`
  })
}

function lastOf(sign: (order: RfqOrder) => Hex | Promise<Hex>): Way['sign'] {
  return async (orders) => {
    let last: Hex = '0x'
    for (const order of orders) last = await sign(order)
    return last
  }
}

async function compare(ways: Readonly<Record<string, Way>>): Promise<Record<string, Rate>> {
  const best: Record<string, Rate> = {}
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, { orders, sign }] of Object.entries(ways)) {
      const batch = ordersOf(orders)
      const began = performance.now()
      const cpuBegan = process.cpuUsage()
      const last = await sign(batch)
      const { user, system } = process.cpuUsage(cpuBegan)
      const rate = rateOf(orders, (performance.now() - began) / 1e3, (user + system) / 1e6)
      // The first round warms up, and proves that everybody signs the same.
      if (round === 0) await prove(name, batch, last)
      else best[name] = better(best[name], rate)
    }
  }
  return best
}

function rateOf(orders: number, seconds: number, cpuSeconds: number): Rate {
  return { perSecond: Math.round(orders / seconds), perCpuSecond: Math.round(orders / cpuSeconds) }
}

function better(one: Rate = { perSecond: 0, perCpuSecond: 0 }, other: Rate): Rate {
  return {
    perSecond: Math.max(one.perSecond, other.perSecond),
    perCpuSecond: Math.max(one.perCpuSecond, other.perCpuSecond),
  }
}

async function prove(name: string, orders: readonly RfqOrder[], signature: Hex): Promise<void> {
  const order = orders.at(-1)
  if (order === undefined) throw new Error('there was nothing to sign')
  const { orderHash } = hashRfqOrder(order, BASE)
  const account = privateKeyToAccount(KEY)
  const expected = await account.sign({ hash: orderHash })
  const recovered = await recoverAddress({ hash: orderHash, signature })
  if (recovered !== account.address || signature !== expected) throw new Error(`${name} signs differently`)
}

/** Different amounts, expiries and salts, as a ladder has them. */
function ordersOf(count: number): RfqOrder[] {
  const { makerAmount, takerAmount, expiry } = signableOrder()
  return Array.from({ length: count }, (_, index) =>
    signableOrder({
      makerAmount: makerAmount + BigInt(index),
      takerAmount: takerAmount + BigInt(index % 7),
      expiry: expiry + BigInt(index % 60),
      salt: (1_900_000_000_000n << 20n) + BigInt(index),
    }),
  )
}

/** Null where there is no C compiler or no libsecp256k1. */
async function signInC(): Promise<Rate | null> {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-bench-'))
  try {
    const program = join(folder, 'sign')
    const source = join(import.meta.dirname, 'plain/sign.c')
    if (spawnSync('cc', ['-O2', '-o', program, source, '-lsecp256k1']).status !== 0) return null
    const orders = ordersOf(8_000)
    const file = join(folder, 'orders')
    const domain = Buffer.from(domainSeparator(BASE).slice(2), 'hex')
    writeFileSync(file, Buffer.concat([Buffer.from(KEY.slice(2), 'hex'), domain, ...orders.map(structOf)]))
    const { stdout } = spawnSync(program, [file, String(ROUNDS)], { encoding: 'utf8' })
    const { seconds, cpuSeconds, signature } = JSON.parse(stdout) as {
      readonly seconds: number
      readonly cpuSeconds: number
      readonly signature: Hex
    }
    await prove('libsecp256k1 in C', orders, signature)
    return rateOf(orders.length, seconds, cpuSeconds)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function structOf(order: RfqOrder): Buffer {
  const types = 'bytes32,address,address,uint128,uint128,address,address,address,bytes32,uint64,uint256'
  const words = encodeAbiParameters(parseAbiParameters(types), [
    RFQ_ORDER_TYPE_HASH,
    order.makerToken,
    order.takerToken,
    order.makerAmount,
    order.takerAmount,
    order.maker,
    order.taker,
    order.txOrigin,
    order.pool,
    order.expiry,
    order.salt,
  ])
  return Buffer.from(words.slice(2), 'hex')
}
