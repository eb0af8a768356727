import type { Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import type { LoadedGuard } from '../../../daemon/config/load/guard.ts'
import { openGuardClient } from '../../../daemon/guard/protocol/ask-guard.ts'
import { STATUS_PATH } from '../../../daemon/guard/protocol/renewal.ts'
import {
  type LeaseTerms,
  fitsMeasured,
  LONGEST_TO_SAFE_MS,
  type Measured,
  proposeTerms,
  timeToSafeMs,
} from '../../../core/lease/terms.ts'
import type { VenuePort } from '../../../venue/port.ts'
import type { CheckResult } from '../../../venue/check-result.ts'
import { pauseFor, SYSTEM_TIMING } from '../../../base/threads/timing.ts'
import { finding } from './environment.ts'

const READS = 8
const READ_RATE = { type: 'readRate', id: 0 } as const
/** A sixth of the minute: the share of a daemon's budget that a check may use. */
const SHARE = 6
/** The check does not wait longer for a slow venue or for a daemon's budget. */
const LONGEST_MS: Ms = 10_000
const PROBE_TIMEOUT_MS: Ms = 2_000

export type LeaseCheckParts = {
  readonly config: Pick<LoadedConfig, 'guard' | 'core' | 'store'>
  /** Sends PostgreSQL one query like a renewal's; false = no answer. Null if the store is a folder. */
  readonly askDatabase: (() => Promise<boolean>) | null
  readonly client: Pick<VenuePort, 'perform'>
  /** The secret shared by daemon and guard; null = it does not exist yet. */
  readonly token: string | null
  /** When the latest request to the venue was sent, after waiting for the budget. Null = unknown. */
  readonly sentAt: () => Ms | null
  /** A monotonic clock. */
  readonly now: () => Ms
  /** How long to wait for the venue's reads; default 10 s. */
  readonly longestMs?: Ms
}

/**
 * Checks the lease terms against the measured response times of venue, guard and PostgreSQL, and proposes fitting terms.
 * Both leases share the time-out of a write, so both proposals use the same one.
 */
export async function* checkLeases(parts: LeaseCheckParts): AsyncGenerator<CheckResult, void, undefined> {
  const { guard, core, store } = parts.config
  const hasLease = guard !== null || store.terms !== null
  if (!hasLease || core.mode === 'dry-run') return
  const reads = Math.max(2, Math.min(READS, Math.floor(core.pacing.requestsPerMinute / SHARE)))
  const ended = new AbortController()
  const late = pauseFor(SYSTEM_TIMING, parts.longestMs ?? LONGEST_MS, ended.signal).then(() => null)
  let end: 'late' | 'refused' | null = null
  const venue = await timesOf(reads, parts.now, async () => {
    const began = parts.now()
    if (end !== null) return null
    const answer = await Promise.race([parts.client.perform(READ_RATE, parts.now), late])
    if (answer === null) end = 'late'
    else if (answer.type === 'requestFailed' && answer.failure.kind === 'auth') end = 'refused'
    return answer?.type === 'rate' ? Math.max(began, parts.sentAt() ?? began) : null
  })
  ended.abort()
  const { times: probes, words } =
    guard === null || guard.url === null
      ? { times: [], words: '' }
      : await guardTimes({ ...guard, url: guard.url }, parts)
  const database = await databaseTimes(parts)
  if (guard !== null) yield guardFinding(guard, probes, words)
  const venueMs = p99(venue)
  if (venueMs === null) {
    const isLate = end === 'late'
    const cause = isLate
      ? `no read was answered within ${seconds(LONGEST_MS)}`
      : end === 'refused'
        ? 'the venue refuses the key'
        : 'the venue answered no read'
    const detail = `${cause}, so its time could not be measured and no terms are proposed`
    const hint = isLate ? 'a running daemon may have left no room in the budget of the key; ' : ''
    yield finding('lease', 'warn', detail, `${hint}run the check again once it answers`)
    return
  }
  if (guard !== null)
    yield termsFinding({ section: 'guard', who: 'the guard', terms: guard.terms, venue, answers: probes })
  if (store.terms === null) return
  yield database.length === 0
    ? finding(
        'rows',
        'warn',
        'PostgreSQL did not answer, so its time could not be measured',
        'run the check again once it answers',
      )
    : termsFinding({
        section: 'store.lease',
        who: 'PostgreSQL',
        terms: store.terms,
        venue,
        answers: database,
      })
}

/** The first query opens the connection, which a daemon already has, so it does not count. */
async function databaseTimes({ askDatabase, now }: LeaseCheckParts): Promise<readonly Ms[]> {
  if (askDatabase === null || !(await askDatabase())) return []
  return timesOf(READS, now, async () => {
    const from = now()
    return (await askDatabase()) ? from : null
  })
}

function guardFinding({ url }: LoadedGuard, probes: readonly Ms[], words: string): CheckResult {
  if (url === null)
    return finding('guard', 'warn', 'http.port is 0, so no guard can be found', 'set guard.url or guard.port')
  if (probes.length > 0) return finding('guard', 'ok', `answers at ${url}`)
  const hint = '`mizani guard --config FILE` starts one; guard: null looks for none'
  return finding(
    'guard',
    'warn',
    `no guard answers at ${url} (${words}): when the daemon dies, its quote stays`,
    hint,
  )
}

type MeasuredLease = {
  /** Section of the configuration. */
  readonly section: 'guard' | 'store.lease'
  /** Who grants the lease. */
  readonly who: string
  readonly terms: LeaseTerms
  /** Response times. */
  readonly venue: readonly Ms[]
  readonly answers: readonly Ms[]
}

function termsFinding({ section, who, terms, venue, answers }: MeasuredLease): CheckResult {
  const name = section === 'guard' ? 'lease' : 'rows'
  const measured: Measured = { venueMs: p99(venue) ?? 0, grantMs: p99(answers) }
  const { venueMs, grantMs } = measured
  const proposed = proposeTerms(measured)
  const isFit = fitsMeasured(terms, measured)
  const ofGrant = grantMs === null ? '' : `, of ${answers.length} of ${who} ${Math.ceil(grantMs)} ms`
  const seen = `p99 of ${venue.length} reads of the venue ${Math.ceil(venueMs)} ms${ofGrant}`
  const end = section === 'guard' ? 'safe' : 'taken over'
  const safe = `${seen}; ${end} within ${seconds(timeToSafeMs(terms, venueMs))} of a death`
  const proposal = `${textOf(section, proposed)} makes it ${seconds(timeToSafeMs(proposed, venueMs))}`
  const isSame = textOf(section, terms) === textOf(section, proposed)
  if (!isFit) return finding(name, 'warn', `${safe}, but answers may come too late for the terms`, proposal)
  if (timeToSafeMs(terms, venueMs) > LONGEST_TO_SAFE_MS) {
    const hint = isSame ? 'use a nearer machine' : proposal
    return finding(name, 'warn', `${safe}, which is long`, hint)
  }
  return finding(name, 'ok', `${safe}; ${isSame ? `${textOf(section, terms)} fits` : proposal}`)
}

/** As written in the configuration. */
function textOf(
  section: MeasuredLease['section'],
  { renewMs, roundTripMs, writeTimeoutMs, deadlineMs, waitMs }: LeaseTerms,
): string {
  const terms = `{ renewMs: ${renewMs}, roundTripMs: ${roundTripMs}, deadlineMs: ${deadlineMs}, waitMs: ${waitMs} }`
  return `${section}: ${terms} with venue.writeTimeoutMs: ${writeTimeoutMs}`
}

function seconds(ms: Ms): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

/** Returns the response times of `count` requests; stops after three failures in a row. */
async function timesOf(count: number, now: () => Ms, ask: () => Promise<Ms | null>): Promise<readonly Ms[]> {
  const times: Ms[] = []
  const began = now()
  let missed = 0
  for (let one = 0; one < count && missed < 3 && now() - began < LONGEST_MS; one += 1) {
    const from = await ask()
    if (from === null) missed += 1
    else {
      missed = 0
      times.push(now() - from)
    }
  }
  return times
}

type GuardTimes = { readonly times: readonly Ms[]; readonly words: string }

/**
 * Returns the response times of the guard, which proves with each answer that it knows the token; `words`: why the
 * latest answer did not count.
 */
async function guardTimes(
  { url, ca }: Pick<LoadedGuard, 'ca'> & { readonly url: string },
  { token, now }: LeaseCheckParts,
): Promise<GuardTimes> {
  const client = openGuardClient(url, () => token, { ca })
  let words = ''
  try {
    const times = await timesOf(READS, now, async () => {
      const from = now()
      const answer = await client.ask('GET', STATUS_PATH, undefined, PROBE_TIMEOUT_MS)
      if (!answer.ok) words = answer.error.words
      return answer.ok ? from : null
    })
    return { times, words }
  } finally {
    client.close()
  }
}

/** Returns the 99th percentile, which is the slowest value if there are few. Null = no values. */
function p99(times: readonly Ms[]): Ms | null {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(0.99 * sorted.length) - 1)] ?? null
}
