import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runMizani } from '../e2e/daemon/run-mizani.ts'

const CONFIG = fileURLToPath(new URL('../../config/backtest.yaml', import.meta.url))

test('`mizani backtest` trades six hours of the example tape, its PnL adds up, and a second run has the same digest', async () => {
  const window = ['--from', '2026-09-08T00:00:00Z', '--to', '2026-09-08T06:00:00Z']
  const run = () => runMizani(['backtest', '--config', CONFIG, '--json', ...window])
  const runs = await Promise.all([run(), run()])
  expect(runs.map(({ code }) => code)).toEqual([0, 0])
  const [first, second] = runs.map(({ out }) => JSON.parse(out) as Record<string, unknown>)
  expect(first?.['fills']).toBeGreaterThan(10)
  expect(first?.['identityResidual']).toEqual({ tzs: '0', usd: '0' })
  expect(second?.['digest']).toBe(first?.['digest'])
})
