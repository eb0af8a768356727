import { expect, test } from 'vitest'
import { runMizani } from '../e2e/daemon/run-mizani.ts'
import { until } from '../e2e/daemon/until.ts'
import { confirmed, endPair, quotingPair } from '../e2e/guard/guarded-pair.ts'

test('a guard sets the safe quote after kill -9 of its daemon, and hands its lease and its writes to the next daemon', async () => {
  const pair = await quotingPair()
  const { desk } = pair
  const before = (await pair.daemon.state()).guard?.fence ?? Number.NaN
  await pair.daemon.kill('SIGKILL')
  await until('the venue has the safe quote', desk.isSafe, { otherwise: pair.guard.output })
  await confirmed(pair.guard)
  // Whoever is woken may have the operator's token alone.
  const withoutKey = { MIZANI_API_KEY: '' }
  const status = await runMizani(['guard', 'status', '--config', desk.config, '--json'], withoutKey)
  expect(status.code).toBe(1)
  expect(JSON.parse(status.out)).toMatchObject({
    positions: [{ name: 'desk-1', state: 'guarding', rung: 'safe' }],
  })

  expect((await runMizani(['status', '--config', desk.config], withoutKey)).out).toMatch(
    /^DAEMON NOT RUNNING.*\n.*unknown.*\nguard: desk-1: THE GUARD ACTS: safe/,
  )

  pair.daemon = desk.startDaemon()
  await desk.quoting(pair.daemon)
  expect((await pair.daemon.state()).guard?.fence).toBeGreaterThan(before)
  expect(pair.daemon.output()).not.toContain('foreign-write')
  await endPair(pair)
}, 300_000)
