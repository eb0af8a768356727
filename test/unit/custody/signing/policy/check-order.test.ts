import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../../../src/base/time.ts'
import { RATE_ONE } from '../../../../../src/base/money/rate.ts'
import type { RfqOrder } from '../../../../../src/core/rfq/rfq-order.ts'
import { checkOrder } from '../../../../../src/custody/signing/policy/check-order.ts'
import {
  emptyPolicyState,
  type PolicyState,
  type SignedRecord,
} from '../../../../../src/custody/signing/policy/policy-state.ts'
import type { SigningPolicy } from '../../../../../src/custody/signing/policy/signing-policy.ts'
import {
  BASE,
  DOLLAR,
  MAKER,
  NOW,
  SHILLING,
  signableOrder,
  signingPolicy,
  SOLVER,
  usd,
} from '../../../../support/signing-fixture.ts'

const SECOND = BigInt(NOW / 1_000)
const OTHER = `0x${'77'.repeat(20)}` as const

type Change = {
  readonly order?: Partial<RfqOrder>
  readonly state?: Partial<PolicyState>
  readonly policy?: Partial<SigningPolicy>
  readonly domain?: Partial<typeof BASE>
  readonly now?: number
}

function judged({ order, state, policy, domain, now = NOW }: Change) {
  const head = { number: 9n, t: NOW - 1_000, readAt: NOW - 500 }
  return checkOrder({
    order: signableOrder(order),
    domain: { ...BASE, ...domain },
    wallet: MAKER,
    state: { ...emptyPolicyState(), solver: SOLVER, head, ...state },
    policy: signingPolicy(policy),
    now,
  })
}

/** Records of orders as the signer keeps them, one for each change. */
function signed(
  ...records: (Partial<SignedRecord> & { readonly order?: RfqOrder })[]
): PolicyState['signed'] {
  const nothing = { signedAt: NOW - 2 * MINUTE_MS, filledUsd: 0n, endedAtBlock: null, endedAt: null }
  return new Map(
    records.map((record, index) => {
      const order = signableOrder({ salt: BigInt(index), expiry: SECOND + 500n })
      return [`${index}`, { order, usd: usd(1), ...nothing, ...record }]
    }),
  )
}

/** The state after one order of so many dollars was filled whole and ended `agoMs` ago. */
const filled = (dollars: number, agoMs: number) => ({
  signed: signed({
    usd: usd(dollars),
    filledUsd: usd(dollars),
    endedAtBlock: 1n,
    endedAt: NOW - agoMs,
  }),
})

/** Of shillings against one dollar, 6 decimals. */
const at = (tzsPerUsd: number, dollars = 1): Partial<RfqOrder> => ({
  makerAmount: BigInt(tzsPerUsd * dollars) * 10n ** 18n,
  takerAmount: BigInt(dollars) * 1_000_000n,
})

/** One dollar against so many base units of the shilling. */
const dollarsFor = (takerAmount: bigint): Partial<RfqOrder> => ({
  makerToken: DOLLAR,
  takerToken: SHILLING,
  makerAmount: 1_000_000n,
  takerAmount,
})

describe('the signer permits an order within all of its terms:', () => {
  test.each<[string, Change]>([
    ['shillings for dollars', {}],
    ['dollars for shillings', { order: dollarsFor(2_500n * 10n ** 18n) }],
    [
      'an order for the solver of the configuration while none is confirmed',
      { state: { solver: null }, policy: { solver: SOLVER } },
    ],
    ['an expiry one second ahead', { order: { expiry: SECOND + 1n } }],
    ['an expiry 15 minutes ahead', { order: { expiry: SECOND + 900n } }],
    [
      'an expiry of exactly rfq.maxLifeMs ahead',
      { order: { expiry: SECOND + 120n }, policy: { maxLifeMs: 120_000 } },
    ],
    ['the biggest salt', { order: { salt: (1n << 256n) - 1n } }],
    ['addresses with their checksums', { order: { maker: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' } }],
    ['a price at the lower bound of the corridor', { order: at(1_000) }],
    ['a price at the upper bound of the corridor', { order: at(5_000) }],
    ['an order of exactly rfq.maxOrderUsd', { order: at(2_500, 1_000) }],
    [
      'an order that fills rfq.maxOutstandingUsd to the unit',
      { state: { signed: signed({ usd: usd(4_999) }) } },
    ],
    [
      'an order beside one whose fill has left the hour',
      { policy: { maxAtRiskUsdPerHour: usd(1) }, state: filled(1, 60 * MINUTE_MS) },
    ],
    [
      'the last signature of a minute',
      { policy: { maxSignaturesPerMinute: 1 }, state: { signed: signed({ signedAt: NOW - MINUTE_MS }) } },
    ],
    ['a salt one above the last', { state: { lastSalt: 0n } }],
    ["an order a millisecond before the operator's stop", { state: { stopAt: NOW + 1 } }],
  ])('%s', (_what, change) => {
    expect(judged(change)).toBeNull()
  })
})

describe('the signer refuses, and there is certainly no signature:', () => {
  const refused: readonly [string, string, Change][] = [
    ['another chain', 'SIGN_WRONG_DOMAIN', { domain: { chainId: 56 } }],
    ['another exchange', 'SIGN_WRONG_DOMAIN', { domain: { exchange: OTHER } }],
    ['another maker', 'SIGN_WRONG_MAKER', { order: { maker: OTHER } }],
    ['another taker', 'SIGN_WRONG_SOLVER', { order: { taker: OTHER } }],
    ['another origin', 'SIGN_WRONG_SOLVER', { order: { txOrigin: OTHER } }],
    [
      'taker and origin that agree on someone else',
      'SIGN_WRONG_SOLVER',
      { order: { taker: OTHER, txOrigin: OTHER } },
    ],
    ['everybody as taker', 'SIGN_WRONG_SOLVER', { order: { taker: `0x${'0'.repeat(40)}` } }],
    [
      'the solver of the configuration where another one was confirmed',
      'SIGN_WRONG_SOLVER',
      { order: { taker: OTHER, txOrigin: OTHER }, policy: { solver: OTHER } },
    ],
    ['any order while no solver is pinned', 'SIGN_NO_SOLVER', { state: { solver: null } }],
    ['a token that no one configured', 'SIGN_WRONG_TOKEN', { order: { makerToken: OTHER } }],
    ['the shilling against itself', 'SIGN_WRONG_TOKEN', { order: { takerToken: SHILLING } }],
    ['a dollar against a dollar', 'SIGN_WRONG_TOKEN', { order: { makerToken: DOLLAR } }],
    [
      'any order where no shilling is configured',
      'SIGN_WRONG_TOKEN',
      { policy: { tokens: { USDC: DOLLAR } } },
    ],
    ['a gift to the maker', 'SIGN_BAD_AMOUNT', { order: { makerAmount: 0n } }],
    ['a gift to the taker', 'SIGN_BAD_AMOUNT', { order: { takerAmount: 0n } }],
    ['a negative amount', 'SIGN_BAD_AMOUNT', { order: { takerAmount: -1n } }],
    ['an amount of 129 bits', 'SIGN_BAD_AMOUNT', { order: { makerAmount: 1n << 128n } }],
    ['a salt of 257 bits', 'SIGN_MALFORMED', { order: { salt: 1n << 256n } }],
    ['a negative salt', 'SIGN_MALFORMED', { order: { salt: -1n } }],
    ['a pool of 31 bytes', 'SIGN_MALFORMED', { order: { pool: `0x${'0'.repeat(62)}` } }],
    ['any price without a corridor', 'SIGN_NO_CORRIDOR', { policy: { corridor: null } }],
    ['a price of a hundredth', 'SIGN_OUTSIDE_CORRIDOR', { order: at(25) }],
    [
      'one base unit above the corridor',
      'SIGN_OUTSIDE_CORRIDOR',
      { order: { makerAmount: 5_000n * 10n ** 18n + 1n } },
    ],
    [
      'one base unit below the corridor',
      'SIGN_OUTSIDE_CORRIDOR',
      { order: { makerAmount: 1_000n * 10n ** 18n - 1n } },
    ],
    ['all dollars for one base unit of a shilling', 'SIGN_OUTSIDE_CORRIDOR', { order: dollarsFor(1n) }],
    [
      'a corridor whose ends are swapped',
      'SIGN_OUTSIDE_CORRIDOR',
      { policy: { corridor: { min: 5_000n * RATE_ONE, max: 1_000n * RATE_ONE } } },
    ],
    [
      'an order one base unit above rfq.maxOrderUsd',
      'SIGN_ORDER_TOO_LARGE',
      { order: { makerAmount: 2_500_001n * 10n ** 18n, takerAmount: 1_000_000_001n } },
    ],
    [
      'more live signatures than rfq.maxOutstandingUsd',
      'SIGN_OUTSTANDING_LIMIT',
      { state: { signed: signed({ usd: usd(4_999) + 1n }) } },
    ],
    [
      'more within an hour, though all of it was filled and nothing is live',
      'SIGN_HOURLY_LIMIT',
      { policy: { maxAtRiskUsdPerHour: usd(100) }, state: filled(100, 60 * MINUTE_MS - 1) },
    ],
    [
      'more within a day, an hour after the last fill',
      'SIGN_DAILY_LIMIT',
      { policy: { maxAtRiskUsdPerDay: usd(100) }, state: filled(100, 90 * MINUTE_MS) },
    ],
    [
      'a fill that ended in the future of a clock that was set back',
      'SIGN_HOURLY_LIMIT',
      { policy: { maxAtRiskUsdPerHour: usd(100) }, state: filled(100, -60 * MINUTE_MS) },
    ],
    [
      'one signature more than a minute may have',
      'SIGN_TOO_MANY',
      { policy: { maxSignaturesPerMinute: 1 }, state: { signed: signed({ signedAt: NOW - MINUTE_MS + 1 }) } },
    ],
    ['an expiry now', 'SIGN_EXPIRED', { order: { expiry: SECOND } }],
    ['an expiry of zero', 'SIGN_EXPIRED', { order: { expiry: 0n } }],
    [
      'an expiry 15 minutes and a second ahead',
      'SIGN_EXPIRES_TOO_LATE',
      { order: { expiry: SECOND + 901n } },
    ],
    [
      'an expiry a second beyond rfq.maxLifeMs',
      'SIGN_EXPIRES_TOO_LATE',
      { order: { expiry: SECOND + 121n }, policy: { maxLifeMs: 120_000 } },
    ],
    [
      'an expiry 15 minutes and a second ahead, whatever rfq.maxLifeMs is',
      'SIGN_EXPIRES_TOO_LATE',
      { order: { expiry: SECOND + 901n }, policy: { maxLifeMs: 86_400_000 } },
    ],
    [
      'any order under a longest life that is no number',
      'SIGN_EXPIRES_TOO_LATE',
      { policy: { maxLifeMs: Number.NaN } },
    ],
    ['an expiry in milliseconds', 'SIGN_EXPIRES_TOO_LATE', { order: { expiry: BigInt(NOW) + 60_000n } }],
    ['any order by a clock that is none', 'SIGN_EXPIRED', { now: Number.NaN }],
    ['the salt that was used last', 'SIGN_SALT_REUSED', { state: { lastSalt: 1n } }],
    ['a salt below the last', 'SIGN_SALT_REUSED', { state: { lastSalt: 2n } }],
    [
      'the same terms under a new salt while they are live',
      'SIGN_DUPLICATE',
      { order: { salt: 9n }, state: { signed: signed({ order: signableOrder() }) } },
    ],
    ["everything from the moment of the operator's stop", 'SIGN_STOPPED', { state: { stopAt: NOW } }],
    ["everything long after the operator's stop", 'SIGN_STOPPED', { state: { stopAt: 0 } }],
    [
      'everything before the signer has read the chain by itself',
      'SIGN_CHAIN_UNSEEN',
      { state: { head: null } },
    ],
    [
      'everything on a chain that stands still',
      'SIGN_CHAIN_UNSEEN',
      { state: { head: { number: 9n, t: NOW - 30_001, readAt: NOW } } },
    ],
    [
      'everything on a reading that is old',
      'SIGN_CHAIN_UNSEEN',
      { state: { head: { number: 9n, t: NOW - 30_001, readAt: NOW - 30_001 } } },
    ],
    [
      'everything where the chain is ahead of our clock',
      'SIGN_CLOCK',
      { state: { head: { number: 9n, t: NOW + 5_001, readAt: NOW } } },
    ],
    [
      'everything where our clock was set back',
      'SIGN_CLOCK',
      { state: { head: { number: 9n, t: NOW + 3_600_000, readAt: NOW + 3_600_000 } } },
    ],
  ]

  test.each(refused)('%s', (_what, code, change) => {
    const refusal = judged(change)
    expect(refusal).toMatchObject({ code, isVoid: true })
    expect(refusal?.message).toMatch(/^not signed: [^\n]+$/)
  })
})

test('a rule that comes first names the code where several refuse', () => {
  const everything: Change = {
    order: { maker: OTHER, takerAmount: 0n, expiry: 0n },
    state: { stopAt: 0, head: null },
  }
  expect(judged(everything)?.code).toBe('SIGN_WRONG_MAKER')
})
