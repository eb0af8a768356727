import { describe, expect, test } from 'vitest'
import { err, ok } from '../../../../../src/base/result.ts'
import { DAY_MS } from '../../../../../src/base/time.ts'
import type { Calibration } from '../../../../../src/core/models/calibration.ts'
import { recalibrate } from '../../../../../src/research/jobs/recalibrate/recalibrate.ts'
import type { TapeRow } from '../../../../../src/store/tape/model/row.ts'
import { pureStrategy } from '../../../../support/test-strategy.ts'
import { MONDAY, tapeOf } from '../../calibration/drawn-tape.ts'
import { calibrationUntil, EARLIER_END, END, orderOf, twoMarkets } from './two-markets.ts'

const REPLAY_FROM = END - 28 * DAY_MS
const unchanged = twoMarkets(7, 60)
const changed = twoMarkets(5, 25)

/** What the order's `coreWith` receives; nothing is replayed. */
async function candidateOf(rows: readonly TapeRow[]): Promise<Calibration | null> {
  let seen: Calibration | null = null
  const coreWith = (candidate: Calibration) => {
    seen = candidate
    return Promise.resolve(err('seen'))
  }
  await recalibrate(orderOf(rows, { coreWith }))
  return seen
}

describe('a new calibration', () => {
  test('of takers that have changed is adopted, because the replay earned more with it', async () => {
    const { verdict, reason, difference, current, candidate } = await recalibrate(orderOf(changed))
    expect(verdict).toBe('adopt')
    expect(difference?.lowUsd).toBeGreaterThan(0)
    expect(difference).toMatchObject({ days: 28, replays: 8 })
    expect(1 / (current?.k.value ?? NaN)).toBeCloseTo(60, -1)
    expect(candidate?.k.low).toBeLessThan(1 / 25)
    expect(candidate?.k.high).toBeGreaterThan(1 / 25)
    expect(reason).toMatch(
      /^in 28 days the candidate earned \+[\d.]+ USD a day against the configuration as it is \(90 % interval \+[\d.]+ to \+[\d.]+\): the lower bound is above 0$/,
    )
  })

  test('of the same takers is not adopted', async () => {
    const { verdict, difference, warnings } = await recalibrate(orderOf(unchanged))
    expect(verdict).toBe('keep')
    expect(difference?.lowUsd).toBeLessThanOrEqual(0)
    expect(warnings[0]).toMatch(/^k also contains an earlier calibration/)
  })

  test('that the strategy does not read is kept with that reason, and each replay is observed', async () => {
    const shown: number[] = []
    const blind = () => Promise.resolve(ok(pureStrategy(() => ({ bidBps: 60, askBps: 60, reasons: [] }))))
    const observe = (done: number) => shown.push(done)
    const { verdict, reason } = await recalibrate(orderOf(changed, { loadStrategy: blind, observe }))
    expect(verdict).toBe('keep')
    expect(reason).toMatch(/earned exactly the same with both calibrations: it may not read them$/)
    expect(shown).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  test('is judged without one that is configured, against the strategy without a calibration', async () => {
    const { config, ...order } = orderOf(unchanged)
    const core = { ...config.core, calibration: null }
    const { verdict, current, estimated } = await recalibrate({ ...order, config: { ...config, core } })
    expect(verdict).toBe('keep')
    expect(current).toBeNull()
    expect(estimated).toEqual({ from: REPLAY_FROM - 84 * DAY_MS, to: REPLAY_FROM })
  })
})

describe('the replayed weeks', () => {
  test('are in neither calibration: other rows there change no figure of the candidate', async () => {
    const before = changed.filter(({ t }) => t < REPLAY_FROM)
    const others = unchanged.filter(({ t }) => t >= REPLAY_FROM)
    const candidate = await candidateOf(changed)
    expect(candidate).not.toBeNull()
    expect(await candidateOf([...before, ...others])).toEqual(candidate)
    expect(candidate?.to).toBeLessThan(REPLAY_FROM)
  })

  test('begin where the estimated ones end, and these after the configured calibration', async () => {
    const { estimated, replayed } = await recalibrate(orderOf(unchanged))
    expect(replayed).toEqual({ from: REPLAY_FROM, to: END })
    expect(estimated.to).toBe(REPLAY_FROM)
    expect(estimated.from).toBeGreaterThan(calibrationUntil(unchanged, EARLIER_END).to)
  })
})

describe('nothing is judged', () => {
  const unknown = { verdict: 'unknown', candidate: null, difference: null }
  const without = (keeps: (row: TapeRow) => boolean) => unchanged.filter((row) => keeps(row))

  test('if the configured calibration has seen the replayed weeks', async () => {
    const learned = calibrationUntil(unchanged, REPLAY_FROM + DAY_MS)
    const { config, ...order } = orderOf(unchanged)
    const core = { ...config.core, calibration: { sourceHash: 'late', learned } }
    const result = await recalibrate({ ...order, config: { ...config, core } })
    expect(result).toMatchObject(unknown)
    expect(result.reason).toMatch(/it has seen what would judge it; replay fewer weeks, or wait$/)
  })

  test('with fewer than 30 fills in either window', async () => {
    const fewBefore = without(({ type, t }) => type !== 'fill' || t < EARLIER_END || t >= REPLAY_FROM)
    expect((await recalibrate(orderOf(fewBefore))).reason).toMatch(
      /^no candidate: 0 fills from .* 30 are needed$/,
    )
    const fewAfter = without(({ type, t }) => type !== 'fill' || t < REPLAY_FROM)
    expect((await recalibrate(orderOf(fewAfter))).reason).toMatch(
      /^no replay: 0 fills from .* 30 are needed$/,
    )
  })

  test('without rows', async () => {
    const order = orderOf(unchanged, { open: () => ok(tapeOf([])) })
    expect((await recalibrate(order)).reason).toMatch(/^no candidate: the tape has no rows from/)
  })

  test('if the spreads of the replayed weeks never varied', async () => {
    const before = without(({ t }) => t < REPLAY_FROM)
    const oneSpread = twoMarkets(7, 60, 0).filter(({ t }) => t >= REPLAY_FROM)
    const result = await recalibrate(orderOf([...before, ...oneSpread]))
    expect(result).toMatchObject(unknown)
    expect(result.reason).toMatch(/^no replay: the spreads varied too little/)
  })

  test('if the strategy is suspended in the replay with either calibration', async () => {
    const failing = (fails: (fills: number | undefined) => boolean) =>
      orderOf(changed, {
        loadStrategy: () =>
          Promise.resolve(
            ok(
              pureStrategy(({ calibration }) => {
                if (fails(calibration?.from)) throw new Error('no more')
                return { bidBps: 60, askBps: 60, reasons: [] }
              }),
            ),
          ),
      })
    const isCurrent = (from: number | undefined) => from === MONDAY
    expect((await recalibrate(failing(isCurrent))).reason).toMatch(
      /^no replay: the configured calibration was suspended/,
    )
    const other = await recalibrate(failing((from) => !isCurrent(from)))
    expect(other.reason).toMatch(/^no replay: the candidate was suspended: .*no more/)
  })
})
