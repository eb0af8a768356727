import { describe, expect, test } from 'vitest'
import { noticeOf } from '../../../../src/daemon/runtime/history/recent-notices.ts'
import type { Observation } from '../../../../src/core/engine/model/observation.ts'
import { isListed } from '../../../../src/daemon/catalogue/catalogue.ts'
import { createNoticeMapper } from '../../../../src/daemon/notify/notice.ts'
import { expectGolden } from '../../../support/expect-golden.ts'
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

/** Observations of every type. */
const EXAMPLES: { readonly [T in Observation['type']]: readonly Extract<Observation, { type: T }>[] } = {
  fillPosted: [EXAMPLE_POSTED, { ...EXAMPLE_POSTED, formula: 'unexplained' }],
  entryPosted: [
    { type: 'entryPosted', entry: EXAMPLE_ENTRY },
    { type: 'entryPosted', entry: { ...EXAMPLE_ENTRY, kind: 'adjustment' } },
    { type: 'entryPosted', entry: { ...EXAMPLE_ENTRY, kind: 'fill' } },
  ],
  sample: [
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
  ],
  rowQuarantined: [{ type: 'rowQuarantined', t, row: { id: null, reason: 'unknown token', raw: '{"x":1}' } }],
  midChanged: [{ type: 'midChanged', t, mid: 2600n * 10n ** 18n, rateUpdatedAt: t, source: 'key' }],
  midRefused: [{ type: 'midRefused', t, reason: 'zero' }],
  quoteConfirmed: [{ type: 'quoteConfirmed', t, spread: EXAMPLE_SPREAD, by: 'patch' }],
  quoteStatusChanged: [
    { type: 'quoteStatusChanged', t, status: 'confirmed', why: 'x' },
    { type: 'quoteStatusChanged', t, status: 'mismatch', why: 'read 500' },
  ],
  requote: [
    { type: 'requote', t, reason: 'side', spread: EXAMPLE_SPREAD, because: ['too few shillings', 'y'] },
  ],
  clamped: [
    { type: 'clamped', t, side: 'bid', wanted: 900, sent: 500 },
    { type: 'clamped', t, side: 'ask', wanted: 6.854695996039695, sent: 10 },
  ],
  refusal: [{ type: 'refusal', t, rule: 'mid-age', limit: '1', actual: '2', message: 'the mid is old' }],
  tradingStateChanged: [
    { type: 'tradingStateChanged', t, from: 'ACTIVE', to: 'HALTED', why: 'loss' },
    { type: 'tradingStateChanged', t, from: 'ACTIVE', to: 'REDUCING', why: 'x' },
    { type: 'tradingStateChanged', t, from: 'HALTED', to: 'ACTIVE', why: 'x' },
  ],
  reconciliationChanged: [
    { type: CHANGED, t, state: 'break', why: 'balances', unreconciled: { USDC: -1_500_001n * 10n ** 12n } },
    { type: CHANGED, t, state: 'reconciled', why: '', unreconciled: {} },
    { type: CHANGED, t, state: 'reconciled', why: 'equal', unreconciled: {} },
  ],
  feeModelChanged: [{ type: 'feeModelChanged', t, model: 'from-position', why: 'x' }],
  strategySuspended: [{ type: 'strategySuspended', t, why: 'it threw' }],
  strategyFellBack: [
    { type: 'strategyFellBack', t, why: 'no k' },
    { type: 'strategyFellBack', t, why: null },
  ],
  strategyLoaded: [{ type: 'strategyLoaded', t, use: 'skew', params: { a: 1 }, sourceHash: 'ab' }],
  activationChanged: [
    { type: 'activationChanged', t, isActive: true, partial: false },
    { type: 'activationChanged', t, isActive: false, partial: false },
    { type: 'activationChanged', t, isActive: true, partial: true },
  ],
  withdrawalMoved: [
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
  ],
  withdrawn: [{ type: 'withdrawn', t, text: '5 USDC to 0x1', txHash: '0x2' }],
  requestFailed: [
    { type: 'requestFailed', t, request: 3, failure: EXAMPLE_FAILURE },
    {
      type: 'requestFailed',
      t,
      request: 3,
      failure: { ...EXAMPLE_FAILURE, kind: 'auth', outcome: 'failed' },
    },
  ],
  operator: [
    { type: 'operator', t, who: 'ann', why: 'lunch', command: 'halt', accepted: true, answer: 'halted' },
    { type: 'operator', t, who: 'ann', why: 'lunch', command: 'activate', accepted: false, answer: 'no' },
  ],
  orderReserved: [EXAMPLE_RESERVED],
  orderWithheld: [{ type: 'orderWithheld', t, salt: 7n, why: 'halted' }],
  orderPlaced: [{ type: 'orderPlaced', t, salt: 7n, hash: EXAMPLE_HASH }],
  orderRejected: [EXAMPLE_REJECTED, { ...EXAMPLE_REJECTED, stage: 'sign', code: 'CLOCK', isVoid: true }],
  orderFilled: [
    { type: 'orderFilled', t, salt: 7n, fill: EXAMPLE_CHAIN_FILL, isWhole: false },
    { type: 'orderFilled', t, salt: 7n, fill: EXAMPLE_CHAIN_FILL, isWhole: true },
    { type: 'orderFilled', t, salt: null, fill: EXAMPLE_CHAIN_FILL, isWhole: true },
  ],
  orderFillUndone: [{ type: 'orderFillUndone', t, fill: EXAMPLE_CHAIN_FILL }],
  orderResolved: [{ type: 'orderResolved', t, salt: 7n, how: 'expired' }],
  cancelSent: [
    { type: 'cancelSent', t, salts: [7n, 8n], how: 'pair', txHash: EXAMPLE_HASH, why: 'the mid moved' },
  ],
  alert: [
    { type: 'alert', t, severity: 'critical', code: 'x', message: 'look' },
    { type: 'alert', t, severity: 'warning', code: 'x', message: 'look' },
    { type: 'alert', t, severity: 'info', code: 'x', message: 'look' },
  ],
}

const LEVEL = { debug: 'debug', info: 'info', warn: 'warning', error: 'critical' } as const

describe('an observation', () => {
  test('has one severity and one sentence in the log, the event log and notifications', async () => {
    const golden: string[] = []
    for (const observation of Object.values(EXAMPLES).flat()) {
      const { lines } = observed(observation)
      expect(lines).toMatchObject([{ event: observation.type, position: 'p' }])
      const [{ level, msg: text } = {}] = lines
      const severity = LEVEL[level as keyof typeof LEVEL]
      golden.push(`${observation.type} ${severity}: ${String(text)}`)
      const notice = noticeOf(observation)
      expect([observation.type, notice !== null]).toEqual([observation.type, isListed(observation)])
      if (notice !== null) expect(notice).toMatchObject({ severity, text })
      const call = createNoticeMapper()(observation)
      if (call?.kind === 'raised') expect(call.severity).toBe(severity)
    }
    await expectGolden('observations', golden.join('\n'))
  })

  test('has no line of the event log where a newer mizani wrote it, or where tables and charts show it', () => {
    const mid = { type: 'midChanged', t, mid: 1n, rateUpdatedAt: null, source: 'key' } as const
    expect(noticeOf(mid)).toBeNull()
    expect(noticeOf({ type: 'ofTomorrow', t } as unknown as Observation)).toBeNull()
    expect(noticeOf({ type: 'constructor', t } as unknown as Observation)).toBeNull()
  })
})
