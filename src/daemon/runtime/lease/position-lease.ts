import type { Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { inventoryShare } from '../../../core/engine/decision/inventory-share.ts'
import type { Spread } from '../../../core/engine/model/effect.ts'
import type { GuardEvent } from '../../../core/engine/model/guard-state.ts'
import { knownActive } from '../../../core/engine/activation/leaving.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'
import type { GuardWrite } from '../../guard/protocol/renewal.ts'
import { elapsedMs, mayStartWrite } from '../../../core/lease/holder.ts'
import { position as positionOf } from '../../../core/ledger/book/book.ts'
import type { WriteGate } from '../../../venue/port.ts'
import type { RunningPosition } from '../position/run-position.ts'
import { momentNow } from '../../../base/threads/moment-now.ts'
import {
  emptyMemory,
  type LeaseMemory,
  type LeaseSettings,
  type LeaseStanding,
  POLL_MS,
  remember,
  standingAtStart,
  takeLeaseAnswer,
} from './lease-memory.ts'
import { type LeaseFacts, type LeaseNews, positionSide } from './shared-lease.ts'
import { runEvery } from '../../../base/threads/timing.ts'

export type PositionLease = {
  readonly gate: WriteGate
  /** From now on, the position's loop vouches for itself and receives the state of its lease. */
  readonly attach: (position: Watched) => void
  readonly take: (news: LeaseNews) => void
  /** The loop has stopped cleanly and a hand-over is in progress: until `leave`, the thread itself vouches for the position. */
  readonly keepCounting: () => void
  /**
   * Ends the lease. `as-configured`: the position left cleanly, so no one has to act for it; `handed-over`: the lease is reserved for the
   * next holder; `unsettled`: the guard will act.
   */
  readonly leave: (how: 'as-configured' | 'handed-over' | 'unsettled') => void
  /** Stops counting. */
  readonly close: () => void
}

type Watched = Pick<RunningPosition, 'state' | 'now' | 'isAlive' | 'submitGuard' | 'countElsewhere'>

const COUNT_EVERY_TICKS = 2

type Memory = LeaseMemory & {
  /** When the lease was lost; earlier reconciliations do not count. */
  lostAt: Ms
  position: Watched | null
  isHandingOver: boolean
}

type Shared = ReturnType<typeof positionSide>

/** Returns null without a guard, and in a dry run, which writes nothing. */
export function openPositionLease(
  buffer: SharedArrayBuffer | undefined,
  { guard, core }: Pick<LoadedConfig, 'guard' | 'core'>,
): PositionLease | null {
  if (buffer === undefined || guard === null || core.mode === 'dry-run') return null
  return createPositionLease(buffer, guard)
}

/** Called when no guard is configured any longer: a lease in the journal then blocks nothing. */
export function endFormerLease({
  state,
  now,
  submitGuard,
}: Pick<Watched, 'state' | 'now' | 'submitGuard'>): void {
  const { guard } = state()
  if (guard === undefined || guard.watch === 'unwatched') return
  const why = 'no guard is configured'
  submitGuard({ type: 'guard', t: now(), watch: 'unwatched', why, fence: null, writes: [] })
}

/** Manages the lease of one position in its own thread: counts for it, closes the gate in time, and informs the core. */
export function createPositionLease(buffer: SharedArrayBuffer, settings: LeaseSettings): PositionLease {
  const { terms } = settings
  const shared = positionSide(buffer)
  const memory: Memory = { ...emptyMemory(), lostAt: 0, position: null, isHandingOver: false }
  let timer: NodeJS.Timeout | undefined
  let ticks = 0

  const standing = (): LeaseStanding => standingAtStart(ticks, memory, sinceRenewal(memory, shared), settings)

  function close(): void {
    clearInterval(timer)
    memory.position = null
  }

  return {
    gate: {
      mayStart(sets) {
        if (memory.isUnanswered) return false
        if (memory.fence !== null && mayStartWrite(terms, sinceRenewal(memory, shared))) return true
        const { watch, fence, maySetSafe } = standing()
        if (maySetSafe === true) return isSafeQuote(sets, memory.position)
        return watch === 'unwatched' || (watch === 'closing' && fence === null)
      },
      spreadTimeoutMs: () => (memory.fence === null && !memory.hadGrant ? null : terms.writeTimeoutMs),
    },
    attach(running) {
      const { guard, processStartedAt } = running.state()
      remember(memory, guard)
      Object.assign(memory, { position: running, lostAt: processStartedAt })
      count(memory, shared)
      timer = runEvery(() => {
        if (memory.isSilent) memory.silentLooks += 1
        ticks += 1
        report(memory, standing())
        if (ticks % COUNT_EVERY_TICKS === 0) count(memory, shared)
      }, POLL_MS)
    },
    take(news) {
      if (memory.position === null) return
      takeNews(memory, memory.position, news)
      report(memory, standing(), news.writes)
    },
    keepCounting: () => void (memory.isHandingOver = true),
    leave(how) {
      const { position, lostAt } = memory
      const isHandedOver = how === 'handed-over'
      if (position !== null && how !== 'unsettled')
        shared.count({ ...factsOf(position.state(), lostAt), hasLeft: true, isHandedOver })
      close()
    },
    close,
  }
}

/** Checks the write itself, because another quote may have been decided before the lease was lost and have waited for the journal since. */
function isSafeQuote(sets: Spread | undefined, position: Watched | null): boolean {
  if (position === null || sets === undefined) return false
  const { safeBps } = position.state().config.quote
  const { bidBps, askBps, quoteBid, quoteAsk } = sets
  return (!quoteBid || bidBps >= safeBps) && (!quoteAsk || askBps >= safeBps)
}

/** Counts only while the loop runs and its journal accepts writes, or during a hand-over. */
function count({ position, lostAt, isHandingOver }: Memory, shared: Shared): void {
  if (position?.isAlive() === true || (position !== null && isHandingOver))
    shared.count(factsOf(position.state(), lostAt))
}

function sinceRenewal({ fence }: Memory, shared: Shared): Ms {
  const renewed = shared.renewed()
  return renewed.fence === fence ? elapsedMs(renewed.sentAt, momentNow()) : Number.POSITIVE_INFINITY
}

/**
 * Submits changes of the lease and the guard's writes to the core. Without a guard that has ever answered, the journal gets no such event.
 */
function report(memory: Memory, now: LeaseStanding, writes: readonly GuardWrite[] = []): void {
  const { position } = memory
  if (position === null || memory.isUnanswered) return
  const { guard } = position.state()
  const hasChanged = guard === undefined ? now.watch !== 'unwatched' : isOther(guard, now)
  if (!hasChanged && writes.length === 0) return
  const t = position.now()
  if (guard?.watch === 'held') memory.lostAt = t
  position.submitGuard({ type: 'guard', t, ...now, writes: writes.map(withoutAge) })
}

/** A refusal's reason tells the operator what to do, so a changed reason is reported too. */
function isOther(before: LeaseStanding, now: LeaseStanding): boolean {
  if (before.watch !== now.watch || before.fence !== now.fence) return true
  if (before.maySetSafe !== now.maySetSafe || before.isStarting !== now.isStarting) return true
  return now.watch === 'waiting' && before.why !== now.why
}

function takeNews(memory: Memory, position: Watched, news: LeaseNews): void {
  takeLeaseAnswer(memory, news)
  const now = position.now()
  const { requestsAgoMs } = news
  if (requestsAgoMs.length > 0) position.countElsewhere(requestsAgoMs.map((ago) => now - ago))
}

function withoutAge({ agoMs: _ago, ...write }: GuardWrite): GuardEvent['writes'][number] {
  return write
}

/** Returns what a renewal reports about the position. `since`: reconciliations count from this time. */
function factsOf(state: EngineState, since: Ms): LeaseFacts {
  const { quoting, reconciliation, received, book, market, config } = state
  const { confirmed, status, inFlight } = quoting
  const isStanding = confirmed !== null && status === 'confirmed' && inFlight === null
  const imbalance =
    market.mid === null ? 0 : inventoryShare(positionOf(book), market.mid, config.inventory.target).imbalance
  return {
    quote: isStanding ? { bidBps: confirmed.bidBps, askBps: confirmed.askBps } : null,
    isActive: knownActive(state),
    // A positive imbalance is too many dollars: the ask would buy more of them.
    worse: imbalance === 0 ? null : imbalance > 0 ? 'ask' : 'bid',
    isReconciled:
      received.balances &&
      received.fills &&
      reconciliation.state === 'reconciled' &&
      (reconciliation.matchedAt ?? 0) >= since,
    hasLeft: false,
    isHandedOver: false,
  }
}
