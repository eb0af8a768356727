import { describe, expect, test } from 'vitest'
import {
  createGrowth,
  processTree,
  anonymousBytes,
  slopeAnHour,
} from '../../../../../src/daemon/telemetry/metrics/memory-growth.ts'
import { processMetrics } from '../../../../../src/daemon/telemetry/metrics/scrape.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** What the last of the scrapes shows, and how often memory was read; the first scrape comes after an hour. */
function scrapedFor(hours: number, everyMs: number, memory: (hour: number) => number) {
  let [at, reads] = [HOUR_MS, 0]
  const growth = createGrowth(() => {
    reads += 1
    return memory(at / HOUR_MS - 1)
  })
  let shown: number | null = null
  for (const end = at + hours * HOUR_MS; at <= end; at += everyMs) shown = growth(at)
  return { shown, reads }
}

describe('the growth of memory', () => {
  test('is the slope an hour of what was read, and absent before two hours of readings', () => {
    const rising = (hour: number) => 300e6 + 5e6 * hour
    expect(scrapedFor(1.9, MINUTE_MS, rising).shown).toBeNull()
    expect(scrapedFor(2, MINUTE_MS, rising).shown).toBeCloseTo(5e6)
  })

  test('forgets what is older than four hours', () => {
    const risesFirst = (hour: number) => 1e6 * Math.min(hour, 3)
    expect(scrapedFor(6, MINUTE_MS, risesFirst).shown).toBeGreaterThan(0)
    expect(scrapedFor(7.1, MINUTE_MS, risesFirst).shown).toBe(0)
  })

  test('reads memory once a minute however often it is scraped, and is absent where that is rare', () => {
    expect(scrapedFor(3, 1_000, () => 7).reads).toBeLessThanOrEqual(181)
    expect(scrapedFor(24, 15 * MINUTE_MS, () => 7).shown).toBeNull()
    expect(scrapedFor(24, 10 * MINUTE_MS, () => 7).shown).toBe(0)
  })

  test('leaves out the first half hour of the process', () => {
    const growth = createGrowth(() => expect.fail('memory was read'))
    expect(growth(0)).toBeNull()
    expect(growth(HOUR_MS / 2 - 1)).toBeNull()
  })

  test('has no series in a process that has just started', async () => {
    const text = await processMetrics().registry.getSingleMetricAsString(
      'mizani_memory_growth_bytes_per_hour',
    )
    expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([])
  })
})

test('the slope is that of the line through the samples, an hour', () => {
  const samples = [0, 1, 2, 3].map((nth) => ({ atMs: nth * MINUTE_MS, y: 100 + 2 * nth }))
  expect(slopeAnHour(samples)).toBeCloseTo(120)
  expect(slopeAnHour(samples.slice(0, 1))).toBe(0)
})

test('on Linux the memory of a process is counted with that of its children', () => {
  const isLinux = process.platform === 'linux'
  expect(processTree(process.ppid).includes(process.pid)).toBe(isLinux)
  const own = anonymousBytes([process.pid])
  const share = own / process.memoryUsage.rss()
  expect(share > 0.3 && share <= 1).toBe(isLinux)
  expect(anonymousBytes(processTree(process.ppid)) > own).toBe(isLinux)
  expect(anonymousBytes([2 ** 30])).toBe(0)
})
