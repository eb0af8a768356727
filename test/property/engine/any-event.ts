import fc from 'fast-check'
import type { Event } from '../../../src/core/engine/model/event.ts'
import type { VenueFailureKind } from '../../../src/core/engine/model/venue-answer.ts'
import type { Fill } from '../../../src/core/ledger/fills/fill.ts'
import { ASSETS } from '../../../src/base/money/asset.ts'
import { coreConfig } from '../../support/core-config.ts'
import { failureOf } from '../../support/failure-of.ts'

const KINDS: readonly VenueFailureKind[] = [
  'auth',
  'rate-limit',
  'refused',
  'server',
  'timeout',
  'network',
  'malformed',
]
const config = coreConfig()
const RATE = 10n ** 18n

const asset = fc.constantFrom(...ASSETS)
const side = fc.constantFrom('bid', 'ask')
const mid = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt({ min: 2_480n * RATE, max: 2_520n * RATE }) },
  fc.bigInt({ min: RATE, max: 1_000_000n * RATE }),
  fc.constant(null),
)
const bps = fc.integer({ min: 0, max: 10_000 })
const units = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 27n }), fc.constantFrom(0n, 1n, 10n ** 60n))
const ms = fc.integer({ min: 0, max: 4_000_000 })

const fill: fc.Arbitrary<Fill> = fc.record({
  id: fc.oneof(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.string({ maxLength: 6 })),
  side,
  inAsset: asset,
  amountIn: units,
  outAsset: asset,
  amountOut: units,
  fee: fc.option(units),
  earnedText: fc.constant(null),
  txHash: fc.constant(null),
  createdAt: fc.option(ms),
  raw: fc.constant('{}'),
})

const spread = fc.record({
  bidBps: bps,
  askBps: bps,
  quoteBid: fc.boolean(),
  quoteAsk: fc.boolean(),
  quotePairs: fc.option(fc.uniqueArray(fc.constantFrom('USDC', 'USDT', 'TGBP'), { maxLength: 3 })),
})

const command = fc.oneof(
  ...(['pause', 'resume', 'halt', 'activate', 'deactivate', 'shutdown'] as const).map((name) =>
    fc.constant({ name }),
  ),
  fc.record({
    name: fc.constant('resume' as const),
    book: fc.constantFrom('adjustment', 'deposit', 'withdrawal'),
  }),
  fc.record({
    name: fc.constant('withdraw' as const),
    asset,
    amount: units,
    toAddress: fc.constantFrom('0x1', '0x2'),
  }),
)

const proposalId = fc.constantFrom('a', 'b', 'c', '__proto__')
const order = fc.oneof(
  fc.record({
    name: fc.constant('add' as const),
    id: proposalId,
    action: fc.oneof(
      fc.record({
        kind: fc.constant('configuration' as const),
        changes: fc.constant({ 'quote.safeBps': 1 }),
      }),
      fc.record({
        kind: fc.constant('withdrawal' as const),
        asset,
        amount: units,
        toAddress: fc.constantFrom('0x1', '0x2'),
      }),
    ),
    differences: fc.constant([]),
    claim: fc.string({ maxLength: 9 }),
  }),
  fc.record({ name: fc.constantFrom('accept' as const, 'reject' as const), id: proposalId }),
  fc.record({
    name: fc.constant('close' as const),
    id: proposalId,
    isDone: fc.boolean(),
    outcome: fc.string({ maxLength: 9 }),
  }),
)

const reconfigured = fc.record({
  mode: fc.constantFrom('live' as const, 'live' as const, 'dry-run' as const),
  activation: fc.constantFrom('auto' as const, 'manual' as const),
  withdraw: fc.constant({ enabled: true, destinations: ['0x1'], maxPerDay: { USDC: 10n ** 12n } }),
  risk: fc.record({
    maxLossTzs: fc.option(fc.constant(10n ** 40n)),
    maxDrawdownTzs: fc.option(fc.constant(10n ** 40n)),
    maxFillsPerMinute: fc.option(fc.constant(3)),
    maxVolumePerDayUsd: fc.option(fc.constant(10n ** 21n)),
    onHalt: fc.constantFrom('deactivate' as const, 'safe' as const),
  }),
  quote: fc.record({
    whenBothOff: fc.constantFrom('deactivate' as const, 'safe' as const),
    onExit: fc.constantFrom('keep' as const, 'widen' as const, 'deactivate' as const),
  }),
})

/** What comes without its time, its request and, at a start or reload, the plain part of its configuration. */
const kinds = {
  tick: fc.constant({}),
  account: fc.record({ isActive: fc.boolean(), walletAddress: fc.constant(null) }),
  rate: fc.record({
    mid,
    problem: fc.option(fc.constant('no rate')),
    rateUpdatedAt: fc.option(ms),
    quotable: fc.option(fc.boolean()),
    venueTime: fc.option(ms),
  }),
  bestQuote: fc.record({
    side,
    probe: units,
    mid,
    bestBps: fc.option(bps),
    protocolFeeBps: fc.option(bps),
    lowLiquidity: fc.boolean(),
  }),
  balances: fc.record({
    sentAt: ms,
    amounts: fc.record({ NTZS: units, USDC: units, USDT: units, 'USDT.bnb': units }, { requiredKeys: [] }),
    source: fc.option(fc.constantFrom('pool', 'wallet')),
  }),
  fills: fc.record({
    sentAt: ms,
    fills: fc.array(fill, { maxLength: 4 }),
    quarantined: fc.constant([]),
    repeated: fc.nat({ max: 3 }),
    windowFull: fc.boolean(),
  }),
  quoteRead: fc.record({
    side,
    spreadBps: bps,
    mid,
    protocolFeeBps: fc.option(fc.oneof(bps, fc.constant(0.5))),
    formula: fc.option(fc.constantFrom('divide', 'multiply')),
  }),
  quoteSet: fc.record({ spread }),
  activation: fc.record({
    isActive: fc.boolean(),
    partial: fc.boolean(),
    returned: fc.uniqueArray(asset, { maxLength: 4 }),
  }),
  withdrawn: fc.record({ asset, amount: units, txHash: fc.option(fc.constant('0x')) }),
  requestFailed: fc
    .tuple(fc.constantFrom(...KINDS), fc.constantFrom('failed' as const, 'unknown' as const))
    .map(([kind, outcome]) => ({ failure: failureOf(kind, { outcome }) })),
  operator: fc.record({ who: fc.constant('amina'), why: fc.string({ maxLength: 5 }), command }),
  proposal: fc.record({ who: fc.constant('reader'), why: fc.string({ maxLength: 5 }), order }),
  started: reconfigured,
  reloaded: reconfigured,
}

/**
 * Any journal: after a start, events of every valid type with whatever the venue, people and clocks may
 * put into them, belonging to requests that were made or not.
 */
export const anyJournal: fc.Arbitrary<Event[]> = fc
  .array(
    fc.record({
      wait: fc.oneof(fc.nat({ max: 3_000 }), fc.nat({ max: 100_000 })),
      request: fc.nat({ max: 60 }),
      what: fc.oneof(
        ...Object.entries(kinds).map(([type, body]) =>
          (body as fc.Arbitrary<object>).map((rest) => ({ type, rest })),
        ),
      ),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((steps) => {
    let t = 1_000_000
    const started: Event = { type: 'started', t, version: 'test', config }
    const rest = steps.map(({ wait, request, what }): Event => {
      t += wait
      return eventOf(what.type, t, request, what.rest)
    })
    return [started, ...rest]
  })

function eventOf(type: string, t: number, request: number, rest: object): Event {
  if (type !== 'started' && type !== 'reloaded') return { type, t, request, ...rest } as Event
  const { mode, activation, withdraw, risk, quote } = rest as typeof config
  const whole = {
    ...config,
    mode,
    activation,
    withdraw,
    risk: { ...config.risk, ...risk },
    quote: { ...config.quote, ...quote },
  }
  return { type, t, version: 'test', config: whole }
}
