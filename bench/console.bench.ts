import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { startSandbox } from '../src/simulator/sandbox/server/server.ts'
import { freePort } from '../test/support/free-port.ts'
import { startDaemon } from './live/daemon.ts'
import { shortOr } from './harness/short.ts'

const POSITIONS = shortOr(1, 10)
const CONSOLES = shortOr(2, 50)
/** Answers of the venue a second and position, and what the daemon asks itself besides. */
const POLLS_PER_SECOND = 20
const SETTLE_MS = shortOr(500, 5_000)
const MEASURE_MS = shortOr(1_000, 20_000)
const START_MS = 60_000

type Decisions = { readonly count: number; readonly buckets: ReadonlyMap<number, number> }

/**
 * Ten positions of one daemon, each with twenty answers of its venue a second, first by themselves and then
 * with fifty consoles open on its stream. What is compared is how long decisions take inside the core
 * (mizani_decision_seconds, all positions), as the bucket in which the quantile lies; venues, consoles and
 * daemon share one machine.
 */
export default async function consoleBench(): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-bench-console-'))
  const port = await freePort()
  const venues = await Promise.all(
    Array.from({ length: POSITIONS }, () =>
      startSandbox({ isActive: true, requestsPerMinute: 6_000, publicRequestsPerMinute: 6_000 }),
    ),
  )
  const configs = venues.map(({ url }, index) => configure(folder, `desk-${index}`, url, port))
  const daemon = startDaemon(['run', ...configs.flatMap((config) => ['--config', config])], {
    MIZANI_API_KEY: 'mm_test_sandbox',
    MIZANI_HTTP_TOKEN: 'bench',
  })
  try {
    const url = `http://127.0.0.1:${port}`
    await listening(url)
    await sleep(SETTLE_MS)
    const alone = await measured(url)
    const consoles = await Promise.all(Array.from({ length: CONSOLES }, () => openConsole(url)))
    await sleep(SETTLE_MS)
    const watched = await measured(url)
    const received = consoles.reduce((sum, { bytes }) => sum + bytes(), 0)
    for (const { close } of consoles) close()
    return {
      positions: POSITIONS,
      consoles: CONSOLES,
      alone,
      watched,
      receivedMiB: Math.round(received / 2 ** 20),
    }
  } finally {
    await daemon.end()
    await Promise.all(venues.map((venue) => venue.close()))
    rmSync(folder, { recursive: true, force: true })
  }
}

function configure(folder: string, name: string, baseUrl: string, port: number): string {
  const file = join(folder, `${name}.yaml`)
  const everyMs = (5 * 1_000) / POLLS_PER_SECOND
  const sections = {
    name,
    venue: { baseUrl, apiKey: 'KEY', requestsPerMinute: 6_000 },
    strategy: { use: 'inventory-skew' },
    risk: { maxMidAgeMs: null, priceCorridor: { min: '1000', max: '10000' } },
    pacing: {
      fillsIntervalMs: everyMs,
      rateIntervalMs: everyMs,
      balancesIntervalMs: everyMs,
      accountIntervalMs: everyMs,
      quoteCheckIntervalMs: everyMs,
    },
    store: { path: join(folder, name) },
    http: { port, token: 'TOKEN' },
    log: { file: join(folder, `${name}.log`) },
  }
  const text = JSON.stringify(sections, null, 2)
  writeFileSync(
    file,
    text.replace('"KEY"', '!env MIZANI_API_KEY').replace('"TOKEN"', '!env MIZANI_HTTP_TOKEN'),
  )
  return file
}

async function listening(url: string): Promise<void> {
  const deadline = performance.now() + START_MS
  for (;;) {
    try {
      const { body } = await request(`${url}/healthz`)
      return await body.dump()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(200)
    }
  }
}

async function measured(url: string): Promise<Record<string, number>> {
  const before = await decisions(url)
  await sleep(MEASURE_MS)
  const after = await decisions(url)
  const count = after.count - before.count
  const at = (share: number) => {
    const found = [...after.buckets].find(
      ([bound, upTo]) => upTo - (before.buckets.get(bound) ?? 0) >= share * count,
    )
    return found === undefined ? Infinity : found[0] * 1e6
  }
  const perSecond = Math.round((count / (MEASURE_MS / 1_000) / POSITIONS) * 10) / 10
  return { eventsPerSecondAndPosition: perSecond, p50AtMostUs: at(0.5), p99AtMostUs: at(0.99) }
}

/** The histogram of all positions together, its buckets ascending. */
async function decisions(url: string): Promise<Decisions> {
  const { body } = await request(`${url}/metrics`)
  const text = await body.text()
  const buckets = new Map<number, number>()
  let count = 0
  for (const [, bound, value] of text.matchAll(
    /^mizani_decision_seconds_bucket\{.*?le="([^"]+)".*?\} (\d+)/gm,
  )) {
    if (bound === '+Inf') count += Number(value)
    else buckets.set(Number(bound), (buckets.get(Number(bound)) ?? 0) + Number(value))
  }
  return { count, buckets: new Map([...buckets].sort(([a], [b]) => a - b)) }
}

async function openConsole(url: string) {
  const { body } = await request(`${url}/api/v1/stream`, { bodyTimeout: 0 })
  let bytes = 0
  body.on('data', (chunk: Buffer) => (bytes += chunk.length))
  body.on('error', () => undefined)
  return { bytes: () => bytes, close: () => void body.destroy() }
}
