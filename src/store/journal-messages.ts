import type { FromThread, ToThread } from '../base/threads/link.ts'
import type { Event } from '../core/engine/model/event.ts'
import type { Observation } from '../core/engine/model/observation.ts'
import type { Snapshot, Suspension } from './store.ts'
import type { StoreFailure } from './failure.ts'
import type { StorePlace } from './place.ts'
import type { HoldTerms } from './postgres/terms.ts'
import type { TreasuryWrite } from './treasury/journal.ts'

/**
 * One write. A tuple, because structured clone copies tuples a third faster than objects, and clones events faster than
 * `encodeJson` writes them; the journal thread does the encoding.
 */
export type JournalWrite =
  | readonly [what: 'event', seq: number, event: Event]
  | readonly [what: 'observations', seq: number, observations: readonly Observation[]]
  | readonly [what: 'snapshot', snapshot: Snapshot]
  | readonly [what: 'suspension', suspension: Suspension]
  | TreasuryWrite

/** Drops old rows; the answer is their number. */
type PruneCall = { readonly keepFromMs: number }

/**
 * For a position in PostgreSQL. `look`: whether a live daemon stands by; `let-go`: releases the position until another
 * daemon takes it. The answer is 1 or 0.
 */
type HandOverCall = { readonly handOver: 'look' | 'let-go' }

export type JournalCall = PruneCall | HandOverCall
export type JournalMessage = ToThread<JournalWrite, JournalCall>

/** The numbers of the last events on disk, the position's and the treasury's; 0 = no event. */
export type LastNumbers = { readonly lastSeq: number; readonly treasurySeq: number }

/**
 * From the journal thread. The first message is `opened` or `refused`, preceded by `standby` while the thread stands
 * by.
 */
export type JournalReply =
  /** `held`: who holds the position, as a clause; `lives`: its counter has moved. */
  | { readonly type: 'standby'; readonly held: string; readonly lives: boolean }
  | ({ readonly type: 'opened' } & LastNumbers)
  | { readonly type: 'refused'; readonly failure: StoreFailure }
  | { readonly type: 'durable'; readonly seq: number; readonly treasurySeq: number }
  | FromThread<number, StoreFailure>

/** The start data of the journal thread. */
export type JournalInit = {
  readonly place: StorePlace
  readonly startedAt: string
  readonly pid: number
  /** Limit of SQLite's database file. */
  readonly maxBytes: number | null
  /** The terms for holding a position in PostgreSQL; absent = the usual terms. */
  readonly terms?: HoldTerms
  /** Waits if another daemon holds the position in PostgreSQL; absent = refuses. */
  readonly standsBy?: boolean
  /** See `core/lease/shared-renewal.ts`: the lease in PostgreSQL is renewed only while the loop counts in it. */
  readonly lease?: SharedArrayBuffer
}
