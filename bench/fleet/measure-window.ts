import { setTimeout as pause } from 'node:timers/promises'
import { spreadOfSamples, type SpreadOfSamples } from '../harness/spread-of-samples.ts'
import { READ_TOKEN } from './fleet-folder.ts'
import { bucketsOf, quantileBetween, samplesOf, scrape, type Exposition } from './exposition.ts'
import { commitsBetween, readSizes, readWals, type StoreSizes } from './journal-commits.ts'
import { readUsage } from './process-usage.ts'
import { slopeAnHour } from '../../src/daemon/telemetry/metrics/memory-growth.ts'
import type { RunningFleet } from './running-fleet.ts'

/** What a fleet costs while it runs as it does. */
export type WindowFigures = {
  readonly seconds: number
  readonly requestsPerSecond: number
  readonly cpuPercentOfACore: number
  readonly venueCpuPercentOfACore: number
  /** Upper bounds of the buckets in which the quantiles lie. */
  readonly decisionUs: { readonly count: number; readonly p50: number | null; readonly p99: number | null }
  readonly scrapeMs: SpreadOfSamples
  readonly scrapeKiB: number
  readonly series: number
  readonly rssMiB: number
  readonly peakRssMiB: number
  readonly threads: number
  readonly rssMiBAnHour: number
  readonly diskKiBPerSecond: number
  /** Each is one fsync; null where every journal was begun anew meanwhile. */
  readonly commitsPerSecond: number | null
  /** What the stores grew by an event, tables and indexes included. */
  readonly journal: { readonly eventsPerSecond: number; readonly bytesAnEvent: number | null }
  /** Positions that were not in a scrape: the most of the five. */
  readonly scrapeMissing: number
  /** By thread, as GET /metrics has it. */
  readonly eventLoopDelayMs: Readonly<Record<string, number>>
}

const SCRAPES = 5
const COMPLETE_TRIES = 20
const TRY_AGAIN_MS = 3_000
/** Write-ahead logs are read whole, so of some stores only. */
const STORES_READ = 20
const RSS_EVERY_MS = 1_000
const DECISIONS = 'mizani_decision_seconds'

/** Lets the fleet run for so many seconds and compares what was counted before and after; scrapes are at its end. */
export async function measureWindow(fleet: RunningFleet, seconds: number): Promise<WindowFigures> {
  const { pid, venue, paths, names } = fleet
  const looked = names.slice(0, STORES_READ)
  // The delay of the event loops counts from the scrape before.
  const metricsBefore = await completeScrape(fleet.url)
  const sizesBefore = readSizes(paths.stores, looked)
  const walsBefore = readWals(paths.stores, looked)
  const venueBefore = await venue.figures()
  const before = readUsage(pid)
  const rss = await sampleRss(pid, seconds)
  const after = readUsage(pid)
  const venueAfter = await venue.figures()
  const walsAfter = readWals(paths.stores, looked)
  const sizesAfter = readSizes(paths.stores, looked)
  const wallMs = after.atMs - before.atMs
  const perSecond = (amount: number) => round((amount * 1_000) / wallMs)
  const metrics = await completeScrape(fleet.url)
  const scrapes = [metrics]
  while (scrapes.length < SCRAPES) scrapes.push(await scrape(fleet.url, READ_TOKEN))
  const commits = commitsBetween(walsBefore, walsAfter)
  return {
    seconds,
    requestsPerSecond: perSecond(venueAfter.requests - venueBefore.requests),
    cpuPercentOfACore: perSecond((after.cpuMs - before.cpuMs) / 10),
    venueCpuPercentOfACore: perSecond((venueAfter.cpuMs - venueBefore.cpuMs) / 10),
    decisionUs: decisionsBetween(metricsBefore.text, metrics.text),
    scrapeMs: spreadOfSamples(scrapes.map(({ ms }) => ms)),
    scrapeKiB: round(metrics.bytes / 1_024),
    series: metrics.series,
    rssMiB: round(after.rssMiB),
    peakRssMiB: round(after.peakRssMiB),
    threads: after.threads,
    rssMiBAnHour: round(slopeAnHour(rss)),
    diskKiBPerSecond: perSecond((after.diskWriteBytes - before.diskWriteBytes) / 1_024),
    commitsPerSecond: commits === null ? null : perSecond(commits * names.length),
    journal: {
      eventsPerSecond: perSecond(((sizesAfter.events - sizesBefore.events) / looked.length) * names.length),
      bytesAnEvent: bytesAnEvent(sizesBefore, sizesAfter),
    },
    scrapeMissing: Math.max(...scrapes.map(({ text }) => missingIn(text))),
    eventLoopDelayMs: eventLoopDelays(metrics.text),
  }
}

/** Counters are compared only where every position is in both readings. */
async function completeScrape(url: string): Promise<Exposition> {
  for (let tries = 1; ; tries++) {
    const read = await scrape(url, READ_TOKEN)
    if (missingIn(read.text) === 0) return read
    if (tries === COMPLETE_TRIES)
      throw new Error(`${missingIn(read.text)} positions are missing in each of ${tries} scrapes`)
    await pause(TRY_AGAIN_MS)
  }
}

function missingIn(text: string): number {
  return samplesOf(text, 'mizani_scrape_positions_missing')[0]?.value ?? 0
}

function bytesAnEvent(before: StoreSizes, after: StoreSizes): number | null {
  const events = after.events - before.events
  return events === 0 ? null : Math.round((after.bytes - before.bytes) / events)
}

async function sampleRss(
  pid: number,
  seconds: number,
): Promise<readonly { readonly atMs: number; readonly y: number }[]> {
  const samples: { readonly atMs: number; readonly y: number }[] = []
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) {
    await pause(Math.min(RSS_EVERY_MS, until - performance.now()))
    const { atMs, rssMiB } = readUsage(pid)
    samples.push({ atMs, y: rssMiB })
  }
  return samples
}

function decisionsBetween(before: string, after: string): WindowFigures['decisionUs'] {
  const [then, now] = [bucketsOf(before, DECISIONS), bucketsOf(after, DECISIONS)]
  const quantileUs = (share: number) => {
    const bound = quantileBetween(then, now, share)
    return bound === null ? null : round(bound * 1e6)
  }
  const count = (now.get(Infinity) ?? 0) - (then.get(Infinity) ?? 0)
  return { count, p50: quantileUs(0.5), p99: quantileUs(0.99) }
}

function eventLoopDelays(text: string): Record<string, number> {
  const delays: Record<string, number> = {}
  for (const { labels, value } of samplesOf(text, 'mizani_event_loop_delay_seconds')) {
    const thread = /thread="([^"]+)"/.exec(labels)?.[1]
    if (thread !== undefined && labels.includes('quantile="0.999"')) delays[thread] = round(value * 1_000)
  }
  return delays
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
