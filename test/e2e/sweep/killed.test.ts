import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { runSweep } from '../../../src/research/sweep/run-sweep.ts'
import { emptyFolder, fakeOrder, fakeManifest } from '../../unit/research/sweep/fake-sweep.ts'
import { until } from '../daemon/until.ts'
import { endFakes, startFake } from './fake-process.ts'

const folders: ReturnType<typeof emptyFolder>[] = []
const newFolder = () => {
  const folder = emptyFolder()
  folders.push(folder)
  return folder.path
}

afterEach(async () => {
  await endFakes()
  for (const folder of folders.splice(0)) folder.remove()
})

const GRID = JSON.stringify({ halfSpreadBps: Array.from({ length: 120 }, (_, i) => 20 + i) })

test('a sweep that is killed again and again ends with the result of one that was left in peace', async () => {
  const [peaceful, killed, logs] = [newFolder(), newFolder(), newFolder()]
  const whole = await runSweep(fakeOrder(peaceful, {}, { manifest: fakeManifest(GRID), workers: 2 }))
  const log = join(logs, 'log')
  const random = seededRandom(11, 'kills')
  let kills = 0
  let end: unknown = null
  for (let start = 0; end === null && start < 12; start++) {
    const fake = startFake({ out: killed, workers: 2, grid: GRID, tape: { tookMs: 6, log } })
    const first = await until('it has begun', () => fake.done() >= 0 && fake.done() + 1)
    const last = first - 1 + Math.floor(random() * 60)
    await Promise.race([fake.ended, until('it has come so far', () => fake.done() >= last)])
    fake.child.kill('SIGKILL')
    end = await fake.ended
    kills += end === null ? 1 : 0
  }
  expect(kills).toBeGreaterThan(1)
  expect(end).toMatchObject({ ok: true, value: { kind: 'complete' } })
  const digestOf = (outcome: unknown) =>
    (outcome as { value: { result: { digest: string; ranking: object } } }).value.result.digest
  expect(digestOf(end)).toBe(digestOf(whole))
  const written = JSON.parse(readFileSync(join(killed, 'result.json'), 'utf8')) as { digest: string }
  expect(written.digest).toBe(digestOf(whole))
  // Each kill costs at most what was not yet in a part (31 results) and what was running.
  const begun = readFileSync(log, 'utf8').trim().split('\n')
  expect(new Set(begun).size).toBe(121)
  expect(begun.length).toBeLessThanOrEqual(121 + kills * 33)
})
