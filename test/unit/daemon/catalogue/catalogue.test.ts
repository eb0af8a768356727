import { describe, expect, test } from 'vitest'
import { noticeOf } from '../../../../src/daemon/runtime/history/notices.ts'
import type { Observation } from '../../../../src/core/engine/model/observation.ts'
import { isListed } from '../../../../src/daemon/catalogue/catalogue.ts'
import { createNoticeMapper } from '../../../../src/daemon/notify/notice.ts'
import { EXAMPLE_CHAIN_FILL, EXAMPLE_HASH } from '../telemetry/example-chain-fill.ts'
import {
  EXAMPLE_ENTRY,
  EXAMPLE_FAILURE,
  EXAMPLE_POSTED,
  EXAMPLE_REJECTED,
  EXAMPLE_RESERVED,
  EXAMPLE_SPREAD,
  EXAMPLE_T as t,
  observed,
} from '../telemetry/example-observations.ts'

const CHANGED = 'reconciliationChanged'

/** Every type of observation, with the severity and the words that it must have wherever it is shown. */
const EXAMPLES: {
  readonly [T in Observation['type']]: readonly (readonly [
    Extract<Observation, { type: T }>,
    'debug' | 'info' | 'warning' | 'critical',
    string,
  ])[]
} = {
  fillPosted: [
    [EXAMPLE_POSTED, 'info', 'ask filled'],
    [{ ...EXAMPLE_POSTED, formula: 'unexplained' }, 'warning', 'no pricing formula'],
  ],
  entryPosted: [
    [{ type: 'entryPosted', entry: EXAMPLE_ENTRY }, 'info', 'posted: deposit'],
    [
      { type: 'entryPosted', entry: { ...EXAMPLE_ENTRY, kind: 'adjustment' } },
      'warning',
      'adjusted: own transfer',
    ],
    [{ type: 'entryPosted', entry: { ...EXAMPLE_ENTRY, kind: 'fill' } }, 'debug', 'posted: fill'],
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
      'warning',
      'a fill row is quarantined: unknown token',
    ],
  ],
  midChanged: [
    [{ type: 'midChanged', t, mid: 2600n * 10n ** 18n, rateUpdatedAt: t, source: 'key' }, 'info', 'mid 2600'],
  ],
  midRefused: [[{ type: 'midRefused', t, reason: 'zero' }, 'warning', 'the mid is rejected: zero']],
  quoteConfirmed: [
    [{ type: 'quoteConfirmed', t, spread: EXAMPLE_SPREAD, by: 'patch' }, 'info', 'bid 40 bps, ask off'],
  ],
  quoteStatusChanged: [
    [{ type: 'quoteStatusChanged', t, status: 'confirmed', why: 'x' }, 'info', 'the quote is confirmed'],
    [
      { type: 'quoteStatusChanged', t, status: 'mismatch', why: 'read 500' },
      'warning',
      'the quote at the venue is not the one that was sent: read 500',
    ],
  ],
  requote: [
    [
      { type: 'requote', t, reason: 'side', spread: EXAMPLE_SPREAD, because: ['too few shillings', 'y'] },
      'info',
      'requote (side) to bid 40 bps, ask off: too few shillings; y',
    ],
  ],
  clamped: [
    [{ type: 'clamped', t, side: 'bid', wanted: 900, sent: 500 }, 'warning', 'bid of 900 bps clamped to 500'],
  ],
  refusal: [
    [
      { type: 'refusal', t, rule: 'mid-age', limit: '1', actual: '2', message: 'the mid is old' },
      'warning',
      'the mid is old (it is 2; the limit is 1)',
    ],
  ],
  tradingStateChanged: [
    [
      { type: 'tradingStateChanged', t, from: 'ACTIVE', to: 'HALTED', why: 'loss' },
      'critical',
      'HALTED: loss',
    ],
    [{ type: 'tradingStateChanged', t, from: 'ACTIVE', to: 'REDUCING', why: 'x' }, 'warning', 'REDUCING: x'],
    [{ type: 'tradingStateChanged', t, from: 'HALTED', to: 'ACTIVE', why: 'x' }, 'info', 'ACTIVE: x'],
  ],
  reconciliationChanged: [
    [
      { type: CHANGED, t, state: 'break', why: 'balances', unreconciled: { USDC: -1_500_001n * 10n ** 12n } },
      'critical',
      'reconciliation break: balances; venue minus ledger: -1.500001 USDC',
    ],
    [{ type: CHANGED, t, state: 'reconciled', why: '', unreconciled: {} }, 'info', 'reconciled'],
    [{ type: CHANGED, t, state: 'reconciled', why: 'equal', unreconciled: {} }, 'info', 'reconciled: equal'],
  ],
  feeModelChanged: [
    [
      { type: 'feeModelChanged', t, model: 'from-position', why: 'x' },
      'warning',
      'the protocol fee is now taken as from-position: x',
    ],
  ],
  strategySuspended: [
    [{ type: 'strategySuspended', t, why: 'it threw' }, 'warning', 'the strategy is suspended: it threw'],
  ],
  strategyFellBack: [
    [{ type: 'strategyFellBack', t, why: 'no k' }, 'warning', 'the strategy fell back: no k'],
    [{ type: 'strategyFellBack', t, why: null }, 'info', 'the strategy no longer falls back'],
  ],
  strategyLoaded: [
    [
      { type: 'strategyLoaded', t, use: 'skew', params: { a: 1 }, sourceHash: 'ab' },
      'info',
      'strategy skew with {"a":1}',
    ],
  ],
  activationChanged: [
    [{ type: 'activationChanged', t, isActive: true, partial: false }, 'info', 'the position is active'],
    [{ type: 'activationChanged', t, isActive: false, partial: false }, 'info', 'as inactive'],
    [
      { type: 'activationChanged', t, isActive: true, partial: true },
      'warning',
      'only part of the position came back to the wallet',
    ],
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
      'warning',
      '5 USDC to 0x1: unknown',
    ],
  ],
  withdrawn: [[{ type: 'withdrawn', t, text: '5 USDC to 0x1', txHash: '0x2' }, 'warning', '5 USDC to 0x1']],
  requestFailed: [
    [
      { type: 'requestFailed', t, request: 3, failure: EXAMPLE_FAILURE },
      'warning',
      'PATCH /spread failed: no answer in 5 s; whether it took effect is unknown',
    ],
    [
      {
        type: 'requestFailed',
        t,
        request: 3,
        failure: { ...EXAMPLE_FAILURE, kind: 'auth', outcome: 'failed' },
      },
      'warning',
      'PATCH /spread failed',
    ],
  ],
  operator: [
    [
      { type: 'operator', t, who: 'ann', why: 'lunch', command: 'halt', accepted: true, answer: 'halted' },
      'info',
      'ann: halt accepted (lunch); halted',
    ],
    [
      { type: 'operator', t, who: 'ann', why: 'lunch', command: 'activate', accepted: false, answer: 'no' },
      'warning',
      'ann: activate refused (lunch); no',
    ],
  ],
  orderReserved: [[EXAMPLE_RESERVED, 'info', 'order 7: ask 200.5 USDC at 2587']],
  orderWithheld: [
    [{ type: 'orderWithheld', t, salt: 7n, why: 'halted' }, 'info', 'order 7 was not signed: halted'],
  ],
  orderPlaced: [
    [{ type: 'orderPlaced', t, salt: 7n, hash: EXAMPLE_HASH }, 'info', 'order 7 is open at the venue'],
  ],
  orderRejected: [
    [
      EXAMPLE_REJECTED,
      'warning',
      'order 7 was rejected by the venue (WRONG_TAKER): the taker is another; it stays outstanding',
    ],
    [
      { ...EXAMPLE_REJECTED, stage: 'sign', code: 'CLOCK', isVoid: true },
      'warning',
      'was not signed (CLOCK)',
    ],
  ],
  orderFilled: [
    [
      { type: 'orderFilled', t, salt: 7n, fill: EXAMPLE_CHAIN_FILL, isWhole: false },
      'info',
      'filled in part',
    ],
    [
      { type: 'orderFilled', t, salt: 7n, fill: EXAMPLE_CHAIN_FILL, isWhole: true },
      'info',
      'order 7 is filled',
    ],
    [
      { type: 'orderFilled', t, salt: null, fill: EXAMPLE_CHAIN_FILL, isWhole: true },
      'critical',
      'that this store does not know',
    ],
  ],
  orderFillUndone: [
    [
      { type: 'orderFillUndone', t, fill: EXAMPLE_CHAIN_FILL },
      'warning',
      'a reorganisation of the chain removed a fill of order 7',
    ],
  ],
  orderResolved: [
    [
      { type: 'orderResolved', t, salt: 7n, how: 'expired' },
      'info',
      'order 7 is no longer outstanding: expired',
    ],
  ],
  cancelSent: [
    [
      { type: 'cancelSent', t, salts: [7n, 8n], how: 'pair', txHash: EXAMPLE_HASH, why: 'the mid moved' },
      'info',
      '2 orders are being cancelled: the mid moved',
    ],
  ],
  alert: [
    [{ type: 'alert', t, severity: 'critical', code: 'x', message: 'look' }, 'critical', 'look'],
    [{ type: 'alert', t, severity: 'warning', code: 'x', message: 'look' }, 'warning', 'look'],
    [{ type: 'alert', t, severity: 'info', code: 'x', message: 'look' }, 'info', 'look'],
  ],
}

const LEVEL = { debug: 'debug', info: 'info', warning: 'warn', critical: 'error' } as const

describe('an observation', () => {
  const rows = Object.values(EXAMPLES).flat()
  test.each(rows.map((row) => [row[0].type, row[1], row] as const))(
    '%s has one severity, %s, and one sentence in the log, the event log and notifications',
    (type, severity, [observation, , words]) => {
      const { lines } = observed(observation)
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatchObject({ event: type, level: LEVEL[severity], position: 'p' })
      expect(lines[0]?.['msg']).toContain(words)
      const notice = noticeOf(observation)
      expect(notice !== null).toBe(isListed(observation))
      if (notice !== null) expect(notice).toMatchObject({ severity, text: lines[0]?.['msg'] })
      const call = createNoticeMapper()(observation)
      if (call?.kind === 'raised') expect(call.severity).toBe(severity)
    },
  )

  test('has no line of the event log where a newer mizani wrote it, or where tables and charts show it', () => {
    const mid = { type: 'midChanged', t, mid: 1n, rateUpdatedAt: null, source: 'key' } as const
    expect(noticeOf(mid)).toBeNull()
    expect(noticeOf({ type: 'ofTomorrow', t } as unknown as Observation)).toBeNull()
    expect(noticeOf({ type: 'constructor', t } as unknown as Observation)).toBeNull()
  })
})
