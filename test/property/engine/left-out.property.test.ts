import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { encodeJson } from '../../../src/base/codec.ts'
import { createEngine } from '../../../src/engine/engine.ts'
import type { CoreConfig } from '../../../src/engine/model/config.ts'
import type { Event, RateEvent } from '../../../src/engine/model/event.ts'
import type { Polling } from '../../../src/engine/transition.ts'
import type { Fill } from '../../../src/ledger/fills/fill.ts'
import { RATE_ONE } from '../../../src/money/rate.ts'
import type { Side } from '../../../src/money/side.ts'
import type { LoadedStrategy } from '../../../src/strategy/define-strategy.ts'
import { overheard, statefulStrategy, WATCHERS } from '../../support/backtest-strategies.ts'
import { partsOf, sourceOf } from '../../support/backtest-tape.ts'
import { coreConfig } from '../../support/core-config.ts'
import { runPolled, SLOW_POLLS } from '../../support/polled-core.ts'
import { failureOf } from '../../support/failure-of.ts'
import { pureStrategy } from '../../support/test-strategy.ts'
import { happenings, tapeOf } from '../backtest/any-tape.ts'
import { anyJournal } from './any-event.ts'

const both = (bps: number, why: string) => ({ bidBps: bps, askBps: bps, because: [why] })

const STRATEGIES: Readonly<Record<string, () => LoadedStrategy>> = {
  ...WATCHERS,
  'looks at the fee': () => pureStrategy(({ protocolFeeBps }) => both(40 + protocolFeeBps, 'fee')),
  'looks at its dollars': () =>
    pureStrategy(({ inventory }) => both(Math.round(40 + inventory.usd / 1e4), 'usd')),
  'leaves the range': () => pureStrategy(({ mid }) => both((Math.round(mid) % 600) - 20, 'out of range')),
  'closes a side': () =>
    pureStrategy(({ mid }) => ({ bidBps: null, askBps: mid > 2_500 ? null : 50, because: [] })),
  'throws at times': () =>
    pureStrategy(({ inventory: { usdShare } }) => {
      if (usdShare > 0.9) throw new Error('too many dollars')
      return both(55, 'fine')
    }),
}

/** They read what changes with time, or change their memory at every question. */
const ALWAYS_ASKED = [
  'schedule',
  'looks at the age of the competition',
  'looks at the clock',
  'looks at the age of the mid',
  'looks at the cause',
  'counts how often it was asked',
  'keeps a list',
]

/** What a core makes of a journal, in text; the strategy's questions are counted. */
function run(
  journal: readonly Event[],
  strategyOf: () => LoadedStrategy,
  polling: Polling,
  isShadow: boolean,
) {
  let asked = 0
  const strategy = overheard(strategyOf(), () => (asked += 1))
  const engine = createEngine({ strategyFor: () => strategy, calendar: () => false, polling, isShadow })
  const audits = journal.map((event, index) => encodeJson(engine.process(index + 1, event)))
  return { audits, asked, state: encodeJson(engine.state()) }
}

/** Both cores, compared event by event. Returns how many questions were left out. */
function leftOut(journal: readonly Event[], strategyOf: () => LoadedStrategy, polling: Polling): number {
  const shadow = run(journal, strategyOf, polling, true)
  const core = run(journal, strategyOf, polling, false)
  expect(core.audits).toEqual(shadow.audits)
  expect(core.state).toBe(shadow.state)
  return shadow.asked - core.asked
}

const START = 1_800_000_000_000
const MID = 2_500n * RATE_ONE
const NTZS = 10n ** 18n

/** Limits that a walk of a few bps, some fills and some minutes reach. */
const NEAR = {
  priceCorridor: { min: 2_490n * RATE_ONE, max: 2_510n * RATE_ONE },
  maxMidStepBps: 20,
  maxMidMoveBpsPerHour: 40,
  maxMidAgeMs: 90_000,
  maxLossTzs: 2n * 10n ** 41n,
  maxDrawdownTzs: 3n * 10n ** 41n,
  maxFillsPerMinute: 2,
  maxVolumePerDayUsd: 10n ** 21n,
}

/** What a venue answers while little happens: most of it dates a mid that is known, moves it, or shows another best. */
const answer = fc.record({
  afterMs: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 90_000_000 }) },
    { weight: 1, arbitrary: fc.constant(86_400_000 - 60_000) },
  ),
  kind: fc.oneof(
    { weight: 10, arbitrary: fc.constant('dated' as const) },
    { weight: 5, arbitrary: fc.constant('best' as const) },
    { weight: 4, arbitrary: fc.constantFrom('moved' as const, 'shown' as const) },
    { weight: 1, arbitrary: fc.constant('fill' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('none', 'closed', 'tick', 'failed', 'pause', 'resume'),
    },
  ),
  bps: fc.integer({ min: -14, max: 14 }),
  olderMs: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 200_000 })),
})

type Answer = typeof answer extends fc.Arbitrary<infer Value> ? Value : never

/** A position that quotes, and then these answers. */
function quietJournal(answers: readonly Answer[], core: CoreConfig) {
  let t = START
  let mid = MID
  let fills = 0
  const rate = (more: Partial<RateEvent> = {}): RateEvent => {
    const dated = { rateUpdatedAt: t, quotable: true, venueTime: t }
    return { type: 'rate', t, request: 0, mid, problem: null, ...dated, ...more }
  }
  const best = (side: Side, bestBps: number): Event => {
    const probe = { probe: 100n, protocolFeeBps: 10, lowLiquidity: false }
    return { type: 'bestQuote', t, request: 0, side, mid, bestBps, ...probe }
  }
  const filled = (list: readonly Fill[]): Event => {
    return {
      type: 'fills',
      t,
      request: 0,
      sentAt: t,
      fills: list,
      quarantined: [],
      repeated: 1,
      windowFull: false,
    }
  }
  const spread = { bidBps: 60, askBps: 60, quoteBid: true, quoteAsk: true, quotePairs: null }
  const journal: Event[] = [
    { type: 'started', t, version: 'test', config: core },
    { type: 'account', t, request: 0, isActive: true, walletAddress: null },
    rate(),
    best('bid', 55),
    best('ask', 55),
    filled([]),
    {
      type: 'balances',
      t,
      request: 0,
      sentAt: t,
      amounts: { NTZS: 10n ** 8n * NTZS, USDC: 50_000n * 10n ** 18n },
      source: 'pool',
    },
    filled([]),
    { type: 'quoteSet', t, request: 0, spread },
  ]
  for (const { afterMs, kind, bps, olderMs } of answers) {
    t += afterMs
    const operator = { type: 'operator', t, who: 'test', why: 'test' } as const
    if (kind === 'moved' || kind === 'shown') mid = (mid * BigInt(10_000 + bps)) / 10_000n
    // The public endpoint shows a new mid before GET /rate dates it.
    if (kind === 'shown') journal.push(best(bps < 0 ? 'bid' : 'ask', 55))
    else if (kind === 'best') journal.push(best(bps < 0 ? 'bid' : 'ask', 50 + (bps % 3)))
    else if (kind === 'tick') journal.push({ type: 'tick', t })
    else if (kind === 'failed')
      journal.push({ type: 'requestFailed', t, request: 0, failure: failureOf('server') })
    else if (kind === 'pause' || kind === 'resume') journal.push({ ...operator, command: { name: kind } })
    else if (kind === 'none') journal.push(rate({ mid: null, problem: 'no rate' }))
    else if (kind === 'closed') journal.push(rate({ quotable: bps > 0 ? null : false }))
    else if (kind === 'fill') {
      fills += 1
      const traded = {
        inAsset: 'USDC',
        amountIn: 400n * 10n ** 18n,
        outAsset: 'NTZS',
        amountOut: 994_000n * NTZS,
      } as const
      const none = { fee: 0n, earnedText: null, txHash: null, createdAt: t, raw: '' }
      journal.push(filled([{ id: `f${fills}`, side: 'ask', ...traded, ...none }]))
    } else journal.push(rate({ rateUpdatedAt: t - olderMs }))
  }
  return journal
}

describe('a decision that is left out would have brought the same', () => {
  it('in any journal, whatever the strategy reads', () => {
    fc.assert(
      fc.property(
        anyJournal,
        fc.constantFrom(...Object.keys(STRATEGIES)),
        fc.constantFrom<Polling>('engine', 'simulated'),
        (journal, name, polling) => {
          leftOut(journal, STRATEGIES[name]!, polling)
        },
      ),
      { numRuns: 40 },
    )
  })

  const { quote, risk } = coreConfig()
  const core = {
    ...SLOW_POLLS,
    risk: { ...risk, maxMidAgeMs: 5_400_000, maxFillsPerMinute: 1 },
    quote: { ...quote, ditherBps: 4, ditherPeriodMs: 600_000 },
  }
  test.each(Object.keys(STRATEGIES))('on any tape, live: %s', async (name) => {
    const strategyOf = STRATEGIES[name]!
    let left = 0
    await fc.assert(
      fc.asyncProperty(happenings(300_000, 12), fc.boolean(), async (list, isLimited) => {
        const parts = partsOf(sourceOf(tapeOf(list, 600_000)), {
          core: isLimited ? core : SLOW_POLLS,
          strategy: strategyOf(),
        })
        const { journal } = await runPolled(parts)
        left += leftOut(journal, strategyOf, 'engine')
        left += leftOut(journal, strategyOf, 'simulated')
      }),
      { numRuns: 3, seed: 20_261_122 },
    )
    if (ALWAYS_ASKED.includes(name)) expect(left).toBeLessThan(100)
    else expect(left).toBeGreaterThan(100)
  })

  test.each([
    'reads nothing',
    'reads the mid',
    'reads its dollars',
    'reads the best',
    'keeps no plain number',
  ] as const)(
    'where answers only date or move the mid or show another best, with every limit near: %s',
    (name) => {
      const strategyOf = {
        'reads nothing': () => pureStrategy(() => both(60, 'steady')),
        'reads the mid': () => pureStrategy(({ mid }) => both(50 + (Math.round(mid) % 20), 'mid')),
        'reads its dollars': () =>
          pureStrategy(({ inventory }) => both(Math.round(inventory.usd / 1e3), 'usd')),
        'keeps no plain number': () =>
          statefulStrategy(
            () => ({ highest: 0 }),
            (_context, state) => {
              state.highest = Infinity
              return both(60, 'steady')
            },
          ),
        'reads the best': () =>
          pureStrategy(({ competition }) => both(competition.bid?.bestBps ?? 70, 'best')),
      }[name]
      let left = 0
      fc.assert(
        fc.property(
          fc.array(answer, { minLength: 20, maxLength: 120 }),
          fc.constantFrom<Polling>('engine', 'simulated'),
          fc.record({ isNear: fc.boolean(), ditherBps: fc.constantFrom(0, 4) }),
          (answers, polling, { isNear, ditherBps }) => {
            const plain = coreConfig()
            const core = coreConfig({
              risk: { ...plain.risk, ...(isNear ? NEAR : {}) },
              quote: { ...plain.quote, ditherBps, ditherPeriodMs: 60_000 },
            })
            left += leftOut(quietJournal(answers, core), strategyOf, polling)
          },
        ),
        // A strategy whose memory cannot be kept is suspended at its second question or soon after, so few cases skip one: the
        // seed makes sure of some.
        name === 'keeps no plain number' ? { numRuns: 75, seed: 20_261_122 } : { numRuns: 25 },
      )
      expect(left).toBeGreaterThan(name === 'keeps no plain number' ? 0 : 100)
    },
  )
})
