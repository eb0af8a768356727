import { expect, test } from 'vitest'
import { ok } from '../../../../src/base/result.ts'
import { entrantSchema, variantsOf } from '../../../../src/research/tournament/entrant.ts'
import { playHere, type PlayPool, Progress } from '../../../../src/research/tournament/play-jobs.ts'
import { shippedScenario } from '../../../support/shipped-scenario.ts'

test('an interrupted play leaves no timer that keeps the process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const prepared = { scenario: shippedScenario('normal'), days: 90, gapBps: 20 }
  const variants = variantsOf(entrantSchema.parse({ name: 'mine', use: 'glft' }))
  const plays = variants.ok ? variants.value.map((variant) => ({ key: 'one', variant, sourceHash: '' })) : []
  const kept = { get: () => undefined, add: () => {}, count: () => 0, close: () => {} }
  const pool: PlayPool = { size: 1, run: () => new Promise(() => {}), close: () => Promise.resolve() }
  const [progress, stop, before] = [new Progress(1, () => {}), new AbortController(), timers()]
  const job = { configFile: 'tournament.yaml', prepared, seed: 1, plays }
  const done = playHere([job], { kept, pool, progress, signal: stop.signal })
  stop.abort()
  expect(await done).toEqual(ok(null))
  expect(timers()).toBe(before)
})
