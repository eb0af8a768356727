import type { Ms } from '../../base/time.ts'
import type { LoadedGuard } from '../../config/load/guard.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { inventoryShare } from '../../engine/decision/inventory-share.ts'
import type { GuardEvent } from '../../engine/model/guard-event.ts'
import type { EngineState } from '../../engine/model/state.ts'
import type { GuardWrite } from '../../guard/protocol/renewal.ts'
import { elapsedMs, mayStartWrite, standingOf } from '../../lease/holder.ts'
import { position as positionOf } from '../../ledger/book/book.ts'
import type { WriteGate } from '../../venue/client.ts'
import type { RunningPosition } from '../position/run-position.ts'
import { momentNow } from '../../threads/moment-now.ts'
import { type LeaseFacts, type LeaseNews, positionSide } from './shared-lease.ts'

export type PositionLease = {
  readonly gate: WriteGate
  /** From now on the position's loop vouches for itself, and hears how it stands with its guard. */
  readonly attach: (position: Watched) => void
  readonly take: (news: LeaseNews) => void
  /** The position has left; `isSettled`: as configured, so that nobody has to act for it. */
  readonly leave: (isSettled: boolean) => void
  /** Nothing is counted any more. */
  readonly close: () => void
}

type Watched = Pick<RunningPosition, 'state' | 'now' | 'isAlive' | 'submitGuard' | 'countElsewhere'>

const TICK_MS: Ms = 100
const COUNT_EVERY_TICKS = 2

/** How long a lease of ours has been without a renewal decides; then what the guard has answered. */
type Memory = {
  /** The lease whose grant the core has taken; null = none. */
  fence: number | null
  /** Why the guard refuses; null = it does not. */
  refused: string | null
  /** Nobody has said yet whether there is a guard: nothing leaves until then. */
  isUnheard: boolean
  hadGrant: boolean
  /** When the lease was lost: what was reconciled before does not count. */
  lostAt: Ms
  position: Watched | null
}

type Standing = Pick<GuardEvent, 'watch' | 'why' | 'fence'>
type Settings = Pick<LoadedGuard, 'terms' | 'whenSilent'>
type Shared = ReturnType<typeof positionSide>

/** Null where no guard is looked for, and in a dry run, which writes nothing. */
export function openPositionLease(
  buffer: SharedArrayBuffer | undefined,
  { guard, core }: Pick<LoadedConfig, 'guard' | 'core'>,
): PositionLease | null {
  if (buffer === undefined || guard === null || core.mode === 'dry-run') return null
  return createPositionLease(buffer, guard)
}

/** The lease of one position, in its own thread: counts for it, closes the gate in time, and tells the core. */
export function createPositionLease(buffer: SharedArrayBuffer, settings: Settings): PositionLease {
  const { terms } = settings
  const shared = positionSide(buffer)
  const memory: Memory = {
    fence: null,
    refused: null,
    isUnheard: true,
    hadGrant: false,
    lostAt: 0,
    position: null,
  }
  let timer: NodeJS.Timeout | undefined

  function close(): void {
    clearInterval(timer)
    memory.position = null
  }

  return {
    gate: {
      mayStart() {
        if (memory.fence === null) return !memory.isUnheard && memory.refused === null
        const since = sinceRenewal(memory, shared)
        return mayStartWrite(terms, since) || standing(memory, shared, settings).watch === 'unwatched'
      },
      spreadTimeoutMs: () => (memory.fence === null ? null : terms.writeTimeoutMs),
    },
    attach(running) {
      const { guard, processStartedAt } = running.state()
      Object.assign(memory, {
        position: running,
        hadGrant: guard?.hadGrant === true,
        lostAt: processStartedAt,
      })
      count(memory, shared)
      let ticks = 0
      timer = setInterval(() => {
        report(memory, standing(memory, shared, settings))
        ticks += 1
        if (ticks % COUNT_EVERY_TICKS === 0) count(memory, shared)
      }, TICK_MS)
    },
    take(news) {
      if (memory.position === null) return
      takeNews(memory, memory.position, news)
      report(memory, standing(memory, shared, settings), news.writes)
    },
    leave(isSettled) {
      const { position, lostAt } = memory
      if (position !== null && isSettled)
        shared.count({ ...factsOf(position.state(), lostAt), hasLeft: true })
      close()
    },
    close,
  }
}

/** A loop that is stopped, or whose journal is stuck, does not count. */
function count({ position, lostAt }: Memory, shared: Shared): void {
  if (position?.isAlive() === true) shared.count(factsOf(position.state(), lostAt))
}

function sinceRenewal({ fence }: Memory, shared: Shared): Ms {
  const renewed = shared.renewed()
  return renewed.fence === fence ? elapsedMs(renewed.sentAt, momentNow()) : Number.POSITIVE_INFINITY
}

function standing(memory: Memory, shared: Shared, settings: Settings): Standing {
  const { fence, refused } = memory
  if (fence !== null) {
    const held = withLease(memory, sinceRenewal(memory, shared), settings)
    if (held !== null) return { ...held, fence }
    Object.assign(memory, { fence: null, hadGrant: false })
  }
  if (refused !== null) return { watch: 'waiting', why: refused, fence: null }
  if (memory.hadGrant && settings.whenSilent === 'safe')
    return { watch: 'closing', why: 'the guard that watched before the start does not answer', fence: null }
  return { watch: 'unwatched', why: 'no guard answers', fence: null }
}

/** Null = the lease is over, and the daemon carries on without. */
function withLease(
  { refused }: Memory,
  since: Ms,
  { terms, whenSilent }: Settings,
): Pick<Standing, 'watch' | 'why'> | null {
  const state = standingOf(terms, since)
  if (state === 'held' || (state === 'closing' && whenSilent === 'carry-on'))
    return { watch: 'held', why: '' }
  if (state === 'closing')
    return { watch: 'closing', why: `the guard has been silent for ${Math.round(since)} ms` }
  if (refused !== null) return { watch: 'waiting', why: refused }
  if (whenSilent === 'carry-on') return null
  return { watch: 'lapsed', why: 'the guard is silent, and the lease may have ended' }
}

/** The core hears of a change, and of what the guard wrote. A journal has no such event while no guard has ever answered. */
function report(memory: Memory, now: Standing, writes: readonly GuardWrite[] = []): void {
  const { position } = memory
  if (position === null || memory.isUnheard) return
  const { guard } = position.state()
  const isNews =
    guard === undefined ? now.watch !== 'unwatched' : guard.watch !== now.watch || guard.fence !== now.fence
  if (!isNews && writes.length === 0) return
  const t = position.now()
  if (guard?.watch === 'held') memory.lostAt = t
  position.submitGuard({ type: 'guard', t, ...now, writes: writes.map(withoutAge) })
}

function takeNews(memory: Memory, position: Watched, { kind, words, fence, requestsAgoMs }: LeaseNews): void {
  memory.isUnheard = false
  memory.refused = kind === 'refused' ? words : null
  if (kind === 'granted') Object.assign(memory, { fence, hadGrant: true })
  if (kind === 'drained') Object.assign(memory, { fence: null, hadGrant: false })
  const now = position.now()
  if (requestsAgoMs.length > 0) position.countElsewhere(requestsAgoMs.map((ago) => now - ago))
}

function withoutAge({ agoMs: _ago, ...write }: GuardWrite): GuardEvent['writes'][number] {
  return write
}

/** What the renewal shows of a position; `since`: from when on a reconciliation counts. */
function factsOf(state: EngineState, since: Ms): LeaseFacts {
  const { quoting, activation, reconciliation, heard, book, market, config } = state
  const { confirmed, belief, inFlight } = quoting
  const isStanding = confirmed !== null && belief === 'known' && inFlight === null
  const deviation =
    market.mid === null ? 0 : inventoryShare(positionOf(book), market.mid, config.inventory.target).deviation
  return {
    quote: isStanding ? { bidBps: confirmed.bidBps, askBps: confirmed.askBps } : null,
    isActive: activation.isActive,
    // Too many dollars: the ask would buy more of them.
    worse: deviation === 0 ? null : deviation > 0 ? 'ask' : 'bid',
    isReconciled:
      heard.balances &&
      heard.fills &&
      reconciliation.state === 'reconciled' &&
      (reconciliation.matchedAt ?? 0) >= since,
    hasLeft: false,
  }
}
