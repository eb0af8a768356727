import { describe, expect, test } from 'vitest'
import type { Observation } from '../../../../src/core/engine/model/observation.ts'
import { createNoticeMapper } from '../../../../src/daemon/notify/notice.ts'

const T = 1_000

function notices(observations: readonly Observation[]) {
  const noticeOf = createNoticeMapper()
  return observations.flatMap((observation) => noticeOf(observation) ?? [])
}

const lossAlert: Observation = {
  type: 'alert',
  t: T,
  severity: 'critical',
  code: 'loss',
  message: 'trading is halted: the loss is over risk.maxLossTzs',
}
const toHalted: Observation = {
  type: 'tradingStateChanged',
  t: T,
  from: 'ACTIVE',
  to: 'HALTED',
  why: 'the loss is over risk.maxLossTzs',
}

function refusal(rule: string, t = T): Observation {
  return { type: 'refusal', t, rule, limit: '10', actual: '12', message: `about ${rule}` }
}

describe('the notice mapper', () => {
  test.each([
    ['345600000 ms', '345723000 ms', 'about mid-age (it is 4d 0h; the limit is 4d 0h)'],
    ['500 bps', '540.2 bps', 'about mid-age (it is 540.2 bps; the limit is 500 bps)'],
    ['in the market', 'leaving', 'about mid-age'],
    ['0x01', '0x02', 'about mid-age'],
  ])('a limit of %s is shown as a person reads it', (limit, actual, text) => {
    const breach: Observation = { ...refusal('mid-age'), limit, actual } as Observation
    expect(notices([breach])).toMatchObject([{ text }])
  })

  test('an alert, the rule behind it and the change of state are one halt', () => {
    expect(notices([lossAlert, refusal('loss'), toHalted])).toEqual([
      {
        t: T,
        kind: 'raised',
        severity: 'critical',
        code: 'halted',
        text: 'trading is halted: the loss is over risk.maxLossTzs',
        since: null,
        rule: 'loss',
      },
    ])
  })

  test("an operator's halt, which no alert goes before, is notified too, and so is the end", () => {
    const back: Observation = { ...toHalted, t: T + 1, from: 'HALTED', to: 'ACTIVE', why: '' }
    expect(notices([toHalted, back])).toMatchObject([
      { kind: 'raised', code: 'halted', severity: 'critical' },
      { kind: 'lifted', code: 'halted', text: 'trading is ACTIVE again' },
    ])
  })

  test('a reconciliation break and the rule of the same transition are one notice with what differs', () => {
    const gap: Observation = {
      type: 'reconciliationChanged',
      t: T,
      state: 'break',
      why: 'balances differ',
      unreconciled: { USDC: -15n * 10n ** 17n },
    }
    expect(notices([gap, refusal('fills-gap'), refusal('fills-gap', T + 1)])).toMatchObject([
      {
        code: 'fills-gap',
        severity: 'critical',
        text: 'reconciliation break: balances differ; venue minus ledger: -1.5 USDC',
      },
      { code: 'fills-gap', text: 'about fills-gap (it is 12; the limit is 10)' },
    ])
  })

  test('a rule that lets go lifts, except those that halt, whose end is the end of the halt', () => {
    const lifts = (code: string): Observation => ({
      type: 'alert',
      t: T,
      severity: 'info',
      code,
      message: `${code} has lifted`,
    })
    expect(notices([lifts('mid-age'), lifts('loss'), lifts('operator')])).toMatchObject([
      { kind: 'lifted', code: 'mid-age' },
    ])
  })

  test('alerts that are no rules keep their severity and code, and end as information', () => {
    for (const severity of ['info', 'warning', 'critical'] as const) {
      const alert: Observation = { type: 'alert', t: T, severity, code: 'public-rate', message: 'no' }
      const kind = severity === 'info' ? 'lifted' : 'raised'
      expect(notices([alert])).toMatchObject([{ kind, severity, code: 'public-rate', text: 'no' }])
    }
  })

  test('what a person did is information, each command for itself', () => {
    const command = (name: string): Observation => ({
      type: 'operator',
      t: T,
      who: 'anna',
      why: 'lunch',
      command: name,
      accepted: true,
      answer: 'done',
    })
    expect(
      notices([command('pause'), command('resume'), command('shutdown')]).map(({ text }) => text),
    ).toEqual(['anna: pause accepted (lunch); done', 'anna: resume accepted (lunch); done'])
  })

  test('a fill, a requote or a failed poll is no reason to call anybody', () => {
    const quiet: Observation[] = [
      { type: 'midRefused', t: T, reason: 'zero' },
      { type: 'quoteStatusChanged', t: T, status: 'unknown', why: 'x' },
      { type: 'clamped', t: T, side: 'bid', wanted: 5, sent: 10 },
    ]
    expect(notices(quiet)).toEqual([])
  })
})
