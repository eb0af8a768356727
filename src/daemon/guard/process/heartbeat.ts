import type { Result } from '../../../base/result.ts'
import { SECOND_MS, type Ms } from '../../../base/time.ts'
import { ping, pingAddress, type PingSignal } from '../../../base/http/ping.ts'
import type { Report } from '../notices/report.ts'

/** An external dead-man service that notices when the guard itself is gone. */
type GuardHeartbeat = {
  /** The service's URL, read for each heartbeat. */
  readonly url: () => Result<string, string>
  readonly everyMs: Ms
  /** Whether the service accepts `/start` and `/fail` appended to its path. */
  readonly suffixes: boolean
}

type GuardHeartbeatParts = {
  readonly heartbeats: readonly GuardHeartbeat[]
  /** Why the guard could not act now; null = it could. */
  readonly obstacle: () => string | null
  readonly report: Pick<Report, 'log'>
  readonly clock: { readonly now: () => Ms }
  readonly timeoutMs?: Ms
}

const TIMEOUT_MS: Ms = 10 * SECOND_MS
/** A rejected heartbeat is retried after this time, or when the next one is due. */
const RETRY_MS: Ms = 10 * SECOND_MS

/**
 * Sends heartbeats from the guard's own loop. Returns the function to call on each tick; its promise resolves when every heartbeat it sent
 * was answered or given up, and never rejects. A guard that could not act sends none, or `/fail`: the service notices both. The URL is a
 * secret and appears in no message.
 */
export function createGuardHeartbeat(parts: GuardHeartbeatParts): () => Promise<unknown> {
  const services = parts.heartbeats.map((heartbeat) => ({
    heartbeat,
    dueAt: Number.NEGATIVE_INFINITY,
    isBusy: false,
    isStarted: false,
    /** The last log line: each change is logged once. */
    logged: '',
  }))
  return () => {
    const now = parts.clock.now()
    const due = services.filter(({ isBusy, dueAt }) => !isBusy && now >= dueAt)
    return Promise.all(
      due.map(async (service) => {
        service.isBusy = true
        service.dueAt = now + service.heartbeat.everyMs
        await beat(parts, service).finally(() => (service.isBusy = false))
      }),
    )
  }
}

type Service = {
  readonly heartbeat: GuardHeartbeat
  dueAt: Ms
  isStarted: boolean
  logged: string
}

async function beat(parts: GuardHeartbeatParts, service: Service): Promise<void> {
  const { url, everyMs } = service.heartbeat
  const obstacle = parts.obstacle()
  const signal = signalOf(service, obstacle)
  if (obstacle !== null) logOnce(parts, service, 'warn', `the guard's heartbeat is withheld: ${obstacle}`)
  if (signal === null) return
  const address = url()
  const sent = address.ok
    ? await ping(pingAddress(address.value, signal), parts.timeoutMs ?? TIMEOUT_MS)
    : address
  if (!sent.ok) {
    service.dueAt = parts.clock.now() + Math.min(RETRY_MS, everyMs)
    logOnce(parts, service, 'warn', `the outside service took no heartbeat of the guard: ${sent.error}`)
    return
  }
  if (signal !== 'fail') {
    service.isStarted = true
    logOnce(parts, service, 'info', 'the outside service answers the heartbeat of the guard')
  }
}

function signalOf(
  { isStarted, heartbeat: { suffixes } }: Service,
  obstacle: string | null,
): PingSignal | null {
  if (!suffixes) return obstacle === null ? 'well' : null
  if (obstacle !== null) return 'fail'
  return isStarted ? 'well' : 'start'
}

function logOnce(
  { report }: GuardHeartbeatParts,
  service: Service,
  level: 'info' | 'warn',
  message: string,
): void {
  if (message === service.logged) return
  service.logged = message
  report.log(level, null, message)
}
