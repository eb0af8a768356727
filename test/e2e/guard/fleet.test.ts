import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { HTTP_TOKEN, runDaemon, TEST_ENV } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { manyPositions } from '../host/many-positions.ts'
import { SAFE_BPS } from './guarded-desk.ts'

// Five positions in one process, and one guard for all of them: real processes, real HTTP, the terms of the defaults.

const POSITIONS = 5
const LIMIT_MS = 10_000
const MOST_BYTES = 75_000_000

/** The names of positions whose safe quote is confirmed, and when, by the log of the guard. */
function confirmed(log: string): ReadonlyMap<string, number> {
  const lines = log.split('\n').filter((line) => line.includes('confirmed safe'))
  return new Map(
    lines.map((line) => {
      const { position, time } = JSON.parse(line) as { readonly position: string; readonly time: string }
      return [position, Date.parse(time)]
    }),
  )
}

test('a guard of five positions in one process has all of them at the safe quote within 10 s of kill -9, in 75 MB', async () => {
  const [port, guardPort] = [await freePort(), await freePort()]
  // The processes find it in their environment.
  process.env['MIZANI_HTTP_TOKEN'] = HTTP_TOKEN
  const { names, configs, quoteOf } = await manyPositions(POSITIONS, () => ({
    mode: 'live',
    http: { port, token: '!env MIZANI_HTTP_TOKEN' },
    guard: { port: guardPort },
  }))
  const files = configs.map(({ file }) => file)
  const env = { ...TEST_ENV, MIZANI_HTTP_TOKEN: HTTP_TOKEN }
  await using guard = runDaemon({ configs: files, command: ['guard'], env })
  await until('the guard listens', () => guard.output().includes('"msg":"guarding"'), {
    otherwise: () => guard.errors(),
  })
  const daemon = runDaemon({ configs: files, env })
  await until(
    'all quote under a lease',
    async () => {
      const states = await Promise.all(names.map((name) => daemon.state(name)))
      return (
        states.every(({ guard: lease }) => lease?.watch === 'held') &&
        names.every((name) => quoteOf(name).join() === '60,70')
      )
    },
    { otherwise: () => `${daemon.errors()}\n${guard.output()}` },
  )
  const killedAt = Date.now()
  await daemon.kill('SIGKILL')
  await until('all are confirmed', () => confirmed(guard.output()).size === POSITIONS, {
    otherwise: () => guard.output(),
  })
  const times = [...confirmed(guard.output()).values()].map((at) => at - killedAt)
  expect(names.map(quoteOf)).toEqual(names.map(() => [SAFE_BPS, SAFE_BPS]))
  expect(Math.max(...times)).toBeLessThan(LIMIT_MS)
  const status = readFileSync(`/proc/${guard.child.pid}/status`, 'utf8')
  expect(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024).toBeLessThan(MOST_BYTES)
})
