import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkVariants } from '../src/research/jobs/sweep/check-variants.ts'
import { makeManifest, type Manifest } from '../src/research/sweep/results/identity.ts'
import { parseGrid } from '../src/research/sweep/grid.ts'
import { runSweep, type SweepEnd } from '../src/research/sweep/run-sweep.ts'
import { numberVariants } from '../src/research/sweep/variant.ts'
import { rowsOfBatch } from '../src/store/tape/model/batch.ts'
import type { TapeRow } from '../src/store/tape/model/row.ts'
import { writeTape } from '../src/store/tape/writer/write-tape.ts'
import { busyDays } from './tape/busy-year.ts'
import { shortOr } from './harness/short.ts'

const DAYS = shortOr(1, 40)
const SPREADS = shortOr(5, 20)
const TARGET = 1.9
const ROUNDS = shortOr(1, 2)
const CONFIG = `name: bench
venue: { baseUrl: http://127.0.0.1:1, apiKey: !env MIZANI_API_KEY }
strategy: { use: inventory-skew, params: { halfSpreadBps: 60, maxSkewBps: 80 } }
inventory: { target: 0.5 }
risk: { maxMidAgeMs: 432000000 }
`

/**
 * One sweep of real backtests over 40 busy days, 2.5 million rows, with one worker thread and then with two:
 * the whole of it, from starting the threads and reading the tape to the reports on disk. `steady` leaves out
 * what comes before each thread's first result. The better of two rounds each.
 */
export default async function sweepBench(): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-bench-sweep-'))
  try {
    const tape = join(folder, 'tape')
    const config = join(folder, 'position.yaml')
    writeFileSync(config, CONFIG)
    const written = await writeTape(tape, rows())
    if (!written.ok) throw new Error(written.error)
    const manifest = await manifestOf(config)
    const one = await best(folder, manifest, 1)
    const two = await best(folder, manifest, 2)
    if (one.digest !== two.digest) throw new Error('one worker and two came to different results')
    const ratio = one.elapsedMs / two.elapsedMs
    return {
      target: TARGET,
      met: ratio >= TARGET,
      ratio: round(ratio),
      steadyRatio: round(two.perSecond / one.perSecond),
      variants: manifest.variants.length,
      rows: written.value.rows,
      jobMs: { one: round(one.jobMs), two: round(two.jobMs) },
      seconds: { one: round(one.elapsedMs / 1_000), two: round(two.elapsedMs / 1_000) },
      reportMs: { one: round(one.reportMs), two: round(two.reportMs) },
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function* rows(): Generator<TapeRow, undefined> {
  for (const batch of busyDays(DAYS)) yield* rowsOfBatch(batch)
}

async function manifestOf(config: string): Promise<Manifest> {
  const spreads = Array.from({ length: SPREADS }, (_, i) => 40 + 3 * i)
  const skews = Array.from({ length: 10 }, (_, i) => 10 * i)
  const grid = parseGrid(JSON.stringify({ halfSpreadBps: spreads, maxSkewBps: skews }))
  if (!grid.ok) throw new Error(grid.error)
  const variants = numberVariants(grid.value)
  const configs = await checkVariants(config, variants)
  if (!configs.ok) throw new Error(configs.error)
  return makeManifest({
    product: 'bench',
    configs: configs.value,
    tape: 'bench',
    window: {},
    fills: 'recorded',
    seed: 1,
    variants,
  })
}

async function best(folder: string, manifest: Manifest, workers: number): Promise<Measured> {
  const rounds: Measured[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push(await measure(folder, manifest, `out-${workers}-${round}`, workers))
  return rounds.reduce((a, b) => (b.elapsedMs < a.elapsedMs ? b : a))
}

type Measured = Awaited<ReturnType<typeof measure>>

async function measure(folder: string, manifest: Manifest, out: string, workers: number) {
  const began = performance.now()
  const seen: number[] = []
  const end = await runSweep({
    manifest,
    configFile: join(folder, 'position.yaml'),
    tapePath: join(folder, 'tape'),
    out: join(folder, out),
    add: false,
    worker: new URL('../src/research/jobs/sweep/sweep-worker.ts', import.meta.url),
    workers,
    queue: null,
    report: { splits: 4, heatmap: [] },
    observe: ({ done }) => void seen.push(done === 0 ? Number.NaN : performance.now()),
    signal: new AbortController().signal,
  })
  const elapsedMs = performance.now() - began
  const { result, timing } = completeOf(end)
  const times = seen.filter((t) => !Number.isNaN(t))
  const first = times[workers - 1] ?? began
  const last = times.at(-1) ?? began
  return {
    digest: result.digest,
    elapsedMs,
    jobMs: timing.backtestMs / result.ranking.variants.length,
    perSecond: (1_000 * (times.length - workers)) / (last - first),
    reportMs: began + elapsedMs - last,
  }
}

function completeOf(end: Awaited<ReturnType<typeof runSweep>>): Extract<SweepEnd, { kind: 'complete' }> {
  if (end.ok && end.value.kind === 'complete') return end.value
  throw new Error(JSON.stringify(end))
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
