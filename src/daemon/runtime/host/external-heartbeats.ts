import { errorText } from '../../../base/result.ts'
import { SECOND_MS, type Ms } from '../../../base/time.ts'
import type { LoadedAlert } from '../../config/load/alert.ts'
import { ping, pingAddress, type PingSignal } from '../../../base/http/ping.ts'
import { liftedNotice, positionNotice, type Notice } from '../../notify/notice.ts'
import type { Log } from '../../telemetry/log/log.ts'
import type { HeartbeatMetrics } from '../../telemetry/metrics/heartbeat-metrics.ts'
import { runCaught, runEvery } from '../../../base/threads/timing.ts'

/** A position with a heartbeat to an external service. */
export type Vouched = {
  readonly alert: LoadedAlert
  readonly beat: () => Promise<Beat>
  readonly notify: (notice: Notice) => void
}

type HeartbeatsParts = {
  /** The current positions of the process. */
  readonly positions: () => readonly Vouched[]
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly metrics: HeartbeatMetrics
  readonly timing?: Partial<HeartbeatTiming>
}

type HeartbeatTiming = {
  /** How often the timer checks for a due heartbeat. */
  readonly lookMs: Ms
  readonly timeoutMs: Ms
  /** A rejected heartbeat is retried after this time, or when the next one is due. */
  readonly retryMs: Ms
  /** A loop without an event on disk for this time does not vouch. A quiet position writes one every 15 s. */
  readonly silentMs: Ms
}

const TIMING: HeartbeatTiming = {
  lookMs: SECOND_MS,
  timeoutMs: 10 * SECOND_MS,
  retryMs: 10 * SECOND_MS,
  silentMs: 60 * SECOND_MS,
}
/** The operators are notified after this many rejected heartbeats in a row. */
const NOTIFY_AFTER = 3

type Heartbeat = NonNullable<LoadedAlert['heartbeat']>
type Service = {
  readonly vouching: ReturnType<typeof createVouching>
  dueAt: Ms
  isBusy: boolean
  isStarted: boolean
  /** Until this time the positions need not answer; a daemon that has not started by then reports a failure. */
  readonly startsUntil: Ms
  refused: number
  /** The last log line: each change is logged once. */
  logged: string
}

/**
 * Sends heartbeats to the external dead-man services that positions name: one to each service while all of its positions vouch. Never ends
 * the process, delays trading or reveals a URL. Returns the function that stops it.
 */
export function runHeartbeats(parts: HeartbeatsParts): () => Promise<void> {
  const timing = { ...TIMING, ...parts.timing }
  const services = new Map<string, Service>()
  const timer = runEvery(() => {
    const now = performance.now()
    const named = Map.groupBy(parts.positions(), ({ alert }) => alert.heartbeat?.url.reveal() ?? '')
    for (const [url, positions] of named) {
      if (url === '') continue
      const service = services.get(url) ?? openService(timing.silentMs, now)
      services.set(url, service)
      if (service.isBusy || now < service.dueAt) continue
      service.isBusy = true
      runCaught(() => beatOnce(parts, timing, service, positions).finally(() => (service.isBusy = false)))
    }
    for (const url of services.keys()) if (!named.has(url)) services.delete(url)
  }, timing.lookMs).unref()
  return () => {
    clearInterval(timer)
    return Promise.resolve()
  }
}

function openService(silentMs: Ms, now: Ms): Service {
  const vouching = createVouching(silentMs)
  const startsUntil = now + silentMs
  return { vouching, dueAt: now, isBusy: false, isStarted: false, startsUntil, refused: 0, logged: '' }
}

async function beatOnce(
  parts: HeartbeatsParts,
  timing: HeartbeatTiming,
  service: Service,
  positions: readonly Vouched[],
): Promise<void> {
  const heartbeats = positions.map(({ alert }) => alert.heartbeat).filter((one) => one !== null)
  const [first] = heartbeats
  if (first === undefined) return
  const everyMs = Math.min(...heartbeats.map((one) => one.everyMs))
  service.dueAt = performance.now() + everyMs
  try {
    const beats = await Promise.all(positions.map(({ beat }) => beat()))
    const problems = service.vouching(beats, performance.now())
    const signal = signalOf(service, first, problems)
    if (signal !== 'well') logOnce(parts, service, problems)
    if (problems.length > 0) parts.metrics.heartbeats.inc({ outcome: 'withheld' })
    if (signal === null) return
    const sent = await ping(pingAddress(first.url.reveal(), signal), timing.timeoutMs)
    if (sent.ok) taken(parts, service, positions, problems.length === 0)
    else {
      service.dueAt = performance.now() + Math.min(timing.retryMs, everyMs)
      refused(parts, service, positions, sent.error)
    }
    if (sent.ok && signal === 'start') service.isStarted = true
  } catch (error) {
    parts.log.warn({ event: 'heartbeat' }, `no heartbeat could be sent: ${errorText(error)}`)
  }
}

/** Returns null to send nothing, which the service notices. */
function signalOf(
  { isStarted, startsUntil }: Service,
  { suffixes }: Heartbeat,
  problems: readonly string[],
): PingSignal | null {
  const isStarting = !isStarted && performance.now() < startsUntil
  if (problems.length > 0) return suffixes && !isStarting ? 'fail' : null
  return suffixes && !isStarted ? 'start' : 'well'
}

function logOnce({ log }: HeartbeatsParts, service: Service, problems: readonly string[]): void {
  const text = problems.join('; ').replaceAll(/\d+ s\b/g, 'some time')
  if (text === service.logged || text === '') return
  service.logged = text
  log.warn({ event: 'heartbeat' }, `the heartbeat is withheld: ${problems.join('; ')}`)
}

function taken(
  { log, metrics }: HeartbeatsParts,
  service: Service,
  positions: readonly Vouched[],
  isWell: boolean,
): void {
  metrics.heartbeats.inc({ outcome: 'taken' })
  if (service.refused >= NOTIFY_AFTER) {
    const words = 'the external heartbeat service accepts heartbeats again'
    for (const { notify } of positions) notify(liftedNotice(Date.now(), 'heartbeat-refused', words))
  }
  service.refused = 0
  if (!isWell || service.logged === 'well') return
  service.logged = 'well'
  log.info(
    { event: 'heartbeat' },
    'the external heartbeat service accepts heartbeats: every position journals events',
  )
}

function refused(
  { log, metrics }: HeartbeatsParts,
  service: Service,
  positions: readonly Vouched[],
  why: string,
): void {
  metrics.heartbeats.inc({ outcome: 'refused' })
  service.refused += 1
  const words = `the external heartbeat service did not accept the heartbeat: ${why}`
  if (words !== service.logged) log.warn({ event: 'heartbeat' }, words)
  service.logged = words
  if (service.refused !== NOTIFY_AFTER) return
  for (const { notify } of positions) notify(positionNotice('heartbeat-refused', words))
}

/** The state of a position's loop. */
export type Beat = {
  readonly position: string
  /** The number of its loop's last event on disk; null = the position does not answer. */
  readonly durableSeq: number | null
  /** Why it ended permanently; null = still active. */
  readonly ended: string | null
}

/** Returns a sentence for each position that does not vouch; empty = all vouch. */
type Vouching = (beats: readonly Beat[], now: Ms) => readonly string[]

/**
 * A position vouches if the number of its last event on disk has grown within `silentMs`. A timer that still runs next to a hung loop or a
 * stuck journal proves nothing. `now` is a monotonic clock.
 */
export function createVouching(silentMs: Ms): Vouching {
  const seen = new Map<string, { readonly durableSeq: number; readonly since: Ms }>()

  function problemOf({ position, durableSeq, ended }: Beat, now: Ms): string | null {
    if (ended !== null) return `${position} has ended: ${ended}`
    if (durableSeq === null) return `${position} does not answer`
    const before = seen.get(position)
    if (before?.durableSeq !== durableSeq) {
      seen.set(position, { durableSeq, since: now })
      return null
    }
    const silent = now - before.since
    return silent < silentMs
      ? null
      : `${position} has journalled no event for ${Math.round(silent / 1_000)} s`
  }

  return (beats, now) => {
    const names = new Set(beats.map(({ position }) => position))
    for (const name of seen.keys()) if (!names.has(name)) seen.delete(name)
    return beats.map((beat) => problemOf(beat, now)).filter((problem) => problem !== null)
  }
}
