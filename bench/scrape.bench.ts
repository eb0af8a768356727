import { joinFamilies, type MetricFamily, renderMetrics } from '../src/daemon/telemetry/metrics/exposition.ts'
import { createMetrics, type Metrics, observeRequest } from '../src/daemon/telemetry/metrics/metrics.ts'
import { coreHarness } from '../test/support/core-harness.ts'
import { buildView } from '../src/daemon/view/position-view.ts'
import { summarisePosition } from '../src/daemon/view/position-summary.ts'
import { measureOnce } from './harness/measure.ts'
import { shortOr } from './harness/short.ts'

const POSITIONS = shortOr(50, 500)
const THREADS = 16
const ROUNDS = shortOr(3, 15)

/**
 * What one scrape and one list of five hundred positions cost in CPU time: where the positions are (gauges, text,
 * summaries) and in the main thread, which joins what the threads send. The threads are played by one process, and what
 * crosses between them is cloned as it would be.
 */
export default async function scrapeBench(): Promise<Record<string, unknown>> {
  const core = coreHarness()
  core.run(10_000)
  const state = core.state()
  const positions = Array.from({ length: POSITIONS }, (_, n) => exampleMetrics(`desk-${n}`))
  const shares = Array.from({ length: THREADS }, (_, thread) =>
    positions.filter((_, n) => n % THREADS === thread),
  )
  const costs = {
    gaugesMs: [] as number[],
    renderMs: [] as number[],
    crossMs: [] as number[],
    joinMs: [] as number[],
  }
  let bytes = 0
  for (let round = 0; round < ROUNDS; round++) {
    costs.gaugesMs.push(
      await cpuMsOf(() => {
        for (const metrics of positions)
          metrics.showView(buildView(state, core.now, { seq: round, digest: '' }))
      }),
    )
    const parts: (readonly MetricFamily[])[] = []
    costs.renderMs.push(
      await cpuMsOf(async () => {
        for (const share of shares) parts.push(await renderMetrics(share))
      }),
    )
    let crossed = parts
    costs.crossMs.push(await cpuMsOf(() => (crossed = structuredClone(parts))))
    costs.joinMs.push(
      await cpuMsOf(() => {
        const text = joinFamilies(crossed).map(({ head, series }) => head + series)
        bytes = Buffer.byteLength(text.join(''))
      }),
    )
  }
  const summariesMs = await cpuMsOf(() => {
    for (let n = 0; n < POSITIONS; n++) summarisePosition(state, core.now, n)
  })
  const medians = Object.entries(costs).map(([name, values]) => [name, round2(median(values))])
  return {
    positions: POSITIONS,
    scrapeMiB: round2(bytes / 2 ** 20),
    ...Object.fromEntries(medians),
    summariesMs: round2(summariesMs),
  }
}

function exampleMetrics(name: string): Metrics {
  const metrics = createMetrics(name)
  for (let n = 0; n < 100; n++) {
    metrics.decisionSeconds.observe(n * 1e-6)
    observeRequest(metrics, 'readFills', 'ok', n * 1e-3)
  }
  return metrics
}

async function cpuMsOf(work: () => unknown): Promise<number> {
  return (await measureOnce(work)).cpuMs
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
