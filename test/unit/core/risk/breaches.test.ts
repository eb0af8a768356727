import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { RiskInput } from '../../../../src/core/risk/risk-input.ts'
import { breachesOf, type RiskCase } from './support.ts'

const TZS36 = 10n ** 36n
const USD18 = 10n ** 18n
const DIME = USD18 / 10n
const RATE = 10n ** 18n

const FILL: RiskCase['input'] = { fillBreach: { id: 'f1', worseBps: 61.26 } }
const LOSSES = { maxLossTzs: 100n * TZS36, maxDrawdownTzs: 50n * TZS36 }
const BREAK: RiskCase['input'] = {
  breakSince: 1_000_000,
  breakReason: 'balances and ledger differ',
  unreconciled: { NTZS: 5n * USD18, USDT: 0n, USDC: -15n * DIME },
}
const STEP = { rule: 'mid-step', bps: 400, mid: 2_600n * RATE, why: 'the mid stepped' } as const
const MOVE = { ...STEP, rule: 'mid-move', bps: -400.04, why: 'the mid moved' } as const
const UNDATED = 'the venue stopped dating its mid'
const REFERENCE = { maxReferenceDeviationBps: 100 }

const foreignWrite = (what: string): RiskCase => ({
  input: { foreignWrite: { what, why: 'someone else wrote' } },
})
const reviewed = (fills: number | null, sameSideFills: number | null, usd: bigint | null): RiskCase => ({
  input: { reviewDue: '3 fills' },
  settings: { reviewAfter: { fills, sameSideFills, usd } },
})
const corridor = (mid: Partial<RiskInput['mid']>): RiskCase => ({
  mid,
  settings: { priceCorridor: { min: 2_000n * RATE, max: 3_000n * RATE } },
})
const pair = (kind: 'corridor' | 'move' | 'step', bps: number): RiskCase => ({
  mid: { refusedPair: { stable: 'USDT', mid: 2_600n * RATE, breach: { kind, bps, why: 'too far' } } },
})
const feeds = (change: Partial<NonNullable<RiskInput['feeds']>>): RiskCase => ({
  input: { feeds: { live: 2, deviationBps: 0, errorBps: 50, rangeBps: 60, ...change } },
  settings: REFERENCE,
})

const CASES: Readonly<Record<string, RiskCase>> = {
  'a refused key': { input: { authFailure: 'the venue answers 401' } },
  'another solver': { input: { solverChanged: 'it names 0x5' } },
  'pairs that the venue quotes unasked': { input: { unaskedPairs: 'EURC' } },
  'a quote that the venue does not keep': { input: { mismatches: 6 } },
  'another wallet': { input: { walletChanged: { from: '0xa', to: '0xb' } } },
  'a foreign spread': foreignWrite('spread'),
  'a foreign transfer': foreignWrite('transfer'),
  'a foreign deactivation': foreignWrite('deactivation'),
  'a foreign custody switch': foreignWrite('custody'),
  'a fill worse than quoted': { input: FILL, settings: { maxFillPriceDeviationBps: 50 } },
  'a fill worse than quoted, in an older journal': { input: FILL },
  'a fill worse than quoted, with the rule switched off since': {
    input: FILL,
    settings: { maxFillPriceDeviationBps: null },
  },
  'a review with every limit': reviewed(3, 2, 50n * USD18),
  'a review by fills of one side': reviewed(null, 2, null),
  'a review by fills and dollars': reviewed(3, null, 7n * USD18),
  'fills in a minute': { input: { fillsLastMinute: 11 }, settings: { maxFillsPerMinute: 10 } },
  'volume of a day': {
    input: { volumeLastDayUsd: { bid: 1_000n * USD18, ask: 1_000n * USD18 + 1n } },
    settings: { maxVolumePerDayUsd: 1_000n * USD18 },
  },
  'failed requests': { input: { errorCycles: 7 } },
  'inventory limits': {
    input: { position: { NTZS: 10n * USD18, USDC: 15n * DIME, USDT: 2n * USD18, 'USDT.bnb': 3n * USD18 } },
    limits: {
      NTZS: { min: 10n * USD18, max: null },
      USDC: { min: null, max: 14n * DIME },
      USDT: { min: 2n * USD18, max: null },
      'USDT.bnb': { min: null, max: 3n * USD18 },
    },
  },
  'a break with differences': { input: BREAK },
  'a break without differences': { input: { ...BREAK, unreconciled: {} } },
  'a difference that lasts': { input: { ...BREAK, now: 1_060_000 } },
  'a loss that no fill explains': { input: { foreign: { readings: 1, difference: { USDC: -2n * USD18 } } } },
  'a figure that cannot be read': {
    input: { unreadable: { why: 'no figure', ms: 24_600, expectedMs: 27_000 } },
    settings: { maxUnreadableMs: 60_000 },
  },
  'a loss and a drawdown': {
    input: { pnlTzs: -101n * TZS36 - 1n, drawdownTzs: 51n * TZS36 },
    settings: LOSSES,
  },
  'a position without a value': { input: { drawdownTzs: null }, settings: LOSSES },
  'a suspended strategy': { input: { strategySuspended: 'it threw' } },
  'a pause': { input: { paused: 'lunch' } },
  'no guard': { input: { guardObstacle: 'no one watches' } },
  'a shutdown': { input: { shuttingDown: true } },
  'a deactivation': { input: { deactivating: true } },
  'a missing mid hides the other rules about it': {
    mid: { present: false, quotable: false, problem: 'it is zero' },
  },
  'a mid that is not quotable': { mid: { quotable: false } },
  'an old mid': { mid: { ageMs: 1_001 }, settings: { maxMidAgeMs: 1_000 } },
  'an old mid while another one waits': {
    mid: { ageMs: 1_001, pending: STEP },
    settings: { maxMidAgeMs: 1_000 },
  },
  'a mid that stepped': { mid: { pending: STEP, inForce: 2_500n * RATE }, settings: { maxMidStepBps: 150 } },
  'a mid that stepped, with the limit switched off since': { mid: { pending: STEP } },
  'a mid that moved': {
    mid: { pending: MOVE },
    settings: { maxMidMoveBpsPerHour: 200, maxMidMoveBpsPerDay: 300 },
  },
  'a mid that moved, with the limits switched off since': { mid: { pending: MOVE } },
  'a mid of one pair outside the corridor': pair('corridor', 400),
  'a mid of one pair that moved': pair('move', 400),
  'a mid of one pair that stepped': pair('step', -40.26),
  'a figure that is no mid': { mid: { problem: 'midRateTZS is 0' } },
  'a figure that another rule refused': {
    mid: { problem: 'midRateTZS is 0', refusal: { rule: 'venue-clock', mid: null } },
  },
  'an undated mid after dated ones': {
    mid: { problem: UNDATED, refusal: { rule: 'mid-undated', mid: null } },
  },
  'an undated mid that another rule refused': {
    mid: { problem: UNDATED, refusal: { rule: 'mid-invalid', mid: null } },
  },
  'a refused mid over the corridor': corridor({ refusal: { rule: 'price-corridor', mid: 3_001n * RATE } }),
  'a mid in force over the corridor': corridor({ inForce: 3_000n * RATE + 1n, fair: 1n }),
  'a fair value under the corridor': corridor({ inForce: 2_500n * RATE, fair: 1_999n * RATE }),
  'a mid over the reference feeds': feeds({ deviationBps: 100.04 }),
  "a pair's public rate over GET /rate": {
    mid: { apart: [{ stable: 'USDT', mid: 2_550n * RATE, rate: 2_500n * RATE, bps: 100.04 }] },
    settings: REFERENCE,
  },
  'feeds that contradict each other': feeds({ errorBps: 50.01, rangeBps: 120.26 }),
}

/** The breaches as log, console and runbook show them. */
function textOf(given: RiskCase): string {
  const lines = breachesOf(given).map(
    ({ rule, effect, limit, actual, message }) =>
      `  ${rule} ${effect}\n    limit: ${limit}\n    actual: ${actual}\n    ${message}\n`,
  )
  return lines.join('')
}

it('each breach names what is allowed, what is, and what to do', () => {
  const found = Object.entries(CASES).map(([title, given]) => `${title}\n${textOf(given)}`)
  expect(found.join('\n')).toBe(readFileSync(join(import.meta.dirname, 'breaches.txt'), 'utf8'))
})
