import { describe, expect, test } from 'vitest'
import { encodeJson } from '../../../../src/base/codec.ts'
import { createEngine } from '../../../../src/core/engine/engine.ts'
import type { Observation } from '../../../../src/core/engine/model/observation.ts'
import { coreHarness, runCore } from '../../../support/core-harness.ts'
import { testStrategy } from '../../../support/test-strategy.ts'

const MINUTE_MS = 60_000
type Sample = Extract<Observation, { type: 'sample' }>

const samplesOf = (observations: readonly Observation[]) =>
  observations.filter((one): one is Sample => one.type === 'sample')

describe('a sample', () => {
  test('is taken once in every minute that has an event, and says what stands', () => {
    const core = runCore(10 * MINUTE_MS)
    const samples = samplesOf(core.observations)
    const minutes = samples.map(({ t }) => Math.floor(t / MINUTE_MS))
    expect(new Set(minutes).size).toBe(minutes.length)
    expect(minutes.length).toBe(10)
    const last = samples.at(-1)
    expect(last).toMatchObject({ mid: 2_500n * 10n ** 18n, fairValue: 2_500n * 10n ** 18n })
    const { confirmed } = core.state().quoting
    expect([last?.bidBps, last?.askBps]).toEqual([confirmed?.bidBps, confirmed?.askBps])
    expect(last?.balances).toMatchObject({ USDC: 50_000n * 10n ** 18n })
    expect(last?.pnl).not.toBeNull()
  })

  test('is the last observation of its turn, so that the places of the others are what they were', () => {
    const core = runCore(3 * MINUTE_MS)
    const replayed = createEngine({ strategyFor: () => testStrategy(), calendar: () => false })
    for (const [index, event] of core.journal.entries()) {
      const { observations } = replayed.process(index + 1, event)
      const at = observations.findIndex(({ type }) => type === 'sample')
      expect(at === -1 || at === observations.length - 1).toBe(true)
    }
  })

  test('shows a quote that is not known, and balances that were not opened, as unknown', () => {
    const core = coreHarness({ venue: { answers: { readAccount: () => 'silence' } } })
    core.give({ type: 'tick', t: core.now + MINUTE_MS })
    expect(samplesOf(core.observations)[0]).toMatchObject({
      bidBps: null,
      askBps: null,
      balances: null,
      pnl: null,
    })
  })

  test('is not taken where no one wants observations, and changes neither effects nor the state', () => {
    const core = runCore(5 * MINUTE_MS)
    const play = (observes: boolean) => {
      const engine = createEngine({ strategyFor: () => testStrategy(), calendar: () => false, observes })
      const audits = core.journal.map((event, index) => engine.process(index + 1, event))
      return {
        samples: audits.flatMap(({ observations }) => samplesOf(observations)).length,
        decided: encodeJson(audits.map(({ seq, effects, wakeAt }) => [seq, effects, wakeAt])),
        state: encodeJson(engine.state()),
      }
    }
    const [seen, unseen] = [play(true), play(false)]
    expect([seen.samples, unseen.samples]).toEqual([5, 0])
    expect(unseen.decided).toBe(seen.decided)
    expect(unseen.state).toBe(seen.state)
  })
})
