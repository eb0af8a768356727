import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  lastHalfSlope,
  soakPage,
  type Soak,
  type Soaks,
  type SoakSample,
} from '../../../scripts/soak-page.ts'

const sample = (minute: number, memoryMiB: number): SoakSample => ({
  minute,
  memoryMiB,
  residentMiB: memoryMiB + 70,
  processes: 1,
  threads: 14,
  handles: 500,
  timers: 3,
  series: 13_000,
  fills: 10 * minute,
})

const soak = (positions: number, samples: readonly SoakSample[]): Soak => ({
  machine: { cpu: 'Some Processor', cores: 2, memoryGiB: 24, node: '24.0.0', loadAverage: 1 },
  positions,
  everySeconds: 60,
  takerEverySeconds: 10,
  limitMiBAnHour: 5,
  samples,
})

const minutes = Array.from({ length: 241 }, (_, minute) => minute)
/** Rises by 60 MiB in two hours, and then by one an hour. */
const settled = minutes.map((minute) =>
  sample(minute, 200 + Math.min(minute, 120) / 2 + Math.max(0, minute - 120) / 60),
)

test('the slope of a soak is that of its last half alone, in MiB an hour', () => {
  expect(lastHalfSlope(settled)).toBeCloseTo(1)
  expect(lastHalfSlope(settled.slice(0, 121))).toBeCloseTo(30)
  expect(lastHalfSlope([])).toBe(0)
})

test('the page of soaks has a verdict, a chart and half hours of each, fewest positions first', () => {
  const page = soakPage({ '50': soak(50, settled), '1': soak(1, settled.slice(0, 61)) })
  const rows = page.split('\n').filter((line) => /^\| (1|50) \|/.test(line))
  expect(rows).toEqual([
    '| 1 | 60 | 600 | +30 | 5 | 215 to 230 | 500 | 14 | 3 | 13000 |',
    '| 50 | 240 | 2400 | +1 | 5 | 260 to 262 | 500 | 14 | 3 | 13000 |',
  ])
  expect(page.match(/^## .*/gm)).toEqual(['## One position', '## 50 positions'])
  expect(page.match(/^ {2}line \[.*\]$/gm)?.map((line) => line.split(',').length)).toEqual([31, 49])
  expect(page).toContain('| 210 | 261.5 to 262 | 331.5 to 332 | 1 | 14 | 500 |')
})

test('the committed page is made from the committed readings', () => {
  const docs = join(import.meta.dirname, '../../../docs')
  const soaks = JSON.parse(readFileSync(join(docs, 'soak.json'), 'utf8')) as Soaks
  expect(soakPage(soaks)).toBe(readFileSync(join(docs, 'soak.md'), 'utf8'))
})
