import { copyFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { probeStrategy } from '../../../../../src/daemon/config/strategy/probe-strategy.ts'
import { tryStrategy } from '../../../../../src/daemon/config/strategy/try-strategy.ts'
import { load, STRATEGIES, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const OPTIONS = { folder: STRATEGIES, baseFolder: STRATEGIES }
const PATIENT_MS = 20_000

function probe(how: string, timeLimitMs = PATIENT_MS) {
  return probeStrategy({ use: 'misbehaving', params: { how } }, OPTIONS, timeLimitMs)
}

test('a strategy that answers passes the trial run', async () => {
  const passed = await probe('well')
  if (!passed.ok) throw new Error(JSON.stringify(passed.error))
  const { strategy, sources } = passed.value
  expect(strategy).toMatchObject({ use: 'misbehaving', params: { how: 'well' } })
  expect(strategy.sourceHash).toMatch(/^[0-9a-f]{64}$/)
  expect(sources).toEqual([join(STRATEGIES, 'misbehaving.ts')])
  // The thread that has it knows all of it but its code.
  expect(() => strategy.definition.init({})).toThrow('thread')
})

/** Processes that this one started, and that have ended without being collected. */
function uncollected(): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '')]
      } catch {
        return []
      }
    })
  return stats.filter((stat) => stat.startsWith(`Z ${process.pid} `)).length
}

test('trials of a user file leave no process behind, which would count against the limit of a container', async () => {
  const own = mkdtempSync(join(tmpdir(), 'mizani-own-'))
  copyFileSync(join(STRATEGIES, 'misbehaving.ts'), join(own, 'mine.ts'))
  const before = uncollected()
  const wish = { use: './mine.ts', params: { how: 'well' } }
  for (let n = 0; n < 3; n++)
    expect(await probeStrategy(wish, { ...OPTIONS, baseFolder: own }, PATIENT_MS)).toMatchObject({
      ok: true,
    })
  expect(uncollected()).toBe(before)
})

test.each([
  ['throws', 'strategy misbehaving threw: no good quote (misbehaving.ts, line 14); repair the file'],
  [
    'nan',
    'strategy misbehaving answered bidBps = NaN; a finite number or null was expected; repair the file',
  ],
  ['promise', expect.stringContaining('promise')],
  ['init-throws', 'its init threw: no good start (misbehaving.ts, line 10); repair the file'],
  [
    'exits',
    "strategy misbehaving threw: Cannot read properties of undefined (reading 'exit') (misbehaving.ts, line 15); repair the file",
  ],
])('one that %s fails it', async (how, message) => {
  expect(await probe(how)).toEqual({ ok: false, error: [{ path: ['use'], at: 'value', message }] })
})

test('a window whose cron node-cron cannot run fails the trial, though an earlier one is good', async () => {
  const window = { off: true, timezone: 'Africa/Dar_es_Salaam' }
  const windows = [
    { name: 'night', cron: '* 20-23 * * *', ...window },
    { name: 'noon', cron: '5/10 12 * * *', ...window },
  ]
  const params = { strategy: { use: 'fixed-spread', params: { bidBps: 60, askBps: 60 } }, windows }
  const folder = new URL('../../../../../strategies', import.meta.url).pathname
  const tried = await tryStrategy({ use: 'schedule', params }, { folder, baseFolder: folder })
  expect(tried.ok ? [] : tried.error).toMatchObject([
    { path: ['use'], message: expect.stringContaining('5/10') },
  ])
})

test.each([
  ['neither', 'null', ['out of hours']],
  ['one side', '60', undefined],
])('one that quotes %s passes, and the trial shows whether it quotes at all', async (_what, ask, why) => {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-probe-'))
  const text = `import { defineStrategy, z } from '#kit'
export default defineStrategy({
  name: 'own', params: z.strictObject({}), init: () => ({}),
  quote: () => ({ bidBps: null, askBps: ${ask}, reasons: ['out of hours'] }),
})`
  writeFileSync(join(folder, 'own.ts'), text)
  const passed = await probeStrategy(
    { use: './own.ts', params: {} },
    { ...OPTIONS, baseFolder: folder },
    PATIENT_MS,
  )
  expect(passed.ok && passed.value.strategy.quotesNothing).toBe(why?.[0])
})

test('one that loops indefinitely fails it when the time is up, and its thread ends', async () => {
  const answer = await probe('loops', 700)
  expect(answer.ok ? '' : answer.error[0]?.message).toContain('within 700 ms; ')
})

test('wrong parameters come back with their path', async () => {
  const answer = await probeStrategy({ use: 'plain', params: { halfSpreadBps: 5 } }, OPTIONS, PATIENT_MS)
  expect(answer.ok ? null : answer.error[0]?.path).toEqual(['params', 'halfSpreadBps'])
})

test('a configuration is not loaded when its strategy fails the trial run', async () => {
  const text = VALID.replace(
    '{ use: plain, params: { halfSpreadBps: 60 } }',
    '{ use: misbehaving, params: { how: throws } }',
  )
  const result = await load(text, { probe: { timeLimitMs: PATIENT_MS } })
  expect(
    result.ok ? [] : result.error.map((problem) => `${problem.line}:${problem.column} ${problem.path}`),
  ).toEqual(['8:18 strategy.use'])
  expect((await load(VALID, { probe: { timeLimitMs: PATIENT_MS } })).ok).toBe(true)
})

test('the trial itself says the same on this thread', async () => {
  for (const how of ['throws', 'nan', 'init-throws']) {
    expect((await tryStrategy({ use: 'misbehaving', params: { how } }, OPTIONS)).ok).toBe(false)
  }
  expect((await tryStrategy({ use: 'misbehaving', params: { how: 'well' } }, OPTIONS)).ok).toBe(true)
})
