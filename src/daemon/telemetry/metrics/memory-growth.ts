import { readdirSync, readFileSync } from 'node:fs'
import type { Registry } from 'prom-client'
import { HOUR_MS, MINUTE_MS, type Ms } from '../../../base/time.ts'
import { absentGauge } from './view-gauges.ts'

type Sample = { readonly atMs: Ms; readonly y: number }

/** Memory grows for some minutes after a start, while code is compiled and caches fill. */
const WARM_UP_MS: Ms = 30 * MINUTE_MS
const EVERY_MS: Ms = MINUTE_MS
const WINDOW_MS: Ms = 4 * HOUR_MS
/** A heap grows until it is collected, so a shorter slope would show a single rise. */
const LEAST_MS: Ms = 2 * HOUR_MS
const LEAST_SAMPLES = 20

/**
 * Takes at most one reading a minute and returns the slope of the last four hours, in units of the reading an hour. Null while
 * there are fewer than 20 readings or they span less than two hours. `atMs` counts from the start of the process.
 */
export function createGrowth(read: () => number): (atMs: Ms) => number | null {
  let samples: readonly Sample[] = []
  return (atMs) => {
    const last = samples.at(-1)
    if (atMs >= WARM_UP_MS && (last === undefined || atMs - last.atMs >= EVERY_MS))
      samples = [...samples.filter((one) => atMs - one.atMs <= WINDOW_MS), { atMs, y: read() }]
    const spanMs = (samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0)
    return samples.length < LEAST_SAMPLES || spanMs < LEAST_MS ? null : slopeAnHour(samples)
  }
}

/** Returns the least-squares slope of the samples, in units of `y` an hour; 0 for fewer than two moments. */
export function slopeAnHour(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / Math.max(1, samples.length)
  const [t0, y0] = [mean(({ atMs }) => atMs), mean(({ y }) => y)]
  let [covariance, variance] = [0, 0]
  for (const { atMs, y } of samples) {
    covariance += (atMs - t0) * (y - y0)
    variance += (atMs - t0) ** 2
  }
  return variance === 0 ? 0 : (covariance / variance) * HOUR_MS
}

/** Registers the memory growth of this process and its children. */
export function registerMemoryGrowth(registry: Registry, growth = createGrowth(ownBytes)): void {
  const gauge = absentGauge(
    registry,
    'mizani_memory_growth_bytes_per_hour',
    'Slope of the resident memory of the process and its strategy processes, bytes per hour, over the last four hours; without file pages, which the kernel can drop and read again. Absent for the first two and a half hours, and where it is scraped less often than every ten minutes.',
    () => {
      const slope = growth(performance.now())
      if (slope === null) gauge.remove()
      else gauge.set(slope)
    },
  )
}

function ownBytes(): number {
  return anonymousBytes(processTree(process.pid)) || process.memoryUsage.rss()
}

/** Returns the ids of a process and all its descendants; outside Linux only its own. */
export function processTree(pid: number): readonly number[] {
  const children = namesIn(`/proc/${pid}/task`).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean),
  )
  return [pid, ...children.flatMap((child) => processTree(Number(child)))]
}

/** Returns the resident bytes of processes that do not belong to files. A process that ended, or has no /proc, counts 0. */
export function anonymousBytes(pids: readonly number[]): number {
  const kib = (pid: number) => Number(/^RssAnon:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0)
  return 1_024 * pids.reduce((sum, pid) => sum + kib(pid), 0)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
