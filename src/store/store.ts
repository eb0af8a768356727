import type { StoreFailure } from './failure.ts'
import type { Ms } from '../base/time.ts'
import type { Event } from '../core/engine/model/event.ts'
import type { Observation } from '../core/engine/model/observation.ts'

export type JournalRecord = { readonly seq: number; readonly event: Event }

/** A core state that equals the replay of the journal up to `seq`, inclusive. */
export type Snapshot = {
  readonly seq: number
  readonly t: Ms
  /** The core's state encoded by `encodeJson`. */
  readonly state: string
  /** The chain of decision digests up to `seq` (hex sha-256). */
  readonly digest: string
}

/**
 * A strategy that hung while it processed event `seq`, so that the supervisor killed the worker. Replays suspend the
 * strategy right before that event, like the restarted daemon.
 */
export type Suspension = { readonly seq: number; readonly reason: string }

/** The data for a restart: the latest snapshot (if any), the journal after it, and the last event's number. */
export type RestartPoint = {
  readonly snapshot: Snapshot | null
  readonly tail: Iterable<JournalRecord>
  readonly suspensions: readonly Suspension[]
  readonly lastSeq: number
}

/**
 * The position's durable memory. One process at a time opens it for writing; readers (export, status, replay) open it
 * read-only while the daemon runs. Writes are posted to a worker and acknowledged as `durable`: an event's effects are
 * sent only after its number is durable.
 */
export type Store = {
  readonly recover: () => RestartPoint
  /** Posts an event under the next number; numbers have no gaps and come from the caller. */
  readonly append: (seq: number, event: Event) => void
  /** Posts the core's observations at `seq` to the tables. Idempotent. */
  readonly project: (seq: number, observations: readonly Observation[]) => void
  readonly saveSnapshot: (snapshot: Snapshot) => void
  readonly saveSuspension: (suspension: Suspension) => void
  /** Highest number known to be on disk. */
  readonly durableSeq: () => number
  /** Called in order as numbers become durable. A write error is reported once and is final. */
  readonly onDurable: (listener: (seq: number) => void) => void
  readonly onFailure: (listener: (error: StoreFailure) => void) => void
  /** Resolves when everything posted is on disk, the files are closed and the lock is released. */
  readonly close: () => Promise<void>
}

/** A place in a list: the event's number and the index within it. */
export type EventPlace = { readonly seq: number; readonly n: number }
