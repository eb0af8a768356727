import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '../src/base/random.ts'
import { DAY_MS, SECOND_MS } from '../src/base/time.ts'
import { RATE_ONE } from '../src/base/money/rate.ts'
import { openTape } from '../src/store/tape/folder/open-tape.ts'
import type { TapeSource } from '../src/store/tape/model/batch.ts'
import type { TapeRow } from '../src/store/tape/model/row.ts'
import { writeTape } from '../src/store/tape/writer/write-tape.ts'
import { plainRowNs } from './plain/row-cost.ts'
import { shortOr } from './harness/short.ts'

const DAYS = shortOr(1, 20)
const RATES_A_DAY = 212_500
const START = Date.parse('2026-11-02T00:00:00.000Z')
const READINGS = shortOr(12, 5)

/**
 * A tape as a recorder leaves it, 85 % rates, 14 % competition and 1 % fills: how fast it is written and
 * read, how large a row is on disk, and how much memory a reading holds.
 */
export default async function benchTape(): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-bench-tape-'))
  try {
    const path = join(folder, 'tape')
    const startedAt = performance.now()
    const written = await writeTape(path, rowsOfTape())
    const writeSeconds = (performance.now() - startedAt) / SECOND_MS
    if (!written.ok) throw new Error(written.error)
    const { rows, bytes, files } = written.value
    const readings: Reading[] = []
    for (let i = 0; i < READINGS; i++) readings.push(await timeReading(path, rows))
    const best = Math.max(...readings.map(({ rowsPerCpuSecond }) => rowsPerCpuSecond))
    return {
      rows,
      files,
      days: DAYS,
      bytesPerRow: Math.round((bytes / rows) * 1_000) / 1_000,
      writeRowsPerSecond: Math.round(rows / writeSeconds),
      /** Medians; the first reading is that of a process that has just begun. */
      rowsPerSecond: median(readings.map((reading) => reading.rowsPerSecond)),
      /** All threads' time, the collector's too: what is left to compare by when others are at work. */
      rowsPerCpuSecond: median(readings.map((reading) => reading.rowsPerCpuSecond)),
      rowsPerSecondOfEachReading: readings.map((reading) => reading.rowsPerSecond),
      heldMiB: await heldMiB(path),
      /** A row of the plain loop by a row that is read, the best of the readings. */
      ratios: { reading: Number((((await plainRowNs()) * best) / 1e9).toPrecision(3)) },
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Reading = { readonly rowsPerSecond: number; readonly rowsPerCpuSecond: number }

async function timeReading(path: string, rows: number): Promise<Reading> {
  const startedAt = performance.now()
  const startedCpu = process.cpuUsage()
  let read = 0
  let sum = 0
  for await (const batch of open(path).batches()) {
    read += batch.rows
    sum += batch.rates.t.at(-1) ?? 0
  }
  const seconds = (performance.now() - startedAt) / SECOND_MS
  if (read !== rows || sum <= 0) throw new Error(`${read} rows read of ${rows}`)
  const { user, system } = process.cpuUsage(startedCpu)
  return {
    rowsPerSecond: Math.round(rows / seconds),
    rowsPerCpuSecond: Math.round(rows / ((user + system) / 1e6)),
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** The most that is reachable while a reading stands between two batches, above what was before it. */
async function heldMiB(path: string): Promise<number> {
  const used = (): number => {
    globalThis.gc?.()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const before = used()
  let most = 0
  let batches = 0
  for await (const batch of open(path).batches()) {
    if (batch.rows > 0 && batches++ % 10 === 0) most = Math.max(most, used() - before)
  }
  return Math.round(most / 2 ** 20)
}

function open(path: string): TapeSource {
  const opened = openTape(path)
  if (!opened.ok) throw new Error(opened.error)
  return opened.value
}

/** Polls with jitter; a mid that moves some hundred times a day; three probes asked in turn. */
function* rowsOfTape(): Generator<TapeRow> {
  const random = seededRandom(7, 'bench tape')
  const step = DAY_MS / RATES_A_DAY
  let mid = 2_568n * RATE_ONE
  let updatedAt = START
  let asked = 0
  for (let i = 0; i < DAYS * RATES_A_DAY; i++) {
    const t = START + Math.floor(i * step + random() * step * 0.5)
    if (random() < 0.001) {
      mid += BigInt(Math.floor(random() * 2_000) - 1_000) * 10n ** 14n
      updatedAt = t
    }
    yield { type: 'rate', t, mid, rateUpdatedAt: updatedAt, quotable: true }
    if (random() < 14 / 85) yield probe(t, asked++, random)
    if (random() < 1 / 85) yield fill(t, i, random)
  }
}

function probe(t: number, asked: number, random: () => number): TapeRow {
  const sizes = [100n, 1_000n, 5_000n]
  const amount = (sizes[asked % sizes.length] ?? 0n) * 10n ** 18n
  const bidBps = 50 + Math.floor(random() * 20)
  return { type: 'competition', t, from: 'USDC', to: 'NTZS', amount, bidBps, askBps: bidBps + 3 }
}

function fill(t: number, i: number, random: () => number): TapeRow {
  const dollars = BigInt(Math.floor(random() * 5e8)) * 10n ** 12n
  return {
    type: 'fill',
    t,
    id: `fill-${i}`,
    from: 'USDC',
    to: 'NTZS',
    amountIn: dollars,
    amountOut: dollars * 2_552n,
    protocolFee: null,
    feesEarned: '3852.24',
    txHash: `0x${i.toString(16).padStart(64, '0')}`,
    seenAt: t + SECOND_MS,
  }
}
