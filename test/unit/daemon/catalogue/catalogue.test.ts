import { describe, expect, test } from 'vitest'
import { noticeOf } from '../../../../src/daemon/runtime/history/notices.ts'
import type { Observation } from '../../../../src/core/engine/model/observation.ts'
import { createNoticeMapper } from '../../../../src/daemon/notify/notice.ts'
import { createLog } from '../../../../src/daemon/telemetry/log/log.ts'
import { createMetrics } from '../../../../src/daemon/telemetry/metrics/metrics.ts'
import { createObserver } from '../../../../src/daemon/telemetry/observer.ts'
import { EXAMPLE_CHAIN_FILL, EXAMPLE_HASH } from '../telemetry/example-chain-fill.ts'

const t = 1_700_000_000_000
const spread = { bidBps: 40, askBps: 75, quoteBid: true, quoteAsk: false, quotePairs: null }
const failure = {
  route: 'spread',
  status: 500,
  kind: 'server',
  code: 'X',
  message: 'it broke',
  outcome: 'unknown',
  retriable: true,
  retryAfterMs: null,
} as unknown as Extract<Observation, { type: 'requestFailed' }>['failure']

const EXAMPLES: readonly (readonly [Observation, string, string])[] = [
  [{ type: 'midRefused', t, reason: 'zero' }, 'warning', 'the mid is rejected: zero'],
  [{ type: 'quoteStatusChanged', t, status: 'confirmed', why: 'x' }, 'info', 'the quote is confirmed'],
  [
    { type: 'quoteStatusChanged', t, status: 'mismatch', why: 'x' },
    'warning',
    'the quote at the venue is not the one that was sent: x',
  ],
  [
    { type: 'requote', t, reason: 'side', spread, because: ['too few shillings', 'y'] },
    'info',
    'requote (side) to bid 40 bps, ask off: too few shillings; y',
  ],
  [{ type: 'clamped', t, side: 'bid', wanted: 900, sent: 500 }, 'warning', 'bid of 900 bps clamped to 500'],
  [
    { type: 'refusal', t, rule: 'mid-age', limit: '1', actual: '2', message: 'the mid is old' },
    'warning',
    'the mid is old (it is 2; the limit is 1)',
  ],
  [{ type: 'tradingStateChanged', t, from: 'ACTIVE', to: 'HALTED', why: 'loss' }, 'critical', 'HALTED: loss'],
  [{ type: 'tradingStateChanged', t, from: 'ACTIVE', to: 'REDUCING', why: 'x' }, 'warning', 'REDUCING: x'],
  [{ type: 'tradingStateChanged', t, from: 'HALTED', to: 'ACTIVE', why: 'x' }, 'info', 'ACTIVE: x'],
  [
    {
      type: 'reconciliationChanged',
      t,
      state: 'break',
      why: 'balances',
      unreconciled: { USDC: -1_500_001n * 10n ** 12n },
    },
    'critical',
    'reconciliation break: balances; venue minus ledger: -1.500001 USDC',
  ],
  [
    { type: 'reconciliationChanged', t, state: 'reconciled', why: '', unreconciled: {} },
    'info',
    'reconciled',
  ],
  [
    { type: 'feeModelChanged', t, model: 'from-position', why: 'x' },
    'warning',
    'the protocol fee is now taken as from-position: x',
  ],
  [{ type: 'strategySuspended', t, why: 'it threw' }, 'warning', 'the strategy is suspended: it threw'],
  [{ type: 'strategyFellBack', t, why: 'no k' }, 'warning', 'the strategy fell back: no k'],
  [{ type: 'strategyFellBack', t, why: null }, 'info', 'the strategy no longer falls back'],
  [
    { type: 'strategyLoaded', t, use: 'skew', params: { a: 1 }, sourceHash: '' },
    'info',
    'strategy skew with {"a":1}',
  ],
  [
    { type: 'activationChanged', t, isActive: false, partial: true },
    'warning',
    'only part of the position came back to the wallet',
  ],
  [{ type: 'activationChanged', t, isActive: true, partial: false }, 'info', 'the position is active'],
  [{ type: 'withdrawn', t, text: '5 USDC left', txHash: null }, 'warning', '5 USDC left'],
  [
    { type: 'requestFailed', t, request: 1, failure },
    'warning',
    'spread failed: it broke; whether it took effect is unknown',
  ],
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
  [{ type: 'alert', t, severity: 'critical', code: 'x', message: 'look' }, 'critical', 'look'],
  [
    {
      type: 'orderReserved',
      t,
      salt: 7n,
      side: 'ask',
      stable: 'USDC',
      usd: 2005n * 10n ** 17n,
      priceTzs: 2587n * 10n ** 18n,
      expiry: t,
    },
    'info',
    'order 7: ask 200.5 USDC at 2587',
  ],
  [{ type: 'orderWithheld', t, salt: 7n, why: 'halted' }, 'info', 'order 7 was not signed: halted'],
  [{ type: 'orderPlaced', t, salt: 7n, hash: EXAMPLE_HASH }, 'info', 'order 7 is open at the venue'],
  [
    { type: 'orderRejected', t, salt: 7n, stage: 'submit', code: 'WRONG', isVoid: false, message: 'no' },
    'warning',
    'order 7 was rejected by the venue (WRONG): no; it stays outstanding',
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
  [
    { type: 'orderFillUndone', t, fill: EXAMPLE_CHAIN_FILL },
    'warning',
    'a reorganisation of the chain removed a fill of order 7',
  ],
  [
    { type: 'orderResolved', t, salt: 7n, how: 'expired' },
    'info',
    'order 7 is no longer outstanding: expired',
  ],
  [
    { type: 'cancelSent', t, salts: [7n, 8n], how: 'each', txHash: EXAMPLE_HASH, why: 'asked' },
    'info',
    '2 orders are being cancelled: asked',
  ],
]

describe('a line of the event log', () => {
  test.each(EXAMPLES.map((example) => [example[0].type, ...example] as const))(
    'of %s is a sentence with how grave it is',
    (_type, observation, severity, text) => {
      const notice = noticeOf(observation)
      expect(notice?.severity).toBe(severity)
      expect(notice?.text).toContain(text)
    },
  )

  test('is not made of what has tables and charts of its own, nor of what a newer mizani wrote', () => {
    const mid = { type: 'midChanged', t, mid: 1n, rateUpdatedAt: null, source: 'key' } as const
    expect(noticeOf(mid)).toBeNull()
    expect(noticeOf({ type: 'ofTomorrow', t } as unknown as Observation)).toBeNull()
    expect(noticeOf({ type: 'constructor', t } as unknown as Observation)).toBeNull()
  })
})

const LEVEL = { info: 'info', warning: 'warn', critical: 'error' } as const

test.each(EXAMPLES.map((example) => [example[0].type, example[0]] as const))(
  'log, event log and notification show %s with one severity and one sentence',
  (_type, observation) => {
    const written: string[] = []
    const log = createLog({ position: 'p', level: 'trace', to: { write: (line) => void written.push(line) } })
    createObserver(log, createMetrics('p'))(observation)
    const listed = noticeOf(observation)
    const line = JSON.parse(written.join('')) as Readonly<Record<string, unknown>>
    expect(line).toMatchObject({ level: LEVEL[listed?.severity ?? 'info'], msg: listed?.text })
    const notice = createNoticeMapper()(observation)
    if (notice?.kind === 'raised') expect(notice.severity).toBe(listed?.severity)
  },
)
