import { describe, expect, it } from 'vitest'
import { assess } from '../../../../src/core/risk/assess.ts'
import type { RuleBreach } from '../../../../src/core/risk/rule-breach.ts'
import type { RiskInput } from '../../../../src/core/risk/risk-input.ts'
import type { InventoryLimits, RiskSettings } from '../../../../src/core/risk/risk-settings.ts'
import { riskInput, riskSettings } from './support.ts'

const TZS36 = 10n ** 36n
const USD18 = 10n ** 18n
const DIME = USD18 / 10n
const RATE = 10n ** 18n

type Case = {
  readonly input?: Partial<RiskInput>
  readonly mid?: Partial<RiskInput['mid']>
  readonly settings?: Partial<RiskSettings>
  readonly limits?: InventoryLimits
}

/** The breaches in words, as log, console and runbook show them: rule, effect, limit, actual, message. */
function breachesOf({ input, mid, settings, limits = {} }: Case): readonly (readonly string[])[] {
  const found = assess(riskInput(input, mid), riskSettings(settings), limits)
  return found.map(({ rule, effect, limit, actual, message }: RuleBreach) => [
    rule,
    effect,
    limit,
    actual,
    message,
  ])
}

function onlyBreachOf(given: Case): readonly string[] {
  const found = breachesOf(given)
  expect(found).toHaveLength(1)
  return found[0] ?? []
}

describe('a breach of a rule about the venue names what was allowed, what is, and what to do', () => {
  it('a refused key', () => {
    expect(onlyBreachOf({ input: { authFailure: 'the venue answers 401' } })).toEqual([
      'auth',
      'halt',
      'a key the venue accepts',
      'the venue answers 401',
      'the venue answers 401; replace the key, restart, then resume',
    ])
  })

  it('another solver', () => {
    const [rule, effect, limit, actual, message] = onlyBreachOf({ input: { solverChanged: 'it names 0x5' } })
    expect([rule, effect, limit, actual]).toEqual([
      'solver-changed',
      'halt',
      'the pinned solver',
      'it names 0x5',
    ])
    expect(message).toBe(
      'it names 0x5; ask the venue, then stop the daemon, confirm the new one with `mizani custody enable`, and resume',
    )
  })

  it('pairs that the venue quotes unasked', () => {
    expect(onlyBreachOf({ input: { unaskedPairs: 'EURC' } })).toEqual([
      'unasked-pairs',
      'safe',
      'quote.pairs',
      'EURC',
      'the venue quotes EURC beyond quote.pairs, and a fill in such a token can be neither booked nor withdrawn; lifts when the venue keeps to the list, or with quote.pairs: null',
    ])
  })

  it('a quote that the venue does not keep, after the fifth repair and not before', () => {
    expect(breachesOf({ input: { mismatches: 5 } })).toEqual([])
    expect(onlyBreachOf({ input: { mismatches: 6 } })).toEqual([
      'quote-not-held',
      'halt',
      'the quote that was asked for',
      'another one after 5 repairs',
      'the venue holds another spread than the safe one after 5 repairs, so the position is taken out of the market; look at the quote in its dashboard, then resume',
    ])
  })

  it('another wallet', () => {
    expect(onlyBreachOf({ input: { walletChanged: { from: '0xa', to: '0xb' } } })).toEqual([
      'wallet-changed',
      'halt',
      '0xa',
      '0xb',
      'the account names the wallet 0xb where it named 0xa: what leaves the pool goes there; ask the venue, and resume only if it is yours',
    ])
  })

  it.each([
    ['spread', 'resume'],
    ['transfer', 'resume'],
    ['deactivation', 'activate'],
    ['custody', 'activate'],
  ])('a foreign %s, which `%s` lifts', (what, order) => {
    expect(onlyBreachOf({ input: { foreignWrite: { what, why: 'someone else wrote' } } })).toEqual([
      'foreign-write',
      'safe',
      'own requests',
      what,
      `someone else wrote; if none of your programs did it, exchange the key first, then \`${order}\``,
    ])
  })
})

describe('a breach of a rule about fills', () => {
  const fillBreach = { id: 'f1', worseBps: 61.26 }
  const message =
    'fill f1 cost 61.3 bps more than the quote least favourable to us, fee included; ask the venue what it executed, then resume'

  it('a fill worse than quoted names the bound, or that it was switched off since', () => {
    const settings = { maxFillPriceDeviationBps: 50 }
    expect(onlyBreachOf({ input: { fillBreach }, settings })).toEqual([
      'fill-price',
      'halt',
      '50 bps',
      '61.3 bps',
      message,
    ])
    expect(onlyBreachOf({ input: { fillBreach } })[2]).toBe('off bps')
    expect(onlyBreachOf({ input: { fillBreach }, settings: { maxFillPriceDeviationBps: null } })[2]).toBe(
      'off bps',
    )
  })

  it('a review that is due names each limit that is on; without limits none exists', () => {
    const input = { reviewDue: '3 fills' }
    const limitOf = (reviewAfter: RiskSettings['reviewAfter']) =>
      onlyBreachOf({ input, settings: { reviewAfter: reviewAfter ?? null } })[2]
    expect(
      onlyBreachOf({ input, settings: { reviewAfter: { fills: 3, sameSideFills: 2, usd: 50n * USD18 } } }),
    ).toEqual([
      'review',
      'safe',
      '3 fills, 2 of one side, 50 USD',
      '3 fills',
      '3 fills since the last review (risk.reviewAfter); review the fills, then resume',
    ])
    expect(limitOf({ fills: null, sameSideFills: 2, usd: null })).toBe('2 of one side')
    expect(limitOf({ fills: 3, sameSideFills: null, usd: 7n * USD18 })).toBe('3 fills, 7 USD')
    expect(breachesOf({ input })).toEqual([])
    expect(breachesOf({ settings: { reviewAfter: { fills: 3, sameSideFills: 2, usd: 1n } } })).toEqual([])
  })

  it('flow and errors name the limit and the count', () => {
    expect(onlyBreachOf({ input: { fillsLastMinute: 11 }, settings: { maxFillsPerMinute: 10 } })).toEqual([
      'fills-per-minute',
      'reduce',
      '10',
      '11',
      'more fills in a minute than risk.maxFillsPerMinute; lifts when the minute has passed',
    ])
    const volumeLastDayUsd = { bid: 1_000n * USD18, ask: 2_500n * USD18 }
    expect(
      onlyBreachOf({ input: { volumeLastDayUsd }, settings: { maxVolumePerDayUsd: 1_000n * USD18 } }),
    ).toEqual([
      'volume-per-day',
      'ask-off',
      '1000 USD',
      '2500 USD',
      'the ask traded more than risk.maxVolumePerDayUsd in 24 hours',
    ])
    expect(onlyBreachOf({ input: { errorCycles: 7 } })).toEqual([
      'error-cycles',
      'safe',
      '5',
      '7',
      'consecutive requests failed; lifts when the venue answers again',
    ])
  })
})

describe('a breach of a rule about inventory', () => {
  it('names the asset, the bound and what is held, in whole tokens', () => {
    const position = { NTZS: 10n * USD18, USDC: 15n * DIME, USDT: 2n * USD18, 'USDT.bnb': 3n * USD18 }
    const limits: InventoryLimits = {
      NTZS: { min: 10n * USD18, max: null },
      USDC: { min: null, max: 14n * DIME },
      USDT: { min: 2n * USD18, max: null },
      'USDT.bnb': { min: null, max: 3n * USD18 },
    }
    expect(breachesOf({ input: { position }, limits })).toEqual([
      [
        'inventory-limit',
        'ask-off',
        'min 10 NTZS',
        '10',
        'NTZS is at or under its minimum; lifts when it is back inside',
      ],
      [
        'inventory-limit',
        'ask-off',
        'max 1.4 USDC',
        '1.5',
        'USDC is at or over its maximum; lifts when it is back inside',
      ],
      [
        'inventory-limit',
        'bid-off',
        'min 2 USDT',
        '2',
        'USDT is at or under its minimum; lifts when it is back inside',
      ],
      [
        'inventory-limit',
        'ask-off',
        'max 3 USDT.bnb',
        '3',
        'USDT.bnb is at or over its maximum; lifts when it is back inside',
      ],
    ])
  })
})

describe('a breach of a rule about the books', () => {
  const unreconciled = { NTZS: 5n * USD18, USDT: 0n, USDC: -15n * DIME }
  const differs = { breakSince: 1_000_000, breakReason: 'balances and ledger differ', unreconciled }

  it('a break names the differences, or its reason where none exists', () => {
    expect(onlyBreachOf({ input: differs })).toEqual([
      'fills-gap',
      'safe',
      'reconciled',
      '5 NTZS, -1.5 USDC',
      'balances and ledger differ; lifts when fills and balances agree again',
    ])
    expect(onlyBreachOf({ input: { ...differs, unreconciled: {} } })[3]).toBe('balances and ledger differ')
  })

  it('a difference that lasts halts, and at once where too much time was spent unreconciled already', () => {
    const halting = [
      'unexplained-balance',
      'halt',
      '0',
      '5 NTZS, -1.5 USDC',
      'balances are not opening + fills + own transfers (5 NTZS, -1.5 USDC); find the cause, then `mizani resume --book adjustment`',
    ]
    expect(onlyBreachOf({ input: { ...differs, now: 1_060_000 } })).toEqual(halting)
    expect(onlyBreachOf({ input: { ...differs, unreconciledTooLong: true } })).toEqual(halting)
    expect(
      onlyBreachOf({ input: { ...differs, unreconciled: {}, now: 9e9, unreconciledTooLong: true } })[1],
    ).toBe('safe')
  })

  it('a loss that no fill explains is safe at the first snapshot and halts at the second', () => {
    const difference = { USDC: -2n * USD18 }
    const what =
      'balances lost more than any fill at our quotes could take: someone else moves funds with this key, or the venue does'
    const foreignHand = (readings: number) => onlyBreachOf({ input: { foreign: { readings, difference } } })
    expect(foreignHand(1)).toEqual([
      'foreign-hand',
      'safe',
      '600 bps and 1 USD lost at the mid',
      '-2 USDC',
      `${what} (-2 USDC); exchange the key, then \`mizani resume --book withdrawal\``,
    ])
    expect(foreignHand(2)[1]).toBe('halt')
  })

  it('a figure that cannot be read is safe 3 s before half of the limit, and halts at the limit', () => {
    const at = (expectedMs: number, ms = expectedMs, maxUnreadableMs = 60_000) =>
      breachesOf({
        input: { unreadable: { why: 'no figure', ms, expectedMs } },
        settings: { maxUnreadableMs },
      })
    expect(at(26_999)).toEqual([])
    expect(at(27_000, 24_600)).toEqual([
      [
        'unreadable',
        'safe',
        '60000 ms',
        '24600 ms',
        'no figure; the venue has answered for 25 s without a figure that can be read (risk.maxUnreadableMs): ask the venue, then resume',
      ],
    ])
    expect([at(60_000, 59_999), at(60_000)].map(([found]) => found?.[1])).toEqual(['safe', 'halt'])
    expect(at(0, 0, 5_000)).toHaveLength(1)
    expect(breachesOf({ input: { unreadable: { why: '', ms: 9e9, expectedMs: 9e9 } } })).toEqual([])
    expect(breachesOf({ settings: { maxUnreadableMs: 60_000 } })).toEqual([])
  })

  it('losses name the limit and the figure in whole shillings', () => {
    const settings = { maxLossTzs: 100n * TZS36, maxDrawdownTzs: 50n * TZS36 }
    expect(breachesOf({ input: { pnlTzs: -101n * TZS36 - 1n, drawdownTzs: 51n * TZS36 }, settings })).toEqual(
      [
        ['loss', 'halt', '100 TZS', '101 TZS', 'the loss since the start is over risk.maxLossTzs'],
        ['drawdown', 'halt', '50 TZS', '51 TZS', 'the drawdown from the peak is over risk.maxDrawdownTzs'],
      ],
    )
    expect(breachesOf({ input: { drawdownTzs: 50n * TZS36 }, settings })).toEqual([])
    expect(onlyBreachOf({ input: { drawdownTzs: null }, settings })).toEqual([
      'cannot-value',
      'halt',
      'a valuation',
      'none',
      'a loss limit is set but the position cannot be valued',
    ])
    expect(onlyBreachOf({ input: { pnlTzs: null }, settings })[0]).toBe('cannot-value')
    const empty = { hasPosition: false, pnlTzs: null, drawdownTzs: null }
    expect(breachesOf({ input: empty, settings })).toEqual([])
  })
})

describe('a breach of a rule about the daemon itself', () => {
  it.each([
    [
      { strategySuspended: 'it threw' },
      ['strategy-suspended', 'safe', 'a quote', 'it threw'],
      'it threw; repair the strategy and reload, or resume to try it again',
    ],
    [{ paused: 'lunch' }, ['paused', 'safe', 'running', 'lunch'], 'lunch; lifts with resume'],
    [{ guardObstacle: 'no one watches' }, ['guard', 'safe', 'a lease', 'none'], 'no one watches'],
    [
      { leaving: true },
      ['shutdown', 'safe', 'running', 'leaving'],
      'the daemon is shutting down and leaves the safe quote',
    ],
    [
      { deactivating: true },
      ['deactivating', 'safe', 'in the market', 'leaving'],
      'a deactivation was ordered: both sides stay wide until it has ended',
    ],
  ])('%o', (input, fields, message) => {
    expect(onlyBreachOf({ input })).toEqual([...fields, message])
  })
})

describe('a breach of a rule about the mid', () => {
  it('a mid that is missing hides the other rules about it, except the corridor', () => {
    expect(onlyBreachOf({ mid: { present: false, quotable: false, problem: 'it is zero' } })).toEqual([
      'mid-missing',
      'safe',
      'a mid',
      'none',
      'the venue has not sent a usable mid yet',
    ])
  })

  it('a mid that is not quotable, and one that is too old', () => {
    expect(onlyBreachOf({ mid: { quotable: false } })).toEqual([
      'not-quotable',
      'safe',
      'quotable',
      'false',
      'the venue marks its rate as not quotable; lifts when it is quotable again',
    ])
    expect(onlyBreachOf({ mid: { ageMs: 1_001 }, settings: { maxMidAgeMs: 1_000 } })).toEqual([
      'mid-age',
      'safe',
      '1000 ms',
      '1001 ms',
      'the mid is older than risk.maxMidAgeMs; lifts with a new publication',
    ])
  })

  it('a mid that waits names the bounds, the mid in force and how to adopt the one that waits', () => {
    const pending = { rule: 'mid-step', bps: 400, mid: 2_600n * RATE, why: 'the mid stepped' } as const
    const step = breachesOf({
      mid: { pending, inForce: 2_500n * RATE },
      settings: { maxMidStepBps: 150 },
    })
    const message =
      'the mid stepped; in force is 2500, waiting is 2600: lifts when it comes back, when a feed of another origin has agreed for 10 minutes, or by `resume --accept-mid 2600`'
    expect(step).toEqual([
      ['mid-step', 'safe', '150 bps', '400.0 bps', message],
      ['mid-step', 'ask-off', '150 bps', '400.0 bps', message],
    ])
    const move = { ...pending, rule: 'mid-move', bps: -400.04, why: 'the mid moved' } as const
    const settings = { maxMidMoveBpsPerHour: 200, maxMidMoveBpsPerDay: 300 }
    expect(breachesOf({ mid: { pending: move }, settings })).toEqual(
      ['safe', 'bid-off'].map((effect) => [
        'mid-move',
        effect,
        '200 bps an hour, 300 a day',
        '-400.0 bps',
        'the mid moved; in force is none, waiting is 2600: lifts when it comes back, or by `resume --accept-mid 2600`',
      ]),
    )
    expect(breachesOf({ mid: { pending } })[0]?.[2]).toBe('off bps')
    expect(breachesOf({ mid: { pending: move } })[0]?.[2]).toBe('off bps an hour, off a day')
  })

  it.each([
    ['corridor', 400, 'price-corridor', 'ask-off', ''],
    ['move', 400, 'mid-move', 'ask-off', ', or by `resume --accept-mid 2600`'],
    ['step', -40.26, 'mid-step', 'bid-off', ', or by `resume --accept-mid 2600`'],
  ] as const)('a mid of one pair over its %s bound, by %d bps', (kind, bps, rule, losing, by) => {
    const refusedPair = { stable: 'USDT', mid: 2_600n * RATE, breach: { kind, bps, why: 'too far' } } as const
    const message = `fills of USDT execute at a mid over its bounds: too far; lifts when it comes back${by}`
    expect(breachesOf({ mid: { refusedPair } })).toEqual(
      ['safe', losing].map((effect) => [
        rule,
        effect,
        'the bounds of the mid',
        `${bps.toFixed(1)} bps`,
        message,
      ]),
    )
  })

  it('a figure that is no mid names the rule that refused it; without one the sentence tells', () => {
    const problem = 'midRateTZS is 0'
    const fields = (mid: Partial<RiskInput['mid']>) => onlyBreachOf({ mid })
    const message = `${problem}; lifts with the next good rate`
    expect(fields({ problem })).toEqual(['mid-invalid', 'safe', 'a good mid', problem, message])
    const refusal = { rule: 'venue-clock', mid: null } as const
    expect(fields({ problem, refusal })).toEqual(['venue-clock', 'safe', 'one time', problem, message])
    const undated = 'the venue stopped dating its mid'
    expect(fields({ problem: undated })[0]).toBe('mid-undated')
    expect(fields({ problem: undated, everDated: false })[0]).toBe('mid-invalid')
    expect(fields({ problem: undated, refusal: { rule: 'mid-invalid', mid: null } })[0]).toBe('mid-invalid')
  })
})

describe('a breach of the price corridor', () => {
  const settings = { priceCorridor: { min: 2_000n * RATE, max: 3_000n * RATE } }
  const rules = (what: string, actual: string, losing: string) =>
    ['safe', losing].map((effect) => [
      'price-corridor',
      effect,
      '2000 to 3000',
      actual,
      `${what} is outside risk.priceCorridor; lifts when it is inside (the corridor itself changes only with a restart)`,
    ])
  const at = (mid: Partial<RiskInput['mid']>) => breachesOf({ mid, settings })
  const refusedAt = (mid: bigint | null) => ({ refusal: { rule: 'price-corridor' as const, mid } })

  it("closes the losing side by the venue's mid that was refused, whether or not one is in force", () => {
    const high = rules("the venue's mid", '3001', 'ask-off')
    expect(at(refusedAt(3_001n * RATE))).toEqual(high)
    expect(at({ ...refusedAt(3_001n * RATE), problem: 'outside' })).toEqual(high)
    expect(at(refusedAt(1_999n * RATE))).toEqual(rules("the venue's mid", '1999', 'bid-off'))
    expect(at({ ...refusedAt(3_001n * RATE), present: false })).toContainEqual(high[0])
    expect(at(refusedAt(3_000n * RATE))).toEqual([])
    expect(at(refusedAt(null))).toEqual([])
    expect(at({ refusal: { rule: 'mid-invalid', mid: 3_001n * RATE } })).toEqual([])
  })

  it('a mid outside the corridor closes the side that it makes lose, and a fair value outside the other side', () => {
    expect(at({ inForce: 3_000n * RATE, fair: 2_000n * RATE })).toEqual([])
    expect(at({ inForce: 2_500n * RATE, fair: null })).toEqual([])
    expect(at({ inForce: 3_000n * RATE + 1n, fair: 1n })).toEqual(
      rules('the mid in force', '3000.000000000000000001', 'ask-off'),
    )
    expect(at({ inForce: 2_500n * RATE, fair: 1_999n * RATE })).toEqual(
      rules('the fair value', '1999', 'ask-off'),
    )
    expect(at({ fair: 3_001n * RATE })).toEqual(rules('the fair value', '3001', 'bid-off'))
    expect(breachesOf({ mid: { inForce: 9_999n * RATE } })).toEqual([])
  })
})

describe('a breach of the rule about reference feeds', () => {
  const settings = { maxReferenceDeviationBps: 100 }
  const at = (feeds: Partial<NonNullable<RiskInput['feeds']>>, over = settings as Partial<RiskSettings>) =>
    breachesOf({
      input: { feeds: { live: 2, deviationBps: 0, errorBps: 50, rangeBps: 60, ...feeds } },
      settings: over,
    })

  it('a mid further from the feeds than the bound closes the losing side, and one at the bound does not', () => {
    const message =
      'the venue’s mid is further from the reference feeds than risk.maxReferenceDeviationBps; lifts when they agree again'
    const breach = (effect: string, actual: string) => [
      'reference-deviation',
      effect,
      '100 bps',
      actual,
      message,
    ]
    expect(at({ deviationBps: 100 })).toEqual([])
    expect(at({ deviationBps: -100 })).toEqual([])
    expect(at({ deviationBps: 100.04 })).toEqual([
      breach('safe', '100.0 bps'),
      breach('ask-off', '100.0 bps'),
    ])
    expect(at({ deviationBps: -101 })).toEqual([
      breach('safe', '-101.0 bps'),
      breach('bid-off', '-101.0 bps'),
    ])
    expect(at({ deviationBps: null })).toEqual([])
    expect(at({ deviationBps: 101 }, {})).toEqual([])
    expect(at({ deviationBps: 101 }, { maxReferenceDeviationBps: null })).toEqual([])
    expect(breachesOf({ settings })).toEqual([])
  })

  it.each([
    [100, false],
    [-100, false],
    [100.04, true],
    [-101, true],
  ])("a pair's public rate %d bps from GET /rate needs the safe quote: %s", (bps, isApart) => {
    const apart = [{ stable: 'USDT', mid: 2_550n * RATE, rate: 2_500n * RATE, bps }] as const
    const message =
      "fills of USDT execute at the public rate's mid of 2550, which is further from GET /rate (2500) than risk.maxReferenceDeviationBps; lifts when they are closer"
    expect(breachesOf({ mid: { apart }, settings })).toEqual(
      isApart ? [['reference-deviation', 'safe', '100 bps', `${bps.toFixed(1)} bps`, message]] : [],
    )
    expect(breachesOf({ mid: { apart } })).toEqual([])
  })

  it('feeds that contradict each other by more than the bound confirm nothing', () => {
    expect(at({ errorBps: 50.01, rangeBps: 120.26 })).toEqual([
      [
        'reference-deviation',
        'safe',
        '100 bps',
        '120.3 bps between the feeds',
        'the 2 live feeds contradict each other by more than risk.maxReferenceDeviationBps; lifts when they agree or the wrong one is removed',
      ],
    ])
  })
})
