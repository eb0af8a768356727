import type { StoreFailure } from './failure.ts'
import type { Ms } from '../base/time.ts'
import type { Event } from '../core/engine/model/event.ts'
import type { Observation } from '../core/engine/model/observation.ts'

export type JournalRecord = { readonly seq: number; readonly event: Event }

/** A core state that equals the replay of the journal up to and including `seq`. */
export type Snapshot = {
  readonly seq: number
  readonly t: Ms
  /** The core's state as `encodeJson` wrote it. */
  readonly state: string
  /** The chain of decision digests up to `seq` (hex sha-256). */
  readonly digest: string
}

/**
 * A strategy that hung while it processed event `seq`: the supervisor had to kill the worker. Replays
 * suspend the strategy right before that event, exactly as the restarted daemon does.
 */
export type Suspension = { readonly seq: number; readonly reason: string }

/** The data for a restart: the latest snapshot (if any), the journal after it, and the number of the last event. */
export type RestartPoint = {
  readonly snapshot: Snapshot | null
  readonly tail: Iterable<JournalRecord>
  readonly suspensions: readonly Suspension[]
  readonly lastSeq: number
}

/**
 * The position's durable memory. One process at a time holds it open for writing; readers (export,
 * status, replay) open it read-only while the daemon runs.
 * Writes are posted to a worker and come back as `durable`: an event's effects go out only after its
 * number was reported durable.
 */
export type Store = {
  readonly recover: () => RestartPoint
  /** Posts an event under the next number without holes. Numbers are given by the caller. */
  readonly append: (seq: number, event: Event) => void
  /** Posts what the core observed at `seq` to the tables. Repeating it changes nothing. */
  readonly project: (seq: number, observations: readonly Observation[]) => void
  readonly saveSnapshot: (snapshot: Snapshot) => void
  readonly saveSuspension: (suspension: Suspension) => void
  /** Highest number known to be on disk. */
  readonly durableSeq: () => number
  /** Called in order as numbers become durable. A write error is reported once and is final. */
  readonly onDurable: (listener: (seq: number) => void) => void
  readonly onFailure: (listener: (error: StoreFailure) => void) => void
  /** Resolves when everything posted is on disk and the files are closed and the lock released. */
  readonly close: () => Promise<void>
}

/** Where reading stopped: the event's number and the place in it. */
export type EventPlace = { readonly seq: number; readonly n: number }
