import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  assessLimits,
  ownLimitsOf,
  type OwnLimits,
} from '../../../../../src/daemon/runtime/fleet/assess-limits.ts'
import { formatDecimalText } from '../../../../../src/base/money/decimal-text.ts'
import { absentSummary, type PositionSummary } from '../../../../../src/daemon/view/position-summary.ts'
import { load, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const NONE = { maxLossUsd: null, maxOutstandingUsd: null, maxDeployedUsd: null }
const NO_OWN: OwnLimits = NONE

function shown(name: string, figures: Partial<PositionSummary>): PositionSummary {
  return { ...absentSummary(name, 'shown', null), mode: 'live', ...figures }
}

function usd(micros: bigint): string {
  return formatDecimalText(micros, 6)
}

describe('the limits of a fleet', () => {
  test('that are not set are not judged', () => {
    expect(assessLimits(NONE, [shown('a', { lossUsd: '1000000' })], () => NO_OWN)).toEqual([])
  })

  test('are exceeded exactly when the sum of all positions is above them, and near from 80 % on', () => {
    const micros = fc.bigInt({ min: 0n, max: 10n ** 15n })
    fc.assert(
      fc.property(fc.array(micros, { maxLength: 20 }), micros, (amounts, limit) => {
        const sum = amounts.reduce((total, one) => total + one, 0n)
        const summaries = amounts.map((one, index) => shown(`p${index}`, { outstandingUsd: usd(one) }))
        const [status] = assessLimits({ ...NONE, maxOutstandingUsd: limit }, summaries, () => null)
        const isNear = sum > 0n && sum * 10n >= limit * 8n
        const state = sum > limit ? 'exceeded' : isNear ? 'near' : 'within'
        expect(status).toEqual({
          limit: 'maxOutstandingUsd',
          limitUsd: limit,
          actualUsd: sum,
          state,
          unknown: [],
        })
      }),
    )
  })

  test('count a position of which nothing is known with its own limit, name it, and leave a dry run out', () => {
    const summaries = [
      shown('a', { lossUsd: '10.5', deployedUsd: '1' }),
      absentSummary('gone', 'the position does not answer', null),
      absentSummary('starting', 'the position does not answer', null),
      shown('paper', { mode: 'dry-run', lossUsd: '1000000', deployedUsd: '1000000' }),
    ]
    const own = { maxLossUsd: 2_000_000n, maxOutstandingUsd: 0n, maxDeployedUsd: null }
    const limits = { ...NONE, maxLossUsd: 12_000_000n, maxDeployedUsd: 500_000n }
    expect(assessLimits(limits, summaries, (name) => (name === 'gone' ? own : null))).toEqual([
      {
        limit: 'maxLossUsd',
        limitUsd: 12_000_000n,
        actualUsd: 12_500_000n,
        state: 'exceeded',
        unknown: ['gone'],
      },
      {
        limit: 'maxDeployedUsd',
        limitUsd: 500_000n,
        actualUsd: 1_000_000n,
        state: 'exceeded',
        unknown: ['gone'],
      },
    ])
  })

  test('count one that no longer answers with what it showed last', () => {
    const last = shown('a', { lossUsd: '7' })
    const [status] = assessLimits(
      { ...NONE, maxLossUsd: 6_999_999n },
      [absentSummary('a', 'the position does not answer', last)],
      () => NO_OWN,
    )
    expect(status).toMatchObject({ actualUsd: 7_000_000n, state: 'exceeded', unknown: [] })
  })
})

describe('what a position may come to by its own configuration', () => {
  async function own(replacement: Readonly<Record<string, string>>): Promise<OwnLimits> {
    const text = Object.entries(replacement).reduce((yaml, [from, to]) => yaml.replace(from, to), VALID)
    const loaded = await load(text)
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
    return ownLimitsOf(loaded.value)
  }

  test('is its loss at the lowest rate of its corridor and all that it may hold, both rounded up', async () => {
    const limits = await own({
      'maxLossTzs: null': "maxLossTzs: '1000000', priceCorridor: { min: '2300', max: '2900' }",
      '{ target: 0.5 }':
        "{ target: 0.5, limits: { NTZS: { max: '4600' }, USDC: { max: '10' }, USDT: { max: '0.5' }, USDT.bnb: { max: '0' } } }",
    })
    expect(limits).toEqual({ maxLossUsd: 434_782_609n, maxOutstandingUsd: 0n, maxDeployedUsd: 12_500_000n })
  })

  test('is not known without a limit or without a corridor', async () => {
    expect(await own({})).toEqual({ maxLossUsd: null, maxOutstandingUsd: 0n, maxDeployedUsd: null })
    expect(await own({ 'maxLossTzs: null': 'maxLossTzs: 1000' })).toMatchObject({ maxLossUsd: null })
  })
})
