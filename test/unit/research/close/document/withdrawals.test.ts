import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../../src/base/time.ts'
import type { CloseWithdrawal } from '../../../../../src/research/close/document/document.ts'
import { withdrawalsAfter } from '../../../../../src/research/close/document/withdrawals.ts'
import type { CoreConfig } from '../../../../../src/core/engine/model/config.ts'
import type { Observation } from '../../../../../src/core/engine/model/observation.ts'
import { formatTokens, toBook } from '../../../../../src/base/money/asset.ts'
import type { DayReader } from '../../../../../src/store/export/day-reader.ts'
import { coreHarness, type Harness } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import { USDC } from '../../../../support/taker.ts'

const HOME = '0xAbC0000000000000000000000000000000000001'
const RULES: CoreConfig['withdraw'] = {
  enabled: true,
  destinations: [HOME],
  maxPerDay: { USDC: 5_000n * USDC },
  approvalAboveUsd: 100n * 10n ** 18n,
  coolOffMs: 10 * MINUTE_MS,
  approvalWithinMs: 4 * HOUR_MS,
}

function desk(withdraw: CoreConfig['withdraw'] = RULES): Harness {
  const one = coreHarness({ config: { withdraw, activation: 'manual' } })
  one.run(20_000)
  return one
}

const request = (key: string, dollars: bigint) =>
  ({ name: 'withdraw', asset: 'USDC', amount: dollars * USDC, toAddress: HOME, key, by: 'anna' }) as const

type Moved = Extract<Observation, { readonly type: 'withdrawalMoved' }>
const movedIn = (observations: readonly Observation[]) =>
  observations.filter((one): one is Moved => one.type === 'withdrawalMoved')

/** A store that has these observations, each under a number of its own. */
const readerOf = (observations: readonly Observation[]) => ({
  notices: ((_type: string, from: number, to: number) =>
    movedIn(observations).filter(
      (_one, index) => index + 1 >= from && index + 1 <= to,
    )) as DayReader['notices'],
})

function underWay(one: Harness, before: readonly CloseWithdrawal[] | null = null, from = 1) {
  const range = { first: from, last: movedIn(one.observations).length }
  return withdrawalsAfter(readerOf(one.observations), before, range, one.now)
}

/** What the daemon itself has under way. */
const known = (one: Harness) =>
  one
    .state()
    .withdrawals.requests.filter(({ stage }) => ['waiting', 'approved', 'sent', 'unknown'].includes(stage))
    .map(({ key, amount, stage, toAddress }) => ({
      key,
      amount: formatTokens(amount, 'USDC'),
      stage,
      to: toAddress,
    }))

describe('withdrawals under way in a close', () => {
  test('are those that the daemon has, at every stage, with who asked and when it leaves', () => {
    const one = desk()
    const stages: unknown[] = []
    const look = () => {
      const shown = underWay(one)
      expect(shown).toMatchObject(known(one))
      expect(shown).toHaveLength(known(one).length)
      stages.push(shown.map(({ key, stage }) => `${key} ${stage}`).join(', '))
    }
    one.order(request('k1', 400n))
    look()
    one.order(request('k2', 300n))
    one.order({ name: 'approveWithdrawal', key: 'k1', by: 'juma' })
    look()
    expect(underWay(one).find(({ key }) => key === 'k1')).toMatchObject({
      who: expect.any(String) as string,
      leavesAt: new Date(one.now + 10 * MINUTE_MS).toISOString(),
    })
    one.venue.answers.withdraw = () => 'silence'
    one.run(10 * MINUTE_MS + 1_000)
    look()
    // Anyone who starts again does not know what became of it.
    one.restart()
    look()
    one.order({ name: 'cancelWithdrawal', key: 'k2' })
    look()
    expect(stages).toEqual([
      'k1 waiting',
      'k1 approved, k2 waiting',
      'k1 sent, k2 waiting',
      'k1 unknown, k2 waiting',
      'k1 unknown',
    ])
  })

  test('end where the venue did them or refused them, where no one approved them, and where the balances show them', () => {
    const one = desk()
    one.order(request('small', 50n))
    expect(underWay(one)).toMatchObject([
      { key: 'small', stage: 'sent', to: HOME, who: expect.any(String) as string },
    ])
    one.run(MINUTE_MS)
    expect([underWay(one), known(one)]).toEqual([[], []])
    one.venue.answers.withdraw = () => failureOf('refused')
    one.order(request('refused', 20n))
    one.run(MINUTE_MS)
    one.order(request('late', 500n))
    one.run(4 * HOUR_MS + MINUTE_MS)
    expect([underWay(one), known(one)]).toEqual([[], []])
    one.venue.answers.withdraw = (effect) => {
      if (effect.type === 'withdraw') one.venue.amounts[effect.asset] -= toBook(effect.amount, effect.asset)
      return failureOf('timeout')
    }
    one.order(request('lost', 30n))
    one.run(500)
    expect(movedIn(one.observations).map(({ stage }) => stage)).toContain('unknown')
    one.run(HOUR_MS)
    expect([underWay(one), known(one)]).toEqual([[], []])
    expect(movedIn(one.observations).at(-1)).toMatchObject({ key: 'lost', stage: 'done' })
  })

  test('go on from those of the close before, and without a key no longer than a day', () => {
    const one = desk({ enabled: true, destinations: [HOME], maxPerDay: { USDC: 5_000n * USDC } })
    const { key: _key, by: _by, ...unnamed } = request('', 40n)
    one.venue.answers.withdraw = () => failureOf('timeout')
    one.order(unnamed)
    one.run(MINUTE_MS)
    const first = underWay(one)
    expect(first).toMatchObject([{ key: null, amount: '40', stage: 'unknown', to: HOME }])
    const last = movedIn(one.observations).length
    expect(underWay(one, first, last + 1)).toEqual(first)
    const reader = readerOf(one.observations)
    const range = { first: last + 1, last }
    expect(withdrawalsAfter(reader, first, range, one.now + 2 * DAY_MS)).toEqual([])
  })
})
