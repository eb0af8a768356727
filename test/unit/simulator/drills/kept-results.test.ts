import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { DAY_MS } from '../../../../src/base/time.ts'
import {
  drillsFile,
  keptOf,
  keptResultText,
  readKept,
  sinceLastDrill,
} from '../../../../src/store/kept-drills.ts'
import type { DrillResult } from '../../../../src/simulator/drills/drill.ts'

const AT = Date.UTC(2026, 2, 2, 6)
const folder = mkdtempSync(join(tmpdir(), 'mizani-kept-'))
afterEach(() => rmSync(drillsFile(folder), { force: true }))

function result(name: string, status: DrillResult['status']): DrillResult {
  const base = {
    name,
    what: 'a night',
    safeMeans: 'safe',
    status,
    why: null,
    noticed: null,
    told: [],
    advice: null,
    settings: [],
    faultMs: 0,
  }
  return { ...base, noticeMs: 500, safeMs: null, costUsd: -1.5 }
}

test('a desk that never drilled has no results and no age', () => {
  const kept = readKept(folder)
  expect(kept).toEqual({ ok: true, value: [] })
  expect(sinceLastDrill([], AT)).toBeNull()
})

test('results are added after those of before, and what does not apply is not kept', () => {
  const first = keptResultText(keptOf([result('leak', 'passed'), result('rail-stuck', 'not-applicable')], AT))
  writeFileSync(drillsFile(folder), first)
  const once = readKept(folder)
  if (!once.ok) throw new Error(once.error)
  writeFileSync(
    drillsFile(folder),
    keptResultText([...once.value, ...keptOf([result('key-lost', 'failed')], AT + DAY_MS)]),
  )
  const twice = readKept(folder)
  expect(twice).toEqual({
    ok: true,
    value: [
      {
        name: 'leak',
        at: '2026-03-02T06:00:00.000Z',
        passed: true,
        noticeMs: 500,
        safeMs: null,
        costUsd: -1.5,
      },
      {
        name: 'key-lost',
        at: '2026-03-03T06:00:00.000Z',
        passed: false,
        noticeMs: 500,
        safeMs: null,
        costUsd: -1.5,
      },
    ],
  })
  expect(twice.ok && sinceLastDrill(twice.value, AT + 3 * DAY_MS)).toBe(2 * DAY_MS)
})

test.each(['', '{', '{}', '[{"name":1}]', '[{"name":"leak","at":"yesterday","passed":true}]'])(
  'a file that holds %j is refused with what to do, and not written over in silence',
  (text) => {
    writeFileSync(drillsFile(folder), text)
    const kept = readKept(folder)
    expect(kept.ok ? '' : kept.error).toMatch(/drills\.json .*move it/)
  },
)

test('a file without a result is read again as none', () => {
  writeFileSync(drillsFile(folder), keptResultText([]))
  expect(readKept(folder)).toEqual({ ok: true, value: [] })
})
