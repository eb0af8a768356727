import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepResults } from '../../../../src/cli/drill/keep-results.ts'
import { drillsFile, readKept } from '../../../../src/store/kept-drills.ts'
import type { DrillResult } from '../../../../src/simulator/drills/drill.ts'

const root = mkdtempSync(join(tmpdir(), 'mizani-keep-'))

function result(name: string, status: DrillResult['status'] = 'passed'): DrillResult {
  return {
    name,
    what: '',
    safeMeans: '',
    status,
    why: null,
    noticeMs: 1,
    safeMs: 2,
    faultMs: 0,
    costUsd: 3,
    noticed: null,
    told: [],
    advice: null,
    settings: [],
  }
}

function namesIn(folder: string): readonly string[] {
  const kept = readKept(folder)
  if (!kept.ok) throw new Error(kept.error)
  return kept.value.map(({ name }) => name)
}

test('runs that end at the same time lose no result of each other, nor of those before', async () => {
  const folder = join(root, 'made', 'by-the-drill')
  expect(await keepResults(folder, [result('before')], 0)).toEqual({ ok: true, value: undefined })
  const names = Array.from({ length: 6 }, (_, index) => `night-${index}`)
  const kept = await Promise.all(names.map((name) => keepResults(folder, [result(name)], 0)))
  expect(kept.map(({ ok }) => ok)).toEqual(names.map(() => true))
  expect(namesIn(folder).toSorted()).toEqual(['before', ...names])
})

test('nothing is written where nothing was played, and nothing over a file of another kind', async () => {
  const folder = join(root, 'unplayed')
  expect((await keepResults(folder, [result('leak', 'not-applicable')], 0)).ok).toBe(true)
  expect(namesIn(folder)).toEqual([])
  writeFileSync(drillsFile(root), '{}')
  const refused = await keepResults(root, [result('leak')], 0)
  expect(refused.ok ? '' : refused.error).toContain(`${drillsFile(root)} was not written by mizani`)
})
