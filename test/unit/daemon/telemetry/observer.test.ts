import { describe, expect, test } from 'vitest'
import type { Observation } from '../../../../src/core/engine/model/observation.ts'
import type { VenueFailure } from '../../../../src/core/engine/model/venue-answer.ts'
import type { Fill } from '../../../../src/core/ledger/fills/fill.ts'
import type { RequoteReason } from '../../../../src/core/quoting/next-move.ts'
import { createLog } from '../../../../src/daemon/telemetry/log/log.ts'
import { createMetrics } from '../../../../src/daemon/telemetry/metrics/metrics.ts'
import { createObserver } from '../../../../src/daemon/telemetry/observer.ts'
import { metricsText } from './metrics-text.ts'
import { REQUOTE_REASONS } from '../../../../src/daemon/telemetry/metrics/metric-labels.ts'
import { EXAMPLE_CHAIN_FILL, EXAMPLE_HASH } from './example-chain-fill.ts'

const t = 1_700_000_000_000

const fill: Fill = {
  id: 'f-1',
  side: 'ask',
  inAsset: 'USDC',
  amountIn: 100n * 10n ** 18n,
  outAsset: 'NTZS',
  amountOut: 258_700_123456789012345678n,
  fee: null,
  earnedText: null,
  txHash: null,
  createdAt: t,
  raw: '{}',
}
const failure: VenueFailure = {
  kind: 'timeout',
  code: 'TIMEOUT',
  status: null,
  route: 'PATCH /spread',
  message: 'no answer in 5 s',
  retriable: true,
  outcome: 'unknown',
  retryAfterMs: null,
}
const posted = {
  type: 'fillPosted',
  t,
  fill,
  fee: 258700n * 10n ** 15n,
  feeSource: 'computed',
  midAtFill: 2600n * 10n ** 18n,
  formula: 'ask',
  volumeUsd: 100n * 10n ** 18n,
} as const
const spread = { bidBps: 40, askBps: 60, quoteBid: true, quoteAsk: false, quotePairs: null }
const entry = {
  number: 7,
  t,
  kind: 'deposit',
  reason: 'own transfer',
  fillId: null,
  postings: [
    { account: 'external', asset: 'USDC', amount: -15n * 10n ** 17n },
    { account: 'wallet', asset: 'USDC', amount: 15n * 10n ** 17n },
  ],
} as const

const reserved = {
  type: 'orderReserved',
  t,
  salt: 7n,
  side: 'ask',
  stable: 'USDC',
  usd: 2005n * 10n ** 17n,
  priceTzs: 2587n * 10n ** 18n,
  expiry: t + 120_000,
} as const
const rejected = {
  type: 'orderRejected',
  t,
  salt: 7n,
  stage: 'submit',
  code: 'WRONG_TAKER',
  isVoid: false,
  message: 'the taker is another',
} as const

/** Every type of observation, the level its line must have and words that must be in its message. */
const EXAMPLES: {
  readonly [T in Observation['type']]: readonly (readonly [
    Extract<Observation, { type: T }>,
    string,
    string,
  ])[]
} = {
  fillPosted: [
    [posted, 'info', 'ask filled'],
    [{ ...posted, formula: 'unexplained' }, 'warn', 'no pricing formula'],
  ],
  entryPosted: [
    [{ type: 'entryPosted', entry }, 'info', 'deposit'],
    [{ type: 'entryPosted', entry: { ...entry, kind: 'adjustment' } }, 'warn', 'adjusted: own transfer'],
    [{ type: 'entryPosted', entry: { ...entry, kind: 'fill' } }, 'debug', 'posted'],
  ],
  sample: [
    [
      {
        type: 'sample',
        t,
        mid: 2600n * 10n ** 18n,
        fairValue: null,
        bidBps: 40,
        askBps: null,
        bestBidBps: null,
        bestAskBps: null,
        balances: null,
        pnl: null,
      },
      'debug',
      'sample',
    ],
  ],
  rowQuarantined: [
    [
      { type: 'rowQuarantined', t, row: { id: null, reason: 'unknown token', raw: '{"x":1}' } },
      'warn',
      'unknown token',
    ],
  ],
  midChanged: [
    [{ type: 'midChanged', t, mid: 2600n * 10n ** 18n, rateUpdatedAt: t, source: 'key' }, 'info', 'mid 2600'],
  ],
  midRefused: [[{ type: 'midRefused', t, reason: 'zero' }, 'warn', 'zero']],
  quoteConfirmed: [[{ type: 'quoteConfirmed', t, spread, by: 'patch' }, 'info', 'bid 40 bps, ask off']],
  quoteStatusChanged: [
    [{ type: 'quoteStatusChanged', t, status: 'confirmed', why: 'read back' }, 'info', 'confirmed'],
    [
      { type: 'quoteStatusChanged', t, status: 'mismatch', why: 'read 500' },
      'warn',
      'not the one that was sent: read 500',
    ],
  ],
  requote: [[{ type: 'requote', t, reason: 'side', spread, because: ['x'] }, 'info', 'bid 40 bps, ask off']],
  clamped: [[{ type: 'clamped', t, side: 'bid', wanted: 900, sent: 500 }, 'warn', '900']],
  refusal: [
    [
      { type: 'refusal', t, rule: 'mid-age', limit: '1', actual: '2', message: 'the mid is old' },
      'warn',
      'the mid is old',
    ],
  ],
  tradingStateChanged: [
    [{ type: 'tradingStateChanged', t, from: 'ACTIVE', to: 'HALTED', why: 'loss' }, 'error', 'HALTED: loss'],
    [
      { type: 'tradingStateChanged', t, from: 'ACTIVE', to: 'REDUCING', why: 'limit' },
      'warn',
      'REDUCING: limit',
    ],
    [
      { type: 'tradingStateChanged', t, from: 'HALTED', to: 'ACTIVE', why: 'resumed' },
      'info',
      'ACTIVE: resumed',
    ],
  ],
  reconciliationChanged: [
    [
      {
        type: 'reconciliationChanged',
        t,
        state: 'break',
        why: 'no overlap',
        unreconciled: { USDC: -(10n ** 12n) },
      },
      'error',
      'reconciliation break: no overlap',
    ],
    [
      { type: 'reconciliationChanged', t, state: 'reconciled', why: 'equal', unreconciled: {} },
      'info',
      'reconciled: equal',
    ],
  ],
  feeModelChanged: [[{ type: 'feeModelChanged', t, model: 'none', why: 'balances' }, 'warn', 'none']],
  strategySuspended: [[{ type: 'strategySuspended', t, why: 'threw' }, 'warn', 'threw']],
  strategyFellBack: [
    [{ type: 'strategyFellBack', t, why: 'no calibration' }, 'warn', 'no calibration'],
    [{ type: 'strategyFellBack', t, why: null }, 'info', 'no longer'],
  ],
  strategyLoaded: [
    [
      { type: 'strategyLoaded', t, use: 'fixed-spread', params: { bidBps: 40 }, sourceHash: 'ab' },
      'info',
      'fixed-spread',
    ],
  ],
  activationChanged: [
    [{ type: 'activationChanged', t, isActive: true, partial: false }, 'info', 'is active'],
    [{ type: 'activationChanged', t, isActive: false, partial: false }, 'info', 'as inactive'],
    [{ type: 'activationChanged', t, isActive: true, partial: true }, 'warn', 'only part'],
  ],
  withdrawalMoved: [
    [
      {
        type: 'withdrawalMoved',
        t,
        key: 'k1',
        asset: 'USDC',
        amount: 5_000_000n,
        toAddress: '0x1',
        who: 'anna',
        sendAt: null,
        stage: 'unknown',
      },
      'warn',
      '5 USDC to 0x1: unknown',
    ],
  ],
  withdrawn: [[{ type: 'withdrawn', t, text: '5 USDC to 0x1', txHash: '0x2' }, 'warn', '5 USDC']],
  requestFailed: [
    [{ type: 'requestFailed', t, request: 3, failure }, 'warn', 'whether it took effect is unknown'],
    [
      { type: 'requestFailed', t, request: 3, failure: { ...failure, kind: 'auth', outcome: 'failed' } },
      'warn',
      'PATCH /spread failed',
    ],
  ],
  operator: [
    [
      { type: 'operator', t, who: 'ann', why: 'lunch', command: 'pause', accepted: true, answer: 'paused' },
      'info',
      'ann: pause accepted',
    ],
    [
      { type: 'operator', t, who: 'ann', why: 'lunch', command: 'resume', accepted: false, answer: 'gap' },
      'warn',
      'refused',
    ],
  ],
  orderReserved: [[reserved, 'info', 'order 7: ask 200.5 USDC at 2587']],
  orderWithheld: [
    [{ type: 'orderWithheld', t, salt: 7n, why: 'halted' }, 'info', 'order 7 was not signed: halted'],
  ],
  orderPlaced: [[{ type: 'orderPlaced', t, salt: 7n, hash: EXAMPLE_HASH }, 'info', 'order 7 is open']],
  orderRejected: [
    [rejected, 'warn', 'rejected by the venue (WRONG_TAKER): the taker is another; it stays outstanding'],
    [{ ...rejected, stage: 'sign', code: 'CLOCK', isVoid: true }, 'warn', 'was not signed (CLOCK)'],
  ],
  orderFilled: [
    [
      { type: 'orderFilled', t, salt: 7n, fill: EXAMPLE_CHAIN_FILL, isWhole: false },
      'info',
      'filled in part',
    ],
    [
      { type: 'orderFilled', t, salt: null, fill: EXAMPLE_CHAIN_FILL, isWhole: false },
      'error',
      'does not know',
    ],
  ],
  orderFillUndone: [
    [{ type: 'orderFillUndone', t, fill: EXAMPLE_CHAIN_FILL }, 'warn', 'removed a fill of order 7'],
  ],
  orderResolved: [
    [{ type: 'orderResolved', t, salt: 7n, how: 'expired' }, 'info', 'no longer outstanding: expired'],
  ],
  cancelSent: [
    [
      { type: 'cancelSent', t, salts: [7n, 8n], how: 'pair', txHash: EXAMPLE_HASH, why: 'the mid moved' },
      'info',
      '2 orders are being cancelled: the mid moved',
    ],
  ],
  alert: [
    [{ type: 'alert', t, severity: 'critical', code: 'x', message: 'look' }, 'error', 'look'],
    [{ type: 'alert', t, severity: 'warning', code: 'x', message: 'look' }, 'warn', 'look'],
    [{ type: 'alert', t, severity: 'info', code: 'x', message: 'look' }, 'info', 'look'],
  ],
}

function observed(...observations: readonly Observation[]) {
  const written: string[] = []
  const log = createLog({ position: 'p', level: 'trace', to: { write: (line) => void written.push(line) } })
  const metrics = createMetrics('p')
  const observe = createObserver(log, metrics)
  for (const observation of observations) observe(observation)
  return { lines: written.map((line) => JSON.parse(line) as Record<string, unknown>), metrics }
}

describe('the observer', () => {
  const rows = Object.values(EXAMPLES).flat()
  test.each(rows.map((row) => [row[0].type, row[1], row] as const))(
    '%s is one line at level %s that says it in words',
    (type, level, [observation, , words]) => {
      const { lines } = observed(observation)
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatchObject({ event: type, level, position: 'p' })
      expect(lines[0]?.['msg']).toContain(words)
    },
  )

  test('a fill is counted by side with its dollars, and logged in exact whole tokens', async () => {
    const { lines, metrics } = observed(posted, posted)
    expect(lines[0]).toMatchObject({
      amountIn: '100',
      amountOut: '258700.123456789012345678',
      fee: '258.7',
      mid: '2600',
      volumeUsd: '100',
    })
    const text = await metricsText(metrics)
    expect(text).toContain('mizani_fills_total{side="ask",position="p"} 2')
    expect(text).toContain('mizani_fill_volume_usd_total{side="ask",position="p"} 200')
    expect(text).toContain('mizani_fills_total{side="bid",position="p"} 0')
  })

  test('every row that is set aside is counted, and at most one line a minute says so with their number', async () => {
    const at = (ms: number): Observation => ({
      type: 'rowQuarantined',
      t: t + ms,
      row: { id: null, reason: 'no token', raw: '{}' },
    })
    const { lines, metrics } = observed(...[0, 0, 10, 59_999, 60_000, 60_001, 120_000].map(at))
    expect(lines.map(({ rows: count }) => count)).toEqual([1, 4, 2])
    expect(lines[1]?.['msg']).toBe('4 fill rows are quarantined: no token')
    expect(await metricsText(metrics)).toContain('mizani_fill_rows_quarantined_total{position="p"} 7')
  })

  test('a clamped spread, a refusal and a requote are counted under their words', async () => {
    const { metrics } = observed(
      { type: 'clamped', t, side: 'bid', wanted: 900, sent: 500 },
      { type: 'refusal', t, rule: 'mid-age', limit: '', actual: '', message: '' },
      { type: 'refusal', t, rule: 'made-up-7', limit: '', actual: '', message: '' },
      { type: 'requote', t, reason: 'threshold', spread, because: [] },
      { type: 'requote', t, reason: 'made-up-8', spread, because: [] },
    )
    const text = await metricsText(metrics)
    for (const line of [
      'mizani_risk_refusals_total{rule="out-of-range",position="p"} 1',
      'mizani_risk_refusals_total{rule="mid-age",position="p"} 1',
      'mizani_risk_refusals_total{rule="other",position="p"} 1',
      'mizani_requotes_total{reason="threshold",position="p"} 1',
      'mizani_requotes_total{reason="other",position="p"} 1',
    ])
      expect(text).toContain(line)
    expect(text).not.toContain('made-up')
  })

  test('orders are counted: signed once it left, filled part by part, rejected by code', async () => {
    const { metrics, lines } = observed(
      reserved,
      { type: 'orderPlaced', t, salt: 7n, hash: EXAMPLE_HASH },
      rejected,
      { ...rejected, stage: 'sign', code: 'made-up-9', isVoid: true },
      { type: 'orderFilled', t, salt: 7n, fill: EXAMPLE_CHAIN_FILL, isWhole: false },
      { type: 'orderFilled', t, salt: 7n, fill: EXAMPLE_CHAIN_FILL, isWhole: true },
      { type: 'orderFillUndone', t, fill: EXAMPLE_CHAIN_FILL },
    )
    const text = await metricsText(metrics)
    for (const line of [
      'mizani_rfq_signed_total{position="p"} 2',
      'mizani_rfq_fills_total{position="p"} 2',
      'mizani_rfq_rejected_total{code="WRONG_TAKER",position="p"} 1',
      'mizani_rfq_rejected_total{code="other",position="p"} 1',
      'mizani_rfq_rejected_total{code="BAD_SIGNATURE",position="p"} 0',
    ])
      expect(text).toContain(line)
    expect(lines[0]).toMatchObject({ salt: '7', usd: '200.5', priceTzs: '2587' })
    expect(lines[4]).toMatchObject({ salt: '7', block: '12', makerAmount: '1000000000000000000' })
  })

  test('an unreconciled balance is logged in tokens, sign and all', () => {
    const { lines } = observed({
      type: 'reconciliationChanged',
      t,
      state: 'break',
      why: 'balances',
      unreconciled: { USDC: -1_500_001n * 10n ** 12n },
    })
    expect(lines[0]?.['unreconciled']).toEqual({ USDC: '-1.500001' })
  })
})

describe('the vocabularies of labels', () => {
  test('the labels of mizani_requotes_total are exactly the reasons of the quoter', () => {
    // The records have a key for every word of the rooms' own types, or this file does not compile.
    const reasons: Record<RequoteReason, true> = Object.fromEntries(
      REQUOTE_REASONS.map((reason) => [reason, true]),
    ) as Record<(typeof REQUOTE_REASONS)[number], true>
    const moves: readonly RequoteReason[] = REQUOTE_REASONS
    expect(Object.keys(reasons).sort()).toEqual([...moves].sort())
  })
})
