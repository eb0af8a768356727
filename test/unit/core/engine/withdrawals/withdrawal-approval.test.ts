import { describe, expect, it } from 'vitest'
import type { CoreConfig } from '../../../../../src/core/engine/model/config.ts'
import type { OperatorCommand } from '../../../../../src/core/engine/model/event.ts'
import { toBook } from '../../../../../src/base/money/asset.ts'
import { coreConfig, RARE_POLLS } from '../../../../support/core-config.ts'
import { type Harness, runCore } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import { NTZS, USDC } from '../../../../support/taker.ts'
import { accepted, activationAnswer, refused } from '../../../../support/answers.ts'
import { spanText } from '../../../../../src/core/engine/withdrawals/transfer-rules.ts'

const HOME = '0xAbC0000000000000000000000000000000000001'
const THIEF = '0x7000000000000000000000000000000000000007'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const rules: CoreConfig['withdraw'] = {
  enabled: true,
  destinations: [HOME],
  maxPerDay: { USDC: 1_000n * USDC, NTZS: 10_000n * NTZS },
  approvalAboveUsd: 0n,
  coolOffMs: 10 * MINUTE,
  approvalWithinMs: 4 * HOUR,
}
const request = (key: string, more: Partial<Extract<OperatorCommand, { name: 'withdraw' }>> = {}) =>
  ({
    name: 'withdraw',
    asset: 'USDC',
    amount: 400n * USDC,
    toAddress: HOME,
    key,
    by: 'anna',
    ...more,
  }) as const
const approve = (key: string, by = 'juma') => ({ name: 'approveWithdrawal', key, by }) as const

function desk(withdraw = rules, change: Partial<CoreConfig> = {}): Harness {
  return runCore(20_000, { config: { withdraw, activation: 'manual', ...change } })
}
const sent = (one: Harness) => one.effects.filter(({ type }) => type === 'withdraw')
const alerts = (one: Harness) =>
  one.observations.flatMap((told) => (told.type === 'alert' ? [`${told.severity} ${told.code}`] : []))

describe('A withdrawal needs two people: one above withdraw.approvalAboveUsd', () => {
  it('leaves only after another token approved it and the cool-off has passed, and each step is announced', () => {
    const one = desk(rules, { pacing: RARE_POLLS })
    expect(one.order(request('k1'))).toMatchObject(accepted('requested'))
    one.run(HOUR)
    expect(sent(one)).toEqual([])
    expect(one.order(approve('k1'))).toMatchObject({ accepted: true })
    one.run(10 * MINUTE - 1_000)
    expect(sent(one)).toEqual([])
    one.run(2_000)
    expect(sent(one)).toMatchObject([{ asset: 'USDC', amount: 400n * USDC, toAddress: HOME }])
    one.run(MINUTE)
    expect(one.state().withdrawals.requests).toMatchObject([{ key: 'k1', stage: 'done', approvedBy: 'juma' }])
    for (const step of ['requested', 'approved']) expect(alerts(one)).toContain(`critical withdrawal-${step}`)
    expect(one.state().reconciliation.state).toBe('reconciled')
  })

  it.each([
    ['the token that requested it', 'anna', 'another token has to approve it'],
    ['nobody', undefined, 'an approval needs a token'],
  ])('is not approved by %s', (_who, by, answer) => {
    const one = desk(rules, { pacing: RARE_POLLS })
    one.order(request('k1'))
    const told = one.order({ name: 'approveWithdrawal', key: 'k1', ...(by === undefined ? {} : { by }) })
    expect(told).toMatchObject(refused(answer))
    one.run(5 * HOUR)
    expect(sent(one)).toEqual([])
  })

  it('that no one approves in time has ended, and a late approval changes nothing', () => {
    const one = desk(rules, { pacing: RARE_POLLS })
    one.order(request('k1'))
    one.run(4 * HOUR + MINUTE)
    expect(one.order(approve('k1'))).toMatchObject(refused('expired'))
    one.run(HOUR)
    expect(sent(one)).toEqual([])
    expect(alerts(one)).toContain('warning withdrawal-ended')
  })

  it.each([
    ['before it is approved', false],
    ['during the cool-off', true],
  ])('is taken back %s', (_when, isApproved) => {
    const one = desk()
    one.order(request('k1'))
    if (isApproved) one.order(approve('k1'))
    expect(one.order({ name: 'cancelWithdrawal', key: 'k1' })).toMatchObject({ accepted: true })
    expect(one.order(approve('k1', 'zuri'))).toMatchObject({ accepted: false })
    one.run(HOUR)
    expect(sent(one)).toEqual([])
    expect(alerts(one)).toContain('warning withdrawal-cancelled')
  })

  it('without a key is refused, and so is one that came without a token', () => {
    const one = desk()
    const { key: _key, ...without } = request('k1')
    expect(one.order(without)).toMatchObject(refused('no key'))
    const { by: _by, ...nobodys } = request('k2')
    expect(one.order(nobodys)).toMatchObject(refused('token'))
    expect(one.state().withdrawals.requests).toEqual([])
  })

  it('is judged by what left within the day together, and where shillings cannot be valued', () => {
    const one = desk({ ...rules, approvalAboveUsd: 500n * 10n ** 18n })
    expect(one.order(request('a'))).toMatchObject(accepted('withdrawing 400'))
    one.run(30_000)
    expect(one.order(request('b', { amount: 101n * USDC }))).toMatchObject(accepted('nothing has left'))
    const blind = desk(rules, { activation: 'manual' })
    blind.state().market.mid = null
    expect(blind.order(request('c', { asset: 'NTZS', amount: 1n }))).toMatchObject(
      accepted('nothing has left'),
    )
  })

  it('whose destination or cap the next start took away does not leave', () => {
    const one = desk()
    one.order(request('k1'))
    one.order(approve('k1'))
    one.restart(coreConfig({ withdraw: { ...rules, destinations: [] }, activation: 'manual' }))
    one.run(HOUR)
    expect(sent(one)).toEqual([])
    expect(one.state().withdrawals.requests).toMatchObject([{ stage: 'failed' }])
  })

  it('that is approved while the position is in the market waits for the tokens, and not indefinitely', () => {
    const one = desk(rules, { activation: 'auto' })
    one.run(MINUTE)
    expect(one.state().activation.isActive).toBe(true)
    one.order(request('k1'))
    one.order(approve('k1'))
    one.run(HOUR)
    expect(sent(one)).toEqual([])
    expect(one.order({ name: 'deactivate' })).toMatchObject({ accepted: true })
    one.run(MINUTE)
    expect(sent(one)).toHaveLength(1)
  })
})

describe('the key of a withdrawal', () => {
  it('makes the same request, sent again, the same withdrawal, also after the process was killed', () => {
    const one = desk({ ...rules, approvalAboveUsd: null })
    one.venue.answers.withdraw = (effect) => {
      if (effect.type === 'withdraw') one.venue.amounts[effect.asset] -= toBook(effect.amount, effect.asset)
      return 'silence'
    }
    expect(one.order(request('k1'))).toMatchObject({ accepted: true })
    one.restart()
    expect(one.order(request('k1'))).toMatchObject(refused('no clear answer'))
    one.run(3 * MINUTE)
    expect(one.order(request('k1'))).toMatchObject(accepted('was done'))
    expect(sent(one)).toHaveLength(1)
  })

  it('approved live does not leave in a dry run, which approves none and lets it expire', () => {
    const one = desk()
    one.order(request('k1'))
    one.order(request('k2', { amount: 100n * USDC }))
    one.order(approve('k1'))
    one.restart(coreConfig({ withdraw: rules, activation: 'manual', mode: 'dry-run' }))
    expect(one.order(approve('k2'))).toMatchObject(refused('dry run'))
    one.run(5 * HOUR)
    expect(sent(one)).toEqual([])
    expect(one.state().withdrawals.requests.map(({ stage }) => stage)).toEqual(['expired', 'expired'])
  })

  it('keeps a request and its approval over a restart, and the cool-off runs on', () => {
    const one = desk()
    one.order(request('k1'))
    one.restart()
    one.run(MINUTE)
    one.order(approve('k1'))
    one.run(5 * MINUTE)
    one.restart()
    one.run(5 * MINUTE + 30_000)
    expect(sent(one)).toHaveLength(1)
  })

  it('on another withdrawal is refused', () => {
    const one = desk({ ...rules, approvalAboveUsd: null })
    one.order(request('k1'))
    one.run(30_000)
    for (const other of [{ amount: 401n * USDC }, { asset: 'NTZS', amount: NTZS }] as const)
      expect(one.order(request('k1', other))).toMatchObject(refused('another withdrawal'))
    expect(sent(one)).toHaveLength(1)
  })

  it('of one that certainly failed sends nothing again: a person takes a new one', () => {
    const one = desk({ ...rules, approvalAboveUsd: null })
    one.venue.answers.withdraw = () => failureOf('refused', { code: 'INSUFFICIENT_BALANCE' })
    one.order(request('k1'))
    one.run(5_000)
    delete one.venue.answers.withdraw
    expect(one.order(request('k1'))).toMatchObject(refused('new key'))
    expect(one.order(request('k2'))).toMatchObject({ accepted: true })
  })
})

describe('a destination that is added later', () => {
  const widened = (more: Partial<CoreConfig['withdraw']>) =>
    coreConfig({
      withdraw: { ...rules, approvalAboveUsd: null, ...more },
      activation: 'manual',
      pacing: RARE_POLLS,
    })

  it('receives nothing for 24 hours, while those of the first configuration receive at once', () => {
    const one = desk({ ...rules, approvalAboveUsd: null })
    one.restart(widened({ destinations: [HOME, THIEF] }))
    one.run(20_000)
    expect(alerts(one)).toContain('critical withdraw-widened')
    expect(one.order(request('k1', { toAddress: THIEF }))).toMatchObject(refused('24 h'))
    one.run(23 * HOUR + 50 * MINUTE)
    expect(one.order(request('k2', { toAddress: THIEF }))).toMatchObject({ accepted: false })
    expect(one.order(request('k3', { amount: USDC }))).toMatchObject({ accepted: true })
    one.run(11 * MINUTE)
    expect(one.order(request('k4', { toAddress: THIEF }))).toMatchObject({ accepted: true })
  })

  it('waits again where it was taken out in between', () => {
    const one = desk({ ...rules, approvalAboveUsd: null })
    one.restart(widened({ destinations: [THIEF] }))
    one.run(25 * HOUR)
    one.restart(widened({ destinations: [HOME] }))
    one.restart(widened({ destinations: [HOME, THIEF] }))
    one.run(20_000)
    expect(one.order(request('k1', { toAddress: THIEF }))).toMatchObject({ accepted: false })
    expect(one.order(request('k2'))).toMatchObject({ accepted: false })
  })

  it.each([
    ['a larger cap', { maxPerDay: { USDC: 1_001n * USDC, NTZS: 10_000n * NTZS } }, true],
    ['a shorter cool-off', { coolOffMs: 0 }, true],
    ['a smaller cap', { maxPerDay: { USDC: 1n } }, false],
    ['a longer cool-off', { coolOffMs: HOUR }, false],
    ['withdrawals off', { enabled: false }, false],
  ])('%s at a start is announced as critical where it lets more out', (_what, change, isTold) => {
    const one = desk({ ...rules, approvalAboveUsd: null })
    one.restart(widened(change))
    expect(alerts(one).includes('critical withdraw-widened')).toBe(isTold)
  })

  it('a limit without a second person is announced where there was one before', () => {
    const one = desk()
    one.restart(widened({}))
    expect(alerts(one)).toContain('critical withdraw-widened')
  })
})

describe('after a partial deactivation', () => {
  it('what the pool gave back may leave, and what it kept may not', () => {
    const one = desk({ ...rules, approvalAboveUsd: null }, { activation: 'auto' })
    one.run(MINUTE)
    one.venue.answers.activate = () => activationAnswer({ isActive: true, partial: true, returned: ['USDC'] })
    expect(one.order({ name: 'deactivate' })).toMatchObject({ accepted: true })
    one.run(1_000)
    expect(one.state().activation.isActive).toBe(true)
    one.venue.answers.activate = () => 'silence'
    expect(one.order(request('k1', { asset: 'NTZS', amount: NTZS }))).toMatchObject({ accepted: false })
    const told = one.order(request('k2'))
    expect(told).toMatchObject({ accepted: true })
    expect(sent(one)).toHaveLength(1)
  })
})

it('deactivation never needs an approval', () => {
  const one = desk(rules, { activation: 'auto' })
  one.run(MINUTE)
  one.order({ name: 'deactivate' })
  one.run(10_000)
  expect(one.state().activation.isActive).toBe(false)
})

it('a journal of a version that knew no keys replays as it was: no key, no approval, no waiting', () => {
  const { approvalAboveUsd: _a, coolOffMs: _c, approvalWithinMs: _w, ...old } = rules
  const one = desk(old)
  const { key: _key, by: _by, ...plain } = request('k1')
  expect(one.order(plain)).toMatchObject({ accepted: true })
  expect(sent(one)).toHaveLength(1)
})

describe("A withdrawal inside of the treasury's envelope", () => {
  it('needs no second approval and no second cool-off, for people approved the envelope; the allow-list and the cap hold', () => {
    const one = desk()
    const approvedBy = ['anna', 'juma']
    expect(one.order(request('t1', { approvedBy }))).toMatchObject({ accepted: true })
    one.run(MINUTE)
    expect(sent(one)).toHaveLength(1)
    expect(one.state().withdrawals.requests).toMatchObject([
      { key: 't1', stage: 'done', approvedBy: 'anna, juma' },
    ])
    expect(one.order(request('t2', { approvedBy, toAddress: THIEF }))).toMatchObject({ accepted: false })
    expect(one.order(request('t3', { approvedBy, amount: 900n * USDC }))).toMatchObject({ accepted: false })
    expect(sent(one)).toHaveLength(1)
  })

  it('is sent once however often it is ordered with its key, and never without one', () => {
    const one = desk()
    one.order(request('t1', { approvedBy: [] }))
    one.run(MINUTE)
    expect(one.order(request('t1', { approvedBy: [] }))).toMatchObject(accepted('was done'))
    const { key: _none, ...keyless } = request('t2', { approvedBy: [] })
    expect(one.order(keyless)).toMatchObject({ accepted: false })
    one.run(MINUTE)
    expect(sent(one)).toHaveLength(1)
  })
})

describe('A halt', () => {
  const holding = { ...rules, haltHolds: true } as const
  const approved = (withdraw: CoreConfig['withdraw'] = holding) => {
    const one = desk(withdraw, { pacing: RARE_POLLS })
    one.order(request('k1'))
    one.order(approve('k1'))
    one.run(MINUTE)
    return one
  }

  it('holds what is approved and has not left; a resume does not release it, another approval does', () => {
    const one = approved()
    one.order({ name: 'halt' })
    one.run(HOUR)
    expect(sent(one)).toEqual([])
    one.order({ name: 'resume' })
    one.run(HOUR)
    expect(sent(one)).toEqual([])
    expect(one.order(approve('k1', 'anna'))).toMatchObject({ accepted: false })
    expect(one.order(approve('k1'))).toMatchObject({ accepted: true })
    one.run(9 * MINUTE)
    expect(sent(one)).toEqual([])
    one.run(2 * MINUTE)
    expect(sent(one)).toHaveLength(1)
  })

  it('of a rule holds too, also over a restart, and what is held ends when its time is over', () => {
    const one = approved()
    one.state().authFailure = 'the venue refused the key'
    one.order({ name: 'ack', codes: [] })
    expect(one.state().latch.halted?.rule).not.toBe('operator')
    one.restart()
    one.run(3 * HOUR)
    expect(sent(one)).toEqual([])
    one.run(2 * HOUR)
    expect(one.state().withdrawals.requests[0]?.stage).toBe('expired')
  })

  it('lets what is requested and approved during it leave, until a second halt', () => {
    const one = desk(holding, { pacing: RARE_POLLS })
    one.order({ name: 'halt' })
    for (const key of ['k1', 'k2']) {
      one.order(request(key))
      one.order(approve(key))
      one.restart()
      one.run(MINUTE)
      if (key === 'k2') one.order({ name: 'halt' })
      one.run(HOUR)
    }
    expect(one.state().withdrawals.requests.map(({ stage }) => stage)).toEqual(['done', 'approved'])
  })

  it('of a journal from before it held anything holds nothing', () => {
    const one = approved(rules)
    one.order({ name: 'halt' })
    one.run(HOUR)
    expect(sent(one)).toHaveLength(1)
  })

  it('is no obstacle to a cancellation, and one without a key cancels all that are open', () => {
    const one = approved()
    one.order(request('k2'))
    one.order({ name: 'halt' })
    expect(one.order({ name: 'cancelWithdrawal', key: null })).toMatchObject({ accepted: true })
    expect(one.state().withdrawals.requests.map(({ stage }) => stage)).toEqual(['cancelled', 'cancelled'])
    expect(one.order({ name: 'cancelWithdrawal', key: null })).toMatchObject({ accepted: true })
    expect(one.order({ name: 'cancelWithdrawal', key: 'k9' })).toMatchObject({ accepted: false })
  })
})

it('a span below a minute is stated in seconds, and a longer one is rounded up to minutes', () => {
  expect([20_000, 60_000, 60_001, 86_340_000].map(spanText)).toEqual([
    '20 s',
    '1 min',
    '2 min',
    '23 h 59 min',
  ])
})
