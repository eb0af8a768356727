import { encodeFunctionData, parseAbi } from 'viem'
import { ok } from '../../src/base/result.ts'
import { RATE_ONE } from '../../src/base/money/rate.ts'
import { EXCHANGE_ABI } from '../../src/core/rfq/exchange-abi.ts'
import type { Hex, RfqOrder } from '../../src/core/rfq/rfq-order.ts'
import { PrivateKey } from '../../src/custody/signing/local/private-key.ts'
import type { ExchangeDomain } from '../../src/custody/signing/order-signer.ts'
import type { OwnReading } from '../../src/custody/signing/policy/policy-state.ts'
import { openPolicyStore, type PolicyStore } from '../../src/custody/signing/policy/policy-store.ts'
import type { SigningPolicy } from '../../src/custody/signing/policy/signing-policy.ts'
import {
  createSigningGuard,
  type SigningGuard,
  type SigningGuardParts,
} from '../../src/custody/signing/policy/signing-guard.ts'

/** The exchange's address on Base, in lower case. */
export const EXCHANGE: Hex = '0xdef1c0ded9bec7f1a1670819833240f027b25eff'
export const BASE = { chainId: 8_453, exchange: EXCHANGE }
/** A key for tests, with the wallet that every development chain funds first. */
export const KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
export const MAKER: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
export const SOLVER: Hex = `0x${'5e'.repeat(20)}`
export const SHILLING: Hex = `0x${'a1'.repeat(20)}`
export const DOLLAR: Hex = `0x${'b2'.repeat(20)}`
/** Milliseconds since the epoch, a whole second. */
export const NOW = 1_900_000_000_000

/** Limits that orders of a few dollars never reach; a price from 1,000 to 5,000 TZS. */
export function signingPolicy(change: Partial<SigningPolicy> = {}): SigningPolicy {
  return {
    domain: BASE,
    tokens: { NTZS: SHILLING, USDC: DOLLAR },
    solver: null,
    corridor: { min: 1_000n * RATE_ONE, max: 5_000n * RATE_ONE },
    maxOrderUsd: usd(1_000),
    maxOutstandingUsd: usd(5_000),
    maxAtRiskUsdPerHour: usd(10_000),
    maxAtRiskUsdPerDay: usd(25_000),
    maxSignaturesPerMinute: 60,
    maxLifeMs: 900_000,
    approve: { USDC: 1_000_000_000n },
    maxFeePerGas: 5_000_000_000n,
    confirmations: 3,
    maxChainLagMs: 30_000,
    maxClockOffsetMs: 5_000,
    ...change,
  }
}

/** Whole dollars with 18 decimals. */
export function usd(dollars: number): bigint {
  return BigInt(dollars) * 10n ** 18n
}

export type WallParts = Partial<Omit<SigningGuardParts, 'policy'>> & {
  readonly policy?: Partial<SigningPolicy>
  /** Who is pinned; null = nobody. */
  readonly solver?: Hex | null
  /** A file; in memory by default. */
  readonly path?: string
  readonly isHeld?: () => boolean
}

/** A wall with its store, on a chain of which nothing is filled and whose clock is ours. */
export function signingWall(parts: WallParts = {}): {
  readonly wall: SigningGuard
  readonly store: PolicyStore
} {
  const policy = signingPolicy(parts.policy)
  const store =
    parts.store ?? policyStore(parts.path ?? null, parts.solver === undefined ? SOLVER : parts.solver)
  const now = parts.now ?? (() => NOW)
  const readOrders = parts.readOrders ?? (() => Promise.resolve(ok(untouchedAt(now()))))
  const { isHeld = () => true, shared } = parts
  const more = shared === undefined ? {} : { shared }
  return { store, wall: createSigningGuard({ policy, store, now, readOrders, isHeld, ...more }) }
}

/** No wall at all, for what is about hashes and signatures alone. */
export function permissiveWall(domain: ExchangeDomain = BASE): SigningGuard {
  const permit = { giveBack: () => undefined }
  return {
    domain,
    permit: () => Promise.resolve(ok(permit)),
    transactionRefusal: () => Promise.resolve(null),
  }
}

export function policyStore(path: string | null, solver: Hex | null = SOLVER): PolicyStore {
  const opened = openPolicyStore(path, { wallet: MAKER, ...BASE })
  if (!opened.ok) throw new Error(opened.error)
  if (solver !== null) opened.value.pinSolver(solver)
  return opened.value
}

/** A head of that time, and no news of any order. */
export function untouchedAt(t: number): OwnReading {
  return { head: { number: BigInt(Math.floor(t / 2_000)), hash: '0x00', t }, orders: [] }
}

/** An order that a signer with this policy signs. */
export function signableOrder(change: Partial<RfqOrder> = {}): RfqOrder {
  return {
    makerToken: SHILLING,
    takerToken: DOLLAR,
    makerAmount: 2_500n * 10n ** 18n,
    takerAmount: 1_000_000n,
    maker: MAKER,
    taker: SOLVER,
    txOrigin: SOLVER,
    pool: `0x${'0'.repeat(64)}`,
    expiry: BigInt(NOW / 1_000 + 60),
    salt: 1n,
    ...change,
  }
}

/** A call that takes one order back: one that a signer signs at any time. */
export const CANCEL: Hex = encodeFunctionData({
  abi: parseAbi(EXCHANGE_ABI),
  functionName: 'cancelRfqOrder',
  args: [signableOrder()],
})

export function privateKey(hex: Hex = KEY): PrivateKey {
  const key = PrivateKey.parse(hex)
  if (!key.ok) throw new Error(key.error)
  return key.value
}
