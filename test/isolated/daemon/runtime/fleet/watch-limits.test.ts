import { expect, test } from 'vitest'
import { watchLimits } from '../../../../../src/daemon/runtime/fleet/watch-limits.ts'
import type { LimitStatus } from '../../../../../src/daemon/runtime/fleet/assess-limits.ts'
import type { OperatorCommand } from '../../../../../src/core/engine/model/event.ts'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import { absentSummary, type PositionSummary } from '../../../../../src/daemon/view/position-summary.ts'
import { load, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const NONE = { maxLossUsd: null, maxOutstandingUsd: null, maxDeployedUsd: null }

function shown(name: string, figures: Partial<PositionSummary>): PositionSummary {
  return { ...absentSummary(name, 'shown', null), mode: 'live', tradingState: 'ACTIVE', ...figures }
}

/** A watch over positions that show what the test says and obey every command. */
function fleetOf(
  positions: PositionSummary[],
  limits: Partial<typeof NONE> | Record<string, bigint>,
  configs: readonly LoadedConfig[] = [],
) {
  const given: string[] = []
  const judged: (readonly LimitStatus[])[] = []
  let now = 1_000_000
  const watch = watchLimits({
    host: {
      summaries: () => Promise.resolve([...positions]),
      command(name: string, command: OperatorCommand, who: string, why: string) {
        given.push(`${name} ${command.name} by ${who}: ${why}`)
        const at = positions.findIndex((one) => one.name === name)
        const before = positions[at]
        if (before !== undefined)
          positions[at] =
            command.name === 'halt' ? { ...before, tradingState: 'HALTED' } : { ...before, paused: true }
        return Promise.resolve({ accepted: true, answer: 'done' })
      },
    },
    limits: () => ({ ...NONE, ...limits }),
    configs: () => configs,
    onJudged: (statuses) => void judged.push(statuses),
    now: () => now,
  })
  return { watch, given, judged, later: (ms: number) => void (now += ms) }
}

test('a loss above the limit halts every live position once, with limit and sum, and no dry run', async () => {
  const positions = [
    shown('a', { lossUsd: '3' }),
    shown('b', { lossUsd: '2.5' }),
    shown('c', { lossUsd: '0', tradingState: 'HALTED' }),
    shown('paper', { mode: 'dry-run', lossUsd: '100' }),
  ]
  const { watch, given } = fleetOf(positions, { maxLossUsd: 5_000_000n })
  await watch.look()
  await watch.look()
  const why = 'fleet.limits.maxLossUsd is 5, but all positions together reach 5.5'
  expect(given).toEqual([`a halt by mizani fleet: ${why}`, `b halt by mizani fleet: ${why}`])
})

test.each(['maxOutstandingUsd', 'maxDeployedUsd'] as const)(
  'more than %s pauses those that are not paused',
  async (limit) => {
    const figures = { outstandingUsd: '1', deployedUsd: '1' }
    const positions = [shown('a', figures), shown('b', { ...figures, paused: true })]
    const { watch, given } = fleetOf(positions, { [limit]: 1_999_999n })
    await watch.look()
    expect(given).toEqual([
      `a pause by mizani fleet: fleet.limits.${limit} is 1.999999, but all positions together reach 2`,
    ])
  },
)

test('what an operator resumes while the limit is still exceeded is halted again', async () => {
  const positions = [shown('a', { lossUsd: '6' })]
  const { watch, given } = fleetOf(positions, { maxLossUsd: 5_000_000n })
  await watch.look()
  positions[0] = shown('a', { lossUsd: '6' })
  await watch.look()
  expect(given).toHaveLength(2)
})

test('a sum that is only near a limit is judged near, and no one is halted', async () => {
  const { watch, given, judged } = fleetOf([shown('a', { lossUsd: '4' })], { maxLossUsd: 5_000_000n })
  await watch.look()
  expect(judged.at(-1)).toMatchObject([{ limit: 'maxLossUsd', state: 'near' }])
  expect(given).toEqual([])
})

test('a position that has never answered counts with its own limits, after it had two minutes to start', async () => {
  const config = await load(
    VALID.replace('maxLossTzs: null', "maxLossTzs: '2300000', priceCorridor: { min: '2300', max: '2900' }"),
  )
  if (!config.ok) throw new Error(JSON.stringify(config.error))
  const { watch, judged, later } = fleetOf(
    [absentSummary('desk-1', 'the position does not answer', null)],
    { maxLossUsd: 1_500_000_000n },
    [config.value],
  )
  await watch.look()
  expect(judged.at(-1)).toMatchObject([{ actualUsd: 0n, unknown: [] }])
  later(120_000)
  await watch.look()
  expect(judged.at(-1)).toMatchObject([{ actualUsd: 1_000_000_000n, unknown: ['desk-1'] }])
})
