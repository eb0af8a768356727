import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/base/time.ts'
import { RATE_ONE } from '../../../src/base/money/rate.ts'
import type { ChainReading } from '../../../src/core/rfq/chain-reading.ts'
import type { RfqOrder } from '../../../src/core/rfq/rfq-order.ts'
import { checkOrder } from '../../../src/custody/signing/policy/check-order.ts'
import {
  dollarSide,
  emptyPolicyState,
  applyOwnReading,
} from '../../../src/custody/signing/policy/policy-state.ts'
import { LONGEST_LIFE_MS, type SigningPolicy } from '../../../src/custody/signing/policy/signing-policy.ts'
import { orderHarness, rfqSettings, SOLVER, type Placing } from '../../support/order-harness.ts'
import { failureOf } from '../../support/failure-of.ts'

const usd = (dollars: number) => BigInt(dollars) * 10n ** 18n
const SETTINGS = rfqSettings({ confirmations: 1 })

/** What a venue that lies may answer for a while: any mid, any solver, any fate of an order, fills at once or never. */
const answers = fc.record({
  mid: fc.oneof(fc.integer({ min: 2_400, max: 2_600 }), fc.constantFrom(1, 25, 250, 2_500, 25_000, 999_999)),
  solver: fc.constantFrom(SOLVER, SOLVER, `0x${'4'.repeat(40)}` as const),
  fills: fc.boolean(),
  fate: fc.constantFrom('placed' as const, 'placed' as const, 'refused' as const, 'silent' as const),
  forMs: fc.integer({ min: 500, max: MINUTE_MS }),
})

/** A signer with its policy beside the core: what it signs is all that the venue can ever hold. */
function signerBeside(policy: SigningPolicy, filled: (salt: bigint) => bigint) {
  const state = { ...emptyPolicyState(), solver: SOLVER }
  const signed: { readonly order: RfqOrder; readonly at: number }[] = []
  const sign = (order: RfqOrder, now: number): string | null => {
    // Its own reading, as the chain is, whatever the venue says.
    const orders: ChainReading['orders'] = [...state.signed.values()].map(
      ({ order: { salt, takerAmount } }) => {
        const takerFilled = filled(salt)
        return {
          salt,
          hash: '0x00',
          status: takerFilled === takerAmount ? 'FILLED' : 'FILLABLE',
          takerFilled,
        }
      },
    )
    applyOwnReading(
      state,
      { head: { number: BigInt(Math.floor(now)), hash: '0x00', t: now }, orders },
      now,
      policy,
    )
    const refusal = checkOrder({ order, domain: policy.domain, wallet: SETTINGS.maker, state, policy, now })
    if (refusal !== null) return refusal.code
    const value = dollarSide(order, policy.tokens)?.usd ?? 0n
    const nothing = { filledUsd: 0n, endedAtBlock: null, endedAt: null }
    state.signed.set(order.salt.toString(), { order, usd: value, signedAt: now, ...nothing })
    state.lastSalt = order.salt
    signed.push({ order, at: now })
    return null
  }
  return { sign, signed }
}

test('no sequence of venue answers makes the signer sign outside its own terms', () => {
  let all = 0
  fc.assert(
    fc.property(fc.array(answers, { minLength: 1, maxLength: 8 }), fc.boolean(), (lies, hasCorridor) => {
      const corridor = { min: 2_300n * RATE_ONE, max: 2_700n * RATE_ONE }
      const policy: SigningPolicy = {
        domain: { chainId: SETTINGS.chainId, exchange: SETTINGS.exchange },
        tokens: SETTINGS.tokens,
        solver: null,
        corridor: hasCorridor ? corridor : null,
        maxOrderUsd: usd(120),
        maxOutstandingUsd: usd(350),
        maxAtRiskUsdPerHour: usd(700),
        maxAtRiskUsdPerDay: usd(1_000),
        maxSignaturesPerMinute: 2,
        maxLifeMs: 900_000,
        approve: {},
        maxFeePerGas: 5_000_000_000n,
        confirmations: 1,
        maxChainLagMs: 30_000,
        maxClockOffsetMs: 5_000,
      }
      const fillOf = new Map<bigint, bigint>()
      const signer = signerBeside(policy, (salt) => fillOf.get(salt) ?? 0n)
      let lie = lies[0]
      const world = orderHarness({
        rfq: SETTINGS,
        // The core itself believes everything: no limit of its own.
        want: ({ mid }) =>
          [0.99, 1.01, 1.02].map((factor) => ({
            side: factor < 1 ? ('ask' as const) : ('bid' as const),
            stable: 'USDC' as const,
            usd: 110,
            tzsPerUsd: mid * factor,
          })),
        venue: {
          answers: {
            readSolver: () => ({
              type: 'solver',
              solverWallet: lie?.solver ?? SOLVER,
              chainId: null,
              exchange: null,
            }),
          },
        },
      })
      world.wishes = []
      const refused = (code: string, stage: 'sign' | 'submit'): Placing => {
        const failure = { ...failureOf('refused'), code, status: stage === 'sign' ? null : 400 }
        return { hash: null, stage, isVoid: stage === 'sign', failure }
      }
      world.placing = (order) => {
        const code = signer.sign(order, world.core.now)
        if (code !== null) return refused(code, 'sign')
        if (lie?.fills === true) {
          fillOf.set(order.salt, order.takerAmount)
          world.chain.submit({ kind: 'fill', order, takerAmount: order.takerAmount })
        }
        if (lie?.fate === 'refused') return refused('BAD_SIGNATURE', 'submit')
        if (lie?.fate === 'silent')
          return { hash: null, stage: 'submit', isVoid: false, failure: failureOf('timeout') }
        return 'placed'
      }
      for (lie of lies) {
        world.core.venue.mid = BigInt(lie.mid) * RATE_ONE
        world.run(lie.forMs)
        // A person who is deceived as well vouches for everything.
        world.core.order({ name: 'resume' })
      }
      all += signer.signed.length
      expectWithinTerms(signer.signed, policy, fillOf)
    }),
    { numRuns: 30 },
  )
  // Not for having signed nothing at all.
  expect(all).toBeGreaterThan(0)
}, 120_000)

type Signed = { readonly order: RfqOrder; readonly at: number }

function expectWithinTerms(
  signed: readonly Signed[],
  policy: SigningPolicy,
  filled: Map<bigint, bigint>,
): void {
  if (policy.corridor === null) expect(signed).toEqual([])
  const salts = signed.map(({ order }) => order.salt)
  expect(new Set(salts).size).toBe(salts.length)
  const value = ({ order }: Signed) => dollarSide(order, policy.tokens)?.usd ?? 0n
  for (const one of signed) {
    const { order, at } = one
    expect([order.taker, order.txOrigin, order.maker]).toEqual([SOLVER, SOLVER, SETTINGS.maker])
    expect(value(one)).toBeLessThanOrEqual(policy.maxOrderUsd)
    expect(Number(order.expiry) * 1_000 - at).toBeLessThanOrEqual(LONGEST_LIFE_MS)
    const price = ((dollarSide(order, policy.tokens)?.shillings ?? 0n) * RATE_ONE) / value(one)
    expect(price >= (policy.corridor?.min ?? 0n) && price <= (policy.corridor?.max ?? 0n)).toBe(true)
    const within = (ms: number) => signed.filter((other) => other.at <= at && other.at > at - ms)
    expect(within(MINUTE_MS).length).toBeLessThanOrEqual(policy.maxSignaturesPerMinute)
    const filledWithin = (ms: number) =>
      within(ms)
        .filter(({ order: { salt } }) => filled.has(salt))
        .reduce((sum, other) => sum + value(other), 0n)
    expect(filledWithin(HOUR_MS)).toBeLessThanOrEqual(policy.maxAtRiskUsdPerHour)
    expect(filledWithin(DAY_MS)).toBeLessThanOrEqual(policy.maxAtRiskUsdPerDay)
    const live = signed.filter(
      (other) => other.at <= at && Number(other.order.expiry) * 1_000 > at && !filled.has(other.order.salt),
    )
    expect(live.reduce((sum, other) => sum + value(other), 0n)).toBeLessThanOrEqual(policy.maxOutstandingUsd)
  }
}
