import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { placeOfDay } from '../../../../src/research/close/place-of-day.ts'
import { readCloseFolder } from '../../../../src/research/close/folder/read-folder.ts'
import { closeDays, keptFolder, recordDays, storeOf, VERIFIER } from './close-fixture.ts'

const DAYS = ['2026-11-20', '2026-11-21']
let folder: string

beforeAll(async () => {
  folder = keptFolder()
  closeDays(await storeOf(recordDays(), keptFolder()), folder, DAYS)
})

function place(day: string, position = 'desk-1') {
  const read = readCloseFolder(folder)
  if (!read.ok) throw new Error(read.error)
  return placeOfDay(read.value, position, day, VERIFIER)
}
const why = (day: string, position?: string) => {
  const found = place(day, position)
  return found.ok ? null : found.error
}

describe('the place of a day among closes', () => {
  test('is after the last one, or its own', () => {
    expect(place('2026-11-22')).toMatchObject({
      ok: true,
      value: { previous: { document: { day: '2026-11-21' } }, existing: null, days: [...DAYS, '2026-11-22'] },
    })
    expect(place('2026-11-21')).toMatchObject({
      ok: true,
      value: {
        previous: { document: { day: '2026-11-20' } },
        existing: { close: { document: { day: '2026-11-21' } } },
      },
    })
  })

  test('is refused where a day between is missing, before the first one, or in the folder of another position', () => {
    expect(why('2026-11-23')).toMatch(/2026-11-23 .*2026-11-21: close 2026-11-22/)
    expect(why('2026-11-19')).toContain('only grows at')
    expect(why('2026-11-22', 'desk-2')).toContain('desk-1')
  })

  test('is refused after a close that does not hold, until its files are restored', () => {
    const file = join(folder, '2026-11-21.html')
    const read = readCloseFolder(folder)
    const before = read.ok ? read.value.days.get('2026-11-21')?.get('2026-11-21.html') : undefined
    writeFileSync(file, 'another page')
    expect(why('2026-11-22')).toMatch(/2026-11-21 is invalid/)
    writeFileSync(file, before ?? '')
    expect(why('2026-11-22')).toBeNull()
  })

  test('is that of a final close also without its sums, and the day after waits until they are there', () => {
    const sums = join(folder, '2026-11-21.sha256')
    const before = readFileSync(sums)
    rmSync(sums)
    expect(place('2026-11-21')).toMatchObject({
      ok: true,
      value: { existing: { isWhole: false, close: { document: { day: '2026-11-21' } } } },
    })
    expect(why('2026-11-22')).toMatch(/2026-11-21 .*not finished: close 2026-11-21/)
    writeFileSync(sums, before)
    expect(place('2026-11-21')).toMatchObject({ ok: true, value: { existing: { isWhole: true } } })
  })

  test('is refused where a close without its sums was changed after it was written', () => {
    const [sums, page] = ['2026-11-21.sha256', '2026-11-21.html'].map((name) => join(folder, name))
    const before = [sums, page].map((file) => readFileSync(file ?? ''))
    rmSync(sums ?? '')
    writeFileSync(page ?? '', 'another page')
    expect(why('2026-11-21')).toMatch(/2026-11-21\.html is not/)
    writeFileSync(sums ?? '', before[0] ?? '')
    writeFileSync(page ?? '', before[1] ?? '')
    expect(why('2026-11-21')).toBeNull()
  })
})
