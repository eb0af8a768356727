import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { measureTape } from '../../../../src/store/tape/summary/summary.ts'

const folder = mkdtempSync(join(tmpdir(), 'mizani-measure-'))

const lines = (count: number, width: number) => `${'x'.repeat(width - 1)}\n`.repeat(count)

test('the rows of a short text are counted, and those of one beyond 64 KiB are an estimate that is named so', () => {
  const below = join(folder, 'desk-1')
  mkdirSync(below)
  writeFileSync(join(below, 'short.jsonl'), lines(7, 100))
  expect(measureTape(folder)).toEqual({ files: 1, bytes: 700, rows: 7, isCounted: true })
  // Its first lines are short and the others are long.
  writeFileSync(join(below, 'long.jsonl'), lines(1_000, 100) + lines(1_000, 300))
  const whole = measureTape(folder)
  expect(whole).toMatchObject({ files: 2, bytes: 400_700, isCounted: false })
  expect(whole.rows).toBeGreaterThan(2_007)
})

test('what is no tape, or cannot be read, counts as nothing', () => {
  writeFileSync(join(folder, 'notes.txt'), lines(5, 10))
  writeFileSync(join(folder, 'broken.parquet'), 'PAR1')
  const { bytes, ...rest } = measureTape(join(folder, 'broken.parquet'))
  expect([bytes, rest]).toEqual([4, { files: 1, rows: 0, isCounted: true }])
  expect(measureTape(join(folder, 'notes.txt'))).toMatchObject({ files: 0, bytes: 0, rows: 0 })
  expect(measureTape(join(folder, 'nowhere'))).toMatchObject({ files: 0, bytes: 0, rows: 0 })
})
