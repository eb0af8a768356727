import { describe, expect, it } from 'vitest'
import type { RiskInput } from '../../../../src/core/risk/risk-input.ts'
import type { RiskSettings } from '../../../../src/core/risk/risk-settings.ts'
import { breachesOf, type RiskCase } from './support.ts'

const TZS36 = 10n ** 36n
const USD18 = 10n ** 18n
const NTZS = 10n ** 18n

const found = (given: RiskCase) => breachesOf(given).map(({ rule, effect }) => `${rule} ${effect}`)

/** Each case breaches exactly these rules, the most serious first. */
type Cases = readonly (readonly [given: RiskCase, ...breaches: string[]])[]
const table = (cases: Readonly<Record<string, Cases>>) =>
  it.each(Object.entries(cases))('%s', (_, rows) => {
    for (const [given, ...breaches] of rows) expect(found(given)).toEqual(breaches)
  })

const stepped = (bps: number): RiskCase['mid'] => ({
  pending: { rule: 'mid-step', bps, mid: 2_600n * 10n ** 18n, why: 'stepped' },
  problem: 'stepped',
})
const LOSSES = { maxLossTzs: 100n * TZS36, maxDrawdownTzs: 50n * TZS36 }

describe('no breach', () => {
  const everyLimit = { maxMidStepBps: 150, maxMidAgeMs: 60_000, maxVolumePerDayUsd: USD18, ...LOSSES }
  const flow = {
    fillsLastMinute: 99,
    volumeLastDayUsd: { bid: USD18, ask: USD18 },
    pnlTzs: -TZS36,
    drawdownTzs: TZS36,
  }
  table({
    'no rule is breached in a good state with every limit on': [
      [
        {
          input: { position: { NTZS, USDC: 1n, USDT: 0n, 'USDT.bnb': 0n }, fillsLastMinute: 1 },
          settings: { ...everyLimit, maxFillsPerMinute: 1 },
          limits: { NTZS: { min: 0n, max: 10n * NTZS }, USDC: { min: null, max: 10n } },
        },
      ],
    ],
    'no rule is breached with every limit off, whatever was traded, lost or held': [
      [{ input: flow, limits: { USDC: { min: null, max: null } } }],
      [{ input: flow, settings: { maxLossTzs: TZS36 } }],
      [{ input: flow, settings: { maxDrawdownTzs: TZS36 } }],
    ],
  })
})

describe('the rules about the mid', () => {
  const settings = { maxMidAgeMs: 1_000 }
  table({
    'without a mid the rules require the safe quote': [[{ mid: { present: false } }, 'mid-missing safe']],
    'a mid older than the limit requires the safe quote, and one at the limit does not': [
      [{ mid: { ageMs: 1_001 }, settings }, 'mid-age safe'],
      [{ mid: { ageMs: 1_000 }, settings }],
    ],
    'a mid of unknown age is not old while the venue never dated one': [[{ mid: { ageMs: null }, settings }]],
    'an undated mid after dated ones requires the safe quote': [
      [
        { mid: { problem: 'no rateUpdatedAt', refusal: { rule: 'mid-undated', mid: null } } },
        'mid-undated safe',
      ],
    ],
    'a mid that is zero, negative or no number requires the safe quote': [
      [{ mid: { problem: 'midRateTZS is 0' } }, 'mid-invalid safe'],
    ],
    'a mid with quotable false requires the safe quote, and one without the field does not': [
      [{ mid: { quotable: false } }, 'not-quotable safe'],
      [{ mid: { quotable: null } }],
    ],
    'a mid that stepped up closes the ask, which would lose shillings, and one that stepped down the bid': [
      [{ mid: stepped(400) }, 'mid-step safe', 'mid-step ask-off'],
      [{ mid: stepped(-400) }, 'mid-step safe', 'mid-step bid-off'],
    ],
  })
})

describe('the rules about money', () => {
  const unknown = { pnlTzs: null, drawdownTzs: null }
  table({
    'a loss over the limit halts; a loss at the limit does not': [
      [{ input: { pnlTzs: -101n * TZS36 }, settings: LOSSES }, 'loss halt'],
      [{ input: { pnlTzs: -100n * TZS36 }, settings: LOSSES }],
      [{ input: { pnlTzs: 500n * TZS36 }, settings: LOSSES }],
    ],
    'a drawdown over the limit halts although the position is still in profit': [
      [{ input: { pnlTzs: 500n * TZS36, drawdownTzs: 51n * TZS36 }, settings: LOSSES }, 'drawdown halt'],
      [{ input: { drawdownTzs: 50n * TZS36 }, settings: LOSSES }],
    ],
    'a position that cannot be valued halts if a loss limit is set': [
      [{ input: unknown, settings: { maxLossTzs: TZS36 } }, 'cannot-value halt'],
      [{ input: unknown, settings: { maxDrawdownTzs: TZS36 } }, 'cannot-value halt'],
      [{ input: { pnlTzs: null }, settings: LOSSES }, 'cannot-value halt'],
      [{ input: { drawdownTzs: null }, settings: LOSSES }, 'cannot-value halt'],
    ],
    'a position that cannot be valued does not halt without a loss limit, and no position never does': [
      [{ input: unknown }],
      [{ input: { ...unknown, hasPosition: false }, settings: LOSSES }],
    ],
  })
})

describe('the rules about inventory', () => {
  const held = (asset: 'NTZS' | 'USDC' | 'USDT', units: bigint, min: bigint | null, max: bigint | null) => ({
    input: { position: { NTZS: 50n, USDC: 50n, USDT: 50n, 'USDT.bnb': 50n, [asset]: units } },
    limits: { [asset]: { min, max } },
  })
  table({
    'too few shillings close the ask, which would sell more of them': [
      [held('NTZS', 9n, 10n, null), 'inventory-limit ask-off'],
    ],
    'too many shillings close the bid, which would buy more of them': [
      [held('NTZS', 91n, null, 90n), 'inventory-limit bid-off'],
    ],
    'too few dollars close the bid, which would sell more of them': [
      [held('USDC', 9n, 10n, null), 'inventory-limit bid-off'],
    ],
    'too many dollars close the ask, which would buy more of them': [
      [held('USDT', 91n, null, 90n), 'inventory-limit ask-off'],
    ],
    'an inventory limit binds when it is reached, not only when it is passed': [
      [held('USDC', 10n, 10n, null), 'inventory-limit bid-off'],
      [held('USDC', 11n, 10n, 12n)],
      [held('USDC', 12n, 10n, 12n), 'inventory-limit ask-off'],
    ],
  })
})

describe('the rules about fills and errors', () => {
  const fills = { maxFillsPerMinute: 10 }
  const volume = { maxVolumePerDayUsd: 1_000n * USD18 }
  const over = 1_001n * USD18
  const reviewAfter = { fills: 3, sameSideFills: 2, usd: 1n }
  table({
    'too many fills in a minute leave only the side that reduces the inventory imbalance': [
      [{ input: { fillsLastMinute: 11 }, settings: fills }, 'fills-per-minute reduce'],
      [{ input: { fillsLastMinute: 10 }, settings: fills }],
    ],
    'a side that traded more than the volume of a day is closed, and the other one is not': [
      [{ input: { volumeLastDayUsd: { bid: over, ask: 0n } }, settings: volume }, 'volume-per-day bid-off'],
      [{ input: { volumeLastDayUsd: { bid: 0n, ask: over } }, settings: volume }, 'volume-per-day ask-off'],
    ],
    'failed requests in a row require the safe quote from the threshold on': [
      [{ input: { errorCycles: 4 } }],
      [{ input: { errorCycles: 5 } }, 'error-cycles safe'],
    ],
    'a quote that the venue does not keep halts after the fifth repair': [
      [{ input: { mismatches: 5 } }],
      [{ input: { mismatches: 6 } }, 'quote-not-held halt'],
    ],
    'a review needs both limits and the fills that reach them': [
      [{ input: { reviewDue: '3 fills' } }],
      [{ settings: { reviewAfter } }],
      [{ input: { reviewDue: '3 fills' }, settings: { reviewAfter } }, 'review safe'],
    ],
  })
})

describe('the rules about reconciliation', () => {
  const lasting = (
    now: number,
    unreconciled: RiskInput['unreconciled'] = {},
    over: Partial<RiskInput> = {},
  ) => ({
    input: { breakSince: 1_000_000, breakReason: 'balances differ', unreconciled, now, ...over },
  })
  const silent = (expectedMs: number, ms = expectedMs, maxUnreadableMs = 60_000): RiskCase => ({
    input: { unreadable: { why: 'no figure', ms, expectedMs } },
    settings: { maxUnreadableMs },
  })
  const lost = (readings: number) => ({ input: { foreign: { readings, difference: { USDC: -2n * USD18 } } } })
  table({
    'a reconciliation break requires the safe quote at once and halts when the difference lasts for the grace':
      [
        [lasting(1_059_999, { NTZS: -5n }), 'fills-gap safe'],
        [lasting(1_060_000, { NTZS: -5n }), 'unexplained-balance halt'],
      ],
    'an unreconciled balance halts at once without a grace, or where too much time was spent unreconciled already':
      [
        [
          { ...lasting(1_000_000, { USDC: 1n }), settings: { unexplainedGraceMs: 0 } },
          'unexplained-balance halt',
        ],
        [lasting(1_000_000, { USDC: 1n }, { unreconciledTooLong: true }), 'unexplained-balance halt'],
      ],
    'fills that may be missing without a difference require the safe quote and never halt by themselves': [
      [lasting(9e9), 'fills-gap safe'],
      [lasting(9e9, { NTZS: 0n }), 'fills-gap safe'],
      [lasting(9e9, {}, { unreconciledTooLong: true }), 'fills-gap safe'],
    ],
    'a loss that no fill explains is safe at the first snapshot and halts at the second': [
      [lost(1), 'foreign-hand safe'],
      [lost(2), 'foreign-hand halt'],
    ],
    'a figure that cannot be read is safe 3 s before half of the limit, and halts at the limit': [
      [silent(26_999)],
      [silent(27_000, 24_600), 'unreadable safe'],
      [silent(60_000, 59_999), 'unreadable safe'],
      [silent(60_000), 'unreadable halt'],
      [silent(0, 0, 5_000), 'unreadable safe'],
      [{ input: { unreadable: { why: '', ms: 9e9, expectedMs: 9e9 } } }],
      [{ settings: { maxUnreadableMs: 60_000 } }],
    ],
  })
})

describe('the rules about the price corridor', () => {
  const RATE = 10n ** 18n
  const settings = { priceCorridor: { min: 2_000n * RATE, max: 3_000n * RATE } }
  const at = (mid: Partial<RiskInput['mid']>): RiskCase => ({ mid, settings })
  const refusedAt = (mid: bigint | null) => ({ refusal: { rule: 'price-corridor' as const, mid } })
  const high = ['price-corridor safe', 'price-corridor ask-off']
  const low = ['price-corridor safe', 'price-corridor bid-off']
  table({
    "the venue's mid that was refused closes the losing side, whether or not one is in force": [
      [at(refusedAt(3_001n * RATE)), ...high],
      [at({ ...refusedAt(3_001n * RATE), problem: 'outside' }), ...high],
      [at(refusedAt(1_999n * RATE)), ...low],
      [at({ ...refusedAt(3_001n * RATE), present: false }), high[0]!, 'mid-missing safe', high[1]!],
      [at(refusedAt(3_000n * RATE))],
      [at(refusedAt(null))],
      [at({ refusal: { rule: 'mid-invalid', mid: 3_001n * RATE } })],
    ],
    'a mid outside closes the side that it makes lose, and a fair value outside the other side': [
      [at({ inForce: 3_000n * RATE, fair: 2_000n * RATE })],
      [at({ inForce: 2_500n * RATE, fair: null })],
      [at({ inForce: 3_000n * RATE + 1n, fair: 1n }), ...high],
      [at({ inForce: 2_500n * RATE, fair: 1_999n * RATE }), ...high],
      [at({ fair: 3_001n * RATE }), ...low],
      [{ mid: { inForce: 9_999n * RATE } }],
    ],
  })
})

describe('the rule about reference feeds', () => {
  const settings: Partial<RiskSettings> = { maxReferenceDeviationBps: 100 }
  const at = (feeds: Partial<NonNullable<RiskInput['feeds']>>, over = settings): RiskCase => ({
    input: { feeds: { live: 2, deviationBps: 0, errorBps: 50, rangeBps: 60, ...feeds } },
    settings: over,
  })
  const apart = (bps: number, over = settings): RiskCase => ({
    mid: { apart: [{ stable: 'USDT', mid: 2_550n * NTZS, rate: 2_500n * NTZS, bps }] },
    settings: over,
  })
  table({
    'a mid further from the feeds than the bound closes the losing side, and one at the bound does not': [
      [at({ deviationBps: 100 })],
      [at({ deviationBps: -100 })],
      [at({ deviationBps: 100.04 }), 'reference-deviation safe', 'reference-deviation ask-off'],
      [at({ deviationBps: -101 }), 'reference-deviation safe', 'reference-deviation bid-off'],
      [at({ deviationBps: null })],
      [at({ deviationBps: 101 }, {})],
      [at({ deviationBps: 101 }, { maxReferenceDeviationBps: null })],
      [{ settings }],
    ],
    "a pair's public rate further from GET /rate than the bound needs the safe quote": [
      [apart(100)],
      [apart(-100)],
      [apart(100.04), 'reference-deviation safe'],
      [apart(-101), 'reference-deviation safe'],
      [apart(-101, {})],
    ],
    'feeds that contradict each other by more than the bound confirm nothing': [
      [at({ errorBps: 50 })],
      [at({ errorBps: 50.01, rangeBps: 120.26 }), 'reference-deviation safe'],
    ],
  })
})

describe('the order of breaches', () => {
  table({
    'the most serious breach comes first, and every breach is returned': [
      [
        {
          input: { authFailure: '401', paused: 'lunch', fillsLastMinute: 2 },
          mid: stepped(400),
          settings: { maxFillsPerMinute: 1 },
        },
        'auth halt',
        'paused safe',
        'mid-step safe',
        'fills-per-minute reduce',
        'mid-step ask-off',
      ],
    ],
  })
})
