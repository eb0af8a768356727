import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { seededRandom, type Random } from '../src/base/random.ts'
import { startDaemon, type Daemon, type LogLine } from './live/daemon.ts'
import { spreadOfSamples } from './harness/spread-of-samples.ts'
import { shortOr } from './harness/short.ts'

const KEY = 'mm_test_bench'
const STARTS = shortOr(1, 5)
const FILLS = shortOr(2, 30)
const MIDS = shortOr(2, 25)
const MINUTE_MS = shortOr(1_000, 60_000)
/** Random moments relative to the daemon's polls; the short form only sees that each is answered. */
const BETWEEN_FILLS_MS = shortOr([200, 600], [1_500, 4_000])
const BETWEEN_MIDS_MS = shortOr([200, 600], [2_000, 6_000])
const STRATEGY = fileURLToPath(new URL('./live/mid-follower.ts', import.meta.url))

/**
 * The whole daemon as a process against the sandbox as a process, over real HTTP on loopback, in real time
 * and at the default budget of 60 requests a minute, of which every request counts.
 *   startToFirstQuote  from spawning the process to the venue's confirmation of its first PATCH, fresh store
 *   midToPatch         from a new mid at the venue to the moment our new spread stands there (venue's clock)
 *   fillToSeen         from just before a taker's swap to the daemon's log line of the booked fill
 */
export default async function latencyBench(): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-bench-'))
  try {
    const toFirstQuote: number[] = []
    for (let nth = 0; nth < STARTS; nth++) {
      toFirstQuote.push(await withVenue((url) => measureStart(writeConfig(folder, url, `start-${nth}`))))
    }
    const running = await withVenue((url) => measureRunning(url, writeConfig(folder, url, 'run')))
    return { startToFirstQuoteMs: { target: 2_000, ...spreadOfSamples(toFirstQuote) }, ...running }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A venue of its own, because it counts requests by key, whichever process sends them. */
async function withVenue<Result>(measure: (url: string) => Promise<Result>): Promise<Result> {
  // At speed 1 the pretend takers come twice a minute; the bench's own swaps come on top.
  const venue = startDaemon(['sandbox', '--port', '0', '--seed', '3', '--api-key', KEY], {})
  try {
    return await measure(await venueUrl(venue))
  } finally {
    await venue.end()
  }
}

async function venueUrl(venue: Daemon): Promise<string> {
  const isUrl = (text: unknown) => typeof text === 'string' && text.startsWith('listening ')
  const { text } = await venue.line((line) => isUrl(line['text']), 60_000)
  return String(text).slice('listening '.length)
}

/** From nothing to a standing quote; the store is made on the way. */
async function measureStart(config: string): Promise<number> {
  const daemon = startDaemon(['run', '--config', config], { BENCH_KEY: KEY })
  try {
    const isFirst = (line: LogLine) => line.event === 'quoteConfirmed' && line['by'] === 'patch'
    const { time } = await daemon.line(isFirst, 60_000)
    return Date.parse(String(time)) - daemon.spawnedAt
  } finally {
    await daemon.end()
  }
}

/** First fills alone, then mids alone: a PATCH for every fill is a strategy's business, not the daemon's. */
async function measureRunning(url: string, config: string): Promise<Record<string, unknown>> {
  const daemon = startDaemon(['run', '--config', config], { BENCH_KEY: KEY })
  try {
    const { url: own } = await daemon.line((line) => line['msg'] === 'listening', 60_000)
    await daemon.line((line) => line.event === 'activationChanged' && line['isActive'] === true, 60_000)
    await pause(MINUTE_MS)
    const afterOneMinute = daemon.rssMiB()
    const fills = await counted(String(own), () => measureFills(url, daemon, seededRandom(3, 'latency')))
    const mids = await counted(String(own), () => measureMids(url, seededRandom(4, 'latency')))
    return {
      fillToSeenMs: { target: 3_000, ...spreadOfSamples(fills.samples), requests: fills.requests },
      midToPatchMs: { ...spreadOfSamples(mids.samples), requests: mids.requests },
      rssMiB: { target: 150, afterOneMinute, atTheEnd: daemon.rssMiB() },
    }
  } finally {
    await daemon.end()
  }
}

/** The samples, and what the daemon asked of the venue meanwhile. */
async function counted(
  own: string,
  measure: () => Promise<number[]>,
): Promise<{ readonly samples: number[]; readonly requests: Record<string, unknown> }> {
  const before = await requestsSent(own)
  const began = performance.now()
  const samples = await measure()
  const minutes = (performance.now() - began) / MINUTE_MS
  return { samples, requests: requestsPerMinute(before, await requestsSent(own), minutes) }
}

/** Takers' swaps at random moments; only those that the router gave to us. */
async function measureFills(url: string, daemon: Daemon, random: Random): Promise<number[]> {
  const samples: number[] = []
  for (let tries = 0; samples.length < FILLS && tries < 4 * FILLS; tries++) {
    await pauseWithin(BETWEEN_FILLS_MS, random)
    const asked =
      random() < 0.5
        ? { from: 'USDC', to: 'NTZS', amount: '40' }
        : { from: 'NTZS', to: 'USDC', amount: '100000' }
    const at = Date.now()
    const { ours, id } = await post(url, 'swap', asked)
    if (ours !== true) continue
    const { time } = await daemon.line((line) => line.event === 'fillPosted' && line['id'] === id, 30_000)
    samples.push(Date.parse(String(time)) - at)
  }
  if (samples.length < FILLS / 2) throw new Error(`only ${samples.length} swaps came to us`)
  return samples
}

/** New mids at random moments, up and down in turn, until the spread that belongs to each stands. */
async function measureMids(url: string, random: Random): Promise<number[]> {
  const samples: number[] = []
  for (let nth = 0; nth < MIDS; nth++) {
    await pauseWithin(BETWEEN_MIDS_MS, random)
    await post(url, 'inject', { jump: { bps: nth % 2 === 0 ? 40 : -40 } })
    const changed = await state(url)
    const wanted = 20 + (Math.floor(Number(changed.mid)) % 30)
    for (;;) {
      const { quote, inSandboxMs } = await state(url)
      if (quote.bidBps === wanted) {
        samples.push(Date.parse(quote.updatedAt) - Date.parse(changed.rateUpdatedAt))
        break
      }
      if (inSandboxMs - Date.parse(changed.rateUpdatedAt) > 30_000)
        throw new Error('no PATCH within 30 s of a new mid')
      await pause(25)
    }
  }
  return samples
}

const pauseWithin = ([least = 0, more = 0]: readonly number[], random: Random) =>
  pause(least + random() * more)

type VenueState = {
  readonly mid: string
  readonly rateUpdatedAt: string
  readonly inSandboxMs: number
  readonly quote: { readonly bidBps: number; readonly updatedAt: string }
}

async function state(url: string): Promise<VenueState> {
  const answer = await fetch(`${url}/sandbox/state`)
  const body = (await answer.json()) as Omit<VenueState, 'inSandboxMs'> & { readonly now: number }
  return { ...body, inSandboxMs: body.now }
}

async function post(url: string, what: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/sandbox/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok)
    throw new Error(`POST /sandbox/${what} was answered with ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

/** What the daemon counted of its own requests, by route. */
async function requestsSent(own: string): Promise<Map<string, number>> {
  const text = await (await fetch(`${own}/metrics`)).text()
  const counts = new Map<string, number>()
  for (const [, route = '', count] of text.matchAll(
    /^mizani_venue_requests_total\{[^}]*route="([^"]+)"[^}]*\} (\d+)$/gm,
  )) {
    counts.set(route, (counts.get(route) ?? 0) + Number(count))
  }
  return counts
}

/** The public endpoint has a limit of its own; every other route counts against the key's 60. */
function requestsPerMinute(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  minutes: number,
): Record<string, unknown> {
  const perMinute: Record<string, number> = {}
  let key = 0
  for (const [route, count] of after) {
    const rate = (count - (before.get(route) ?? 0)) / minutes
    perMinute[route] = round(rate)
    if (route !== 'GET /swap/rate') key += rate
  }
  const looksForMid = (perMinute['GET /rate'] ?? 0) + (perMinute['GET /swap/rate'] ?? 0)
  return {
    budgetPerMinute: 60,
    ofTheKeyPerMinute: round(key),
    perMinute,
    meanIntervalMs: {
      fills: Math.round(MINUTE_MS / (perMinute['GET /fills'] ?? 1)),
      mid: Math.round(MINUTE_MS / Math.max(1, looksForMid)),
      rateOfTheKey: Math.round(MINUTE_MS / (perMinute['GET /rate'] ?? 1)),
    },
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function writeConfig(folder: string, url: string, name: string): string {
  const file = join(folder, `${name}.yaml`)
  const text = [
    `name: ${name}`,
    `venue: { baseUrl: '${url}', apiKey: !env BENCH_KEY }`,
    `strategy: { use: '${STRATEGY}' }`,
    `risk: { priceCorridor: { min: '1000', max: '10000' } }`,
    `store: { path: '${join(folder, name)}' }`,
    'http: { port: 0 }',
  ]
  writeFileSync(file, `${text.join('\n')}\n`)
  return file
}
