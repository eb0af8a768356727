import { describe, expect, it, test } from 'vitest'
import type { Asset } from '../../../../../src/base/money/asset.ts'
import type { CoreConfig } from '../../../../../src/core/engine/model/config.ts'
import type { Effect } from '../../../../../src/core/engine/model/effect.ts'
import type { VenueFailure } from '../../../../../src/core/engine/model/venue-answer.ts'
import { buildView, readiness } from '../../../../../src/daemon/view/position-view.ts'
import { fillsAnswer } from '../../../../support/answers.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { coreHarness, type Harness } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import { bringDollars, USD } from '../../../../support/taker.ts'

const LIMIT_MS = 90_000

function desk(risk: Partial<CoreConfig['risk']> = { maxUnreadableMs: LIMIT_MS }, isStrict = true): Harness {
  const one = coreHarness({
    config: {
      ...(isStrict && { strictReadings: true }),
      risk: { ...coreConfig().risk, errorCyclesThreshold: 1_000, onHalt: 'safe', ...risk },
    },
  })
  // Past the first minute, in which the start has taken most of the budget.
  one.run(80_000)
  expect(one.state().reconciliation.state).toBe('reconciled')
  return one
}

const unreadable = (route: string, field: string): VenueFailure =>
  failureOf('malformed', { status: 200, route, message: `${route}: 200, but ${field}: not an amount` })

const ready = (one: Harness) => readiness(one.state(), one.now)
const shown = (one: Harness) => buildView(one.state(), one.now, { seq: 1, digest: '' }).reconciliation
const alerts = (one: Harness) =>
  one.observations.filter(
    (seen) => seen.type === 'alert' && seen.code === 'unreadable' && seen.severity !== 'info',
  )

/** Lets time pass until it holds; returns how long that took. */
function until(one: Harness, holds: () => boolean): number {
  const began = one.now
  while (!holds() && one.now - began < 300_000) one.run(100)
  return one.now - began
}

const POLLS: readonly [string, Effect['type'], string][] = [
  ['balances', 'readBalances', 'ntzs'],
  ['fills', 'readFills', 'fills'],
  ['rate', 'readRate', 'midRateTZS'],
  ['account', 'readAccount', 'isActive'],
]

describe('a figure that cannot be read', () => {
  test.each(POLLS)(
    'of %s ends reconciled at its first answer, with the safe quote by 45 s and a halt by 90 s of answered time',
    (what, effect, field) => {
      const one = desk()
      let firstAt = 0
      one.venue.answers[effect] = () => {
        firstAt ||= one.now
        return unreadable(`GET /${what}`, field)
      }
      until(one, () => firstAt > 0)
      one.run(100)
      expect(one.state().reconciliation.state).toBe('pending')
      expect(ready(one)).toMatchObject({ ready: false, why: [expect.stringContaining(what)] })
      expect(shown(one).unreadable).toEqual([expect.stringContaining(field)])
      expect(alerts(one)).toMatchObject([{ severity: 'warning', message: expect.stringContaining(field) }])
      until(one, () => one.venue.held.bidBps === 500)
      expect(one.now - firstAt).toBeLessThanOrEqual(45_000)
      until(one, () => one.state().latch.halted !== null)
      expect(one.state().latch.halted?.rule).toBe('unreadable')
      expect(one.now - firstAt).toBeGreaterThanOrEqual(LIMIT_MS)
      expect(one.now - firstAt).toBeLessThanOrEqual(LIMIT_MS + 8_000)
    },
  )

  it('that can be read again brings reconciled back after the balances match, and halts nothing', () => {
    const one = desk()
    one.venue.answers.readBalances = () => unreadable('GET /balances', 'usdc')
    one.run(40_000)
    expect(ready(one).ready).toBe(false)
    delete one.venue.answers.readBalances
    one.run(35_000)
    expect(one.state().reconciliation.state).toBe('reconciled')
    expect(ready(one)).toEqual({ ready: true, why: [] })
    one.run(120_000)
    expect(one.state().latch.halted).toBeNull()
  })

  it('of the account leaves open whether the position is in the market, and a deactivation meanwhile is found as a foreign one', () => {
    const one = desk({ maxUnreadableMs: LIMIT_MS, foreignWrites: 'latch' })
    one.venue.answers.readAccount = () => unreadable('GET /account', 'isActive')
    until(one, () => !ready(one).ready)
    one.venue.isActive = false
    const view = buildView(one.state(), one.now, { seq: 1, digest: '' })
    expect(view).toMatchObject({ isActive: null, live: { isActive: null } })
    expect(ready(one).why).toEqual([expect.stringMatching(/GET \/account: .*isActive/)])
    delete one.venue.answers.readAccount
    one.run(35_000)
    expect(shown(one).unreadable).toEqual([])
    expect(one.state().activation.isActive).toBe(false)
    expect(one.observations).toContainEqual(
      expect.objectContaining({ type: 'alert', code: 'foreign-write', severity: 'critical' }),
    )
  })

  it('of the account counts for nothing in a journal from before it counted', () => {
    const one = desk({ maxUnreadableMs: LIMIT_MS }, false)
    one.venue.answers.readAccount = () => unreadable('GET /account', 'isActive')
    one.run(200_000)
    expect(one.state().reconciliation.unreadable.figures).toEqual({})
    expect(one.state().latch.halted).toBeNull()
  })

  it('does not grow older while the venue is silent', () => {
    const one = desk()
    one.venue.answers.readBalances = () => unreadable('GET /balances', 'usdc')
    until(one, () => !ready(one).ready)
    for (const effect of [
      'readBalances',
      'readFills',
      'readRate',
      'readAccount',
      'readQuote',
      'setQuote',
    ] as const)
      one.venue.answers[effect] = () => failureOf('timeout')
    one.run(600_000)
    expect(one.state().latch.halted).toBeNull()
  })

  it('counts for nothing in a journal whose configuration has no limit', () => {
    const one = desk({})
    one.venue.answers.readBalances = () => unreadable('GET /balances', 'usdc')
    one.run(200_000)
    expect(one.state().reconciliation).toMatchObject({ state: 'reconciled', unreadable: { figures: {} } })
    expect(one.state().latch.halted).toBeNull()
  })
})

test.each([
  ['time-outs', failureOf('timeout')],
  ['5xx', failureOf('server', { status: 500 })],
  ['429', failureOf('rate-limit', { status: 429, retryAfterMs: 1_000 })],
  ['broken JSON', failureOf('malformed', { status: 200, code: 'NOT_JSON' })],
  ['redirects', failureOf('malformed', { status: 302 })],
])('%s of the balances leave the position ready and reconciled', (_what, failure) => {
  const one = desk()
  let asked = 0
  one.venue.answers.readBalances = () => {
    asked += 1
    return failure
  }
  until(one, () => asked > 2)
  expect(ready(one)).toEqual({ ready: true, why: [] })
  expect(one.state().reconciliation.unreadable.figures).toEqual({})
})

describe('a row of fills that cannot be read', () => {
  const bad = (one: Harness, id: string | null = 'x1', raw = '{"id":"x1"}') =>
    one.give(
      fillsAnswer({
        t: one.now,
        request: 0,
        sentAt: one.now,
        quarantined: [{ id, reason: 'amountIn: not an amount', raw }],
        repeated: 1,
      }),
    )

  it('ends reconciled until a person resumes after the balances match, and counts no longer after a restart', () => {
    const one = desk()
    bad(one)
    expect(ready(one).why).toEqual([expect.stringMatching(/row #x1: amountIn/)])
    one.run(60_000)
    expect(one.state().reconciliation.state).toBe('pending')
    const { answer } = one.order({ name: 'resume' })
    expect(answer).toContain('row #x1')
    expect(one.state().reconciliation.state).toBe('reconciled')
    one.restart()
    one.run(10_000)
    bad(one)
    one.run(120_000)
    expect(one.state().reconciliation.state).toBe('reconciled')
    expect(one.state().latch.halted).toBeNull()
  })

  it('is not accepted by resume while the balances differ', () => {
    const one = desk()
    bad(one)
    one.venue.amounts.USDC -= 3n * USD
    one.run(20_000)
    expect(one.order({ name: 'resume' }).answer).toContain('row #x1')
    expect(Object.keys(one.state().reconciliation.unreadable.figures)).toEqual(['row #x1'])
  })

  it('is not accepted by resume before a reading after it equals the ledger', () => {
    const one = desk()
    bad(one)
    expect(one.order({ name: 'resume' }).answer).toContain('row #x1')
    one.run(20_000)
    one.order({ name: 'resume' })
    expect(one.state().reconciliation.state).toBe('reconciled')
  })

  it('without an id is known by its text', () => {
    const one = desk()
    bad(one, null, '{"amountIn":"?"}')
    bad(one, null, '{"amountIn":"?"}')
    bad(one, null, '{"amountIn":"!"}')
    expect(Object.keys(one.state().reconciliation.unreadable.figures)).toHaveLength(2)
    expect(alerts(one)).toHaveLength(2)
  })

  it('without an id stops counting once an answer has none and a reading after it equals the ledger', () => {
    const one = desk()
    bad(one, null, '{"amountIn":"?"}')
    one.run(1_000)
    expect(ready(one).ready).toBe(false)
    one.run(30_000)
    expect(ready(one)).toEqual({ ready: true, why: [] })
    expect(one.state().reconciliation.unreadable.figures).toEqual({})
  })

  it('without an id counts for as long as each answer has one, whatever its text, and while the balances differ', () => {
    const [always, differs] = [desk(), desk()]
    for (let n = 0; n < 60; n += 1) {
      const row = { id: null, reason: 'amountIn: not an amount', raw: `{"n":${n}}` }
      always.venue.answers.readFills = () =>
        fillsAnswer({ sentAt: always.now, quarantined: [row], repeated: 1 })
      always.run(2_000)
    }
    expect(always.state().latch.halted?.rule).toBe('unreadable')
    bad(differs, null, '{"amountIn":"?"}')
    differs.venue.amounts.USDC -= 3n * USD
    differs.run(20_000)
    expect(Object.keys(differs.state().reconciliation.unreadable.figures)).toHaveLength(1)
  })

  it('stops counting when the venue sends it in a form that can be read, and is booked then', () => {
    const one = desk()
    const fill = bringDollars(one.venue, 100n * USD)
    one.venue.fills.pop()
    bad(one, fill.id)
    one.venue.fills.push(fill)
    one.run(30_000)
    expect(one.state().reconciliation.state).toBe('reconciled')
    expect(one.state().flow.count.ask).toBe(1)
  })

  it('that the first answer shows before the opening is in the opening, and counts for nothing', () => {
    const one = coreHarness({ config: { risk: { ...coreConfig().risk, maxUnreadableMs: LIMIT_MS } } })
    bad(one)
    one.run(60_000)
    expect(ready(one)).toEqual({ ready: true, why: [] })
    expect(one.state().reconciliation.unreadable.accepted).toEqual(['row #x1'])
  })

  it('halts after 90 s of answered time, however often balances match', () => {
    const one = desk()
    bad(one)
    one.run(LIMIT_MS + 4_000)
    expect(one.state().latch.halted?.rule).toBe('unreadable')
  })
})

describe('a token that the balances do not state', () => {
  const without = (one: Harness, asset: Asset) => {
    const { [asset]: _, ...amounts } = one.venue.amounts
    return { type: 'balances', sentAt: one.now, amounts, source: null } as const
  }

  it('is unreadable where the venue stated it before at that source and the ledger holds some', () => {
    const one = desk()
    one.venue.answers.readBalances = () => without(one, 'USDC')
    until(one, () => !ready(one).ready)
    expect(shown(one)).toMatchObject({
      state: 'pending',
      unreadable: [expect.stringMatching(/: USDC .* pool/)],
    })
    delete one.venue.answers.readBalances
    one.run(35_000)
    expect(shown(one)).toMatchObject({ state: 'reconciled', unreadable: [] })
  })

  it('blocks nothing where the venue never stated it, and is shown as not stated', () => {
    const one = coreHarness({
      config: { risk: { ...coreConfig().risk, maxUnreadableMs: LIMIT_MS } },
    })
    one.venue.answers.readBalances = () => without(one, 'USDT')
    one.run(60_000)
    expect(shown(one)).toMatchObject({
      state: 'reconciled',
      covers: ['NTZS', 'USDC', 'USDT.bnb'],
      notStated: ['USDT'],
      unreadable: [],
    })
    // Absent is not stated; a zero would be a figure of the venue.
    const { balances } = buildView(one.state(), one.now, { seq: 1, digest: '' })
    expect(Object.keys(balances)).toEqual(['NTZS', 'USDC', 'USDT.bnb'])
  })

  it('is shown as not stated also for the chain of which the ledger holds nothing', () => {
    const one = coreHarness({ config: { risk: { ...coreConfig().risk, maxUnreadableMs: LIMIT_MS } } })
    one.venue.answers.readBalances = () => without(one, 'USDT.bnb')
    one.run(60_000)
    expect(shown(one)).toMatchObject({ state: 'reconciled', notStated: ['USDT.bnb'] })
  })
})
