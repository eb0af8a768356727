import { randomBytes } from 'node:crypto'
import { SECOND_MS, type Ms } from '../../../base/time.ts'
import type { LoadedGuard } from '../../config/load/guard.ts'
import { type GuardClient, openGuardClient } from '../../guard/protocol/ask-guard.ts'
import {
  type PositionAnswer,
  type PositionRenewal,
  PROTOCOL_VERSION,
  RENEW_PATH,
  type Renewal,
  type RenewAnswer,
} from '../../guard/protocol/renewal.ts'
import type { Log } from '../../telemetry/log/log.ts'
import { momentNow } from '../../../base/threads/moment-now.ts'
import { createLeaseBuffer, type LeaseNews, renewingSide } from './shared-lease.ts'
import { runAfter } from '../../../base/threads/timing.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { ProcessCredentials } from '../operator-token.ts'

/** The renewals of a process: one request carries all positions, each vouched for by its own loop's counter. */
export type Renewals = {
  /** Registers a position that starts. Its buffer is passed to its thread at every start; `post` sends news to the running position. */
  readonly register: (name: string, post: (news: LeaseNews) => void) => SharedArrayBuffer
  /** The position runs in a new thread that has received no news yet. */
  readonly started: (name: string) => void
  /** Sends the last renewal of positions that have left; no renewal of them follows. */
  readonly leave: (names: readonly string[]) => Promise<void>
  readonly close: () => void
}

export type RenewalsParts = {
  readonly guard: LoadedGuard & { readonly url: string }
  readonly token: () => string | null
  readonly log: Pick<Log, 'info' | 'warn'>
  /** For tests. */
  readonly openClient?: typeof openGuardClient
}

type Entry = {
  readonly buffer: SharedArrayBuffer
  readonly side: ReturnType<typeof renewingSide>
  readonly post: (news: LeaseNews) => void
  /** The key of the last posted news; equal news is not posted again. */
  postedKey: string | null
}

/** The renewal interval until a guard has answered once. */
const LOOK_FOR_ONE_MS: Ms = 2 * SECOND_MS

export function createRenewals({ guard, token, log, openClient = openGuardClient }: RenewalsParts): Renewals {
  const { terms, url, ca } = guard
  const round: Round = {
    client: openClient(url, token, { ca }),
    holder: randomBytes(16).toString('hex'),
    entries: new Map(),
    terms,
    onAnswered: logAnswers(url, log),
  }
  const { entries, client } = round
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | null = null
  let hasAnswered = false
  let isClosed = false

  function now(): void {
    clearTimeout(timer)
    if (underWay !== null || isClosed || entries.size === 0) return
    const began = performance.now()
    underWay = renew(round)
      .then((answered) => void (hasAnswered ||= answered))
      .finally(() => {
        underWay = null
        const everyMs = hasAnswered ? terms.renewMs : LOOK_FOR_ONE_MS
        timer = runAfter(now, Math.max(0, began + everyMs - performance.now())).unref()
      })
  }

  return {
    register(name, post) {
      const buffer = entries.get(name)?.buffer ?? createLeaseBuffer()
      entries.set(name, { buffer, side: renewingSide(buffer), post, postedKey: null })
      return buffer
    },
    started(name) {
      const entry = entries.get(name)
      if (entry === undefined) return
      entry.postedKey = null
      if (underWay === null) now()
      else void underWay.then(now)
    },
    async leave(names) {
      const left = names.flatMap((name) => leavingOf(name, entries.get(name)))
      for (const name of names) entries.delete(name)
      await underWay
      if (left.length > 0 && hasAnswered)
        await client.ask('POST', RENEW_PATH, messageOf(round, left), terms.roundTripMs)
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      client.close()
    },
  }
}

type Round = {
  readonly client: GuardClient
  readonly holder: string
  readonly entries: Map<string, Entry>
  readonly terms: LoadedGuard['terms']
  readonly onAnswered: (answered: boolean, words: string) => void
}

/** Renews all positions once. Returns whether a guard answered. */
async function renew(round: Round): Promise<boolean> {
  const { client, entries, terms, onAnswered } = round
  const asked = [...entries].map(([name, entry]) => renewalOf(name, entry))
  // The lease counts from the moment of sending, so any delay shortens it.
  const sentAt = momentNow()
  const reply = await client.ask('POST', RENEW_PATH, messageOf(round, asked), terms.roundTripMs)
  const positions = reply.ok && reply.value.status === 200 ? answersOf(reply.value.body) : null
  const words = reply.ok ? `the guard answers ${reply.value.status}` : reply.error.words
  onAnswered(positions !== null, words)
  for (const [name, entry] of entries) {
    const answer = positions?.find((one) => one.name === name)
    if (positions === null) post(entry, { kind: 'absent', words, fence: null, writes: [], requestsAgoMs: [] })
    else if (answer !== undefined) take(entry, answer, sentAt)
  }
  return positions !== null
}

function messageOf({ holder, terms }: Round, positions: readonly PositionRenewal[]): Renewal {
  return { version: PROTOCOL_VERSION, holder, deadlineMs: terms.deadlineMs, positions }
}

/** Logs when a guard starts and stops answering. */
function logAnswers(url: string, log: RenewalsParts['log']): Round['onAnswered'] {
  let isThere = false
  return (answered, words) => {
    if (answered === isThere) return
    isThere = answered
    if (answered) log.info({ event: 'guard', url }, 'a guard answers')
    else log.warn({ event: 'guard', url }, `the guard does not answer: ${words}`)
  }
}

function renewalOf(name: string, { side }: Entry): PositionRenewal {
  const { count, quote, isActive, worse, isReconciled } = side.read()
  const fence = side.fence()
  return {
    name,
    count: count === 0 ? null : count,
    fence: fence === 0 ? null : fence,
    quote,
    isActive,
    worse,
    isReconciled,
    isLeaving: false,
  }
}

/** Returns the last renewal of a position that left cleanly, otherwise an empty list. */
function leavingOf(name: string, entry: Entry | undefined): readonly PositionRenewal[] {
  const { hasLeft, isHandedOver } = entry?.side.read() ?? { hasLeft: false, isHandedOver: false }
  return entry === undefined || !hasLeft ? [] : [{ ...renewalOf(name, entry), isLeaving: true, isHandedOver }]
}

/** The answer is signed, so it is from our guard; another version may omit fields. */
function answersOf(body: unknown): RenewAnswer['positions'] | null {
  const { version, positions } = (body ?? {}) as Partial<RenewAnswer>
  return version === PROTOCOL_VERSION && Array.isArray(positions) ? positions : null
}

function take(entry: Entry, answer: PositionAnswer, sentAt: ReturnType<typeof momentNow>): void {
  const { fence, refusal, words, writes, requestsAgoMs } = answer
  if (fence !== null) {
    const isSame = entry.side.fence() === fence
    entry.side.renewed(fence, sentAt)
    post(entry, { kind: 'granted', words, fence, writes, requestsAgoMs }, isSame ? `granted ${fence}` : null)
    return
  }
  // A position whose loop has not counted gets no news: its lease simply expires.
  if (refusal === 'not-vouched') return
  // Daemon and guard normally read one configuration; if these refusals appear, the guard watches something else.
  const isNobody = refusal === 'drained' || refusal === 'unknown' || refusal === 'terms'
  const kind = isNobody ? 'drained' : refusal === 'held' ? 'held' : 'refused'
  post(entry, { kind, words, fence: null, writes, requestsAgoMs }, `${kind} ${refusal} ${writes.length}`)
}

/** Posts news with an equal `key` only once; null = always posts it. */
function post(entry: Entry, news: LeaseNews, key: string | null = news.kind): void {
  const isSame = key !== null && entry.postedKey === key
  entry.postedKey = key ?? `${news.kind} ${news.fence}`
  if (isSame && news.requestsAgoMs.length === 0) return
  entry.post(isSame ? { ...news, writes: [] } : news)
}

/** The renewals of a process. One guard watches all of its positions; their configurations agree on it. */
export type HostRenewals = {
  /** Returns the renewals for this position; null = it is a dry run, or no guard is configured. */
  readonly of: (config: Pick<LoadedConfig, 'core' | 'guard'>) => Renewals | null
  /** Ends the renewals of positions that have left. */
  readonly leave: (names: readonly string[]) => Promise<void>
}

/** Renewals start with the first position that has a guard, because a fleet may start without one. */
export function createHostRenewals(
  { all, made }: Pick<ProcessCredentials, 'all' | 'made'>,
  log: Pick<Log, 'info' | 'warn'>,
  open: typeof createRenewals = createRenewals,
): HostRenewals {
  let renewals: Renewals | null = null
  return {
    of({ core, guard }) {
      if (core.mode === 'dry-run' || guard === null || guard.url === null) return null
      const shared = guard.token?.reveal() ?? made ?? all.find(({ isShared }) => isShared)?.token ?? null
      if (shared === null) return null
      renewals ??= open({ guard: { ...guard, url: guard.url }, token: () => shared, log })
      return renewals
    },
    leave: async (names) => renewals?.leave(names),
  }
}
