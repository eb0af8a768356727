import type { FromThread, ToThread } from '../base/threads/link.ts'
import type { Event } from '../core/engine/model/event.ts'
import type { Observation } from '../core/engine/model/observation.ts'
import type { Snapshot, Suspension } from './store.ts'
import type { StoreFailure } from './failure.ts'
import type { StorePlace } from './place.ts'
import type { HoldTerms } from './postgres/terms.ts'
import type { TreasuryWrite } from './treasury/journal.ts'

/**
 * One thing to write. Tuples, because structured clone copies them a third faster than objects with named
 * fields, and clones events faster than `encodeJson` writes them: encoding is the journal thread's work.
 */
export type JournalWrite =
  | readonly [what: 'event', seq: number, event: Event]
  | readonly [what: 'observations', seq: number, observations: readonly Observation[]]
  | readonly [what: 'snapshot', snapshot: Snapshot]
  | readonly [what: 'suspension', suspension: Suspension]
  | TreasuryWrite

/** Drops old rows; the answer is how many. */
type PruneCall = { readonly keepFromMs: number }

/**
 * For a position in PostgreSQL. `look`: whether a live daemon stands by; `let-go`: releases the position until it is granted to
 * another daemon. The answer is 1 or 0.
 */
type HandOverCall = { readonly handOver: 'look' | 'let-go' }

export type JournalCall = PruneCall | HandOverCall
export type JournalMessage = ToThread<JournalWrite, JournalCall>

/** The last events on disk: the position's and the treasury's; 0 = none. */
export type LastNumbers = { readonly lastSeq: number; readonly treasurySeq: number }

/**
 * From the journal thread. The first message is `opened` or `refused`, except that `standby` comes before it while the thread
 * stands by.
 */
export type JournalReply =
  /** `held`: who holds the position, a clause; `lives`: its counter was seen to move. */
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
  /** Of SQLite's database. */
  readonly maxBytes: number | null
  /** How a position in PostgreSQL is held; absent = the usual terms. */
  readonly terms?: HoldTerms
  /** Waits for a position in PostgreSQL that another daemon holds; absent = that is a refusal. */
  readonly standsBy?: boolean
  /** See `core/lease/shared-renewal.ts`: signs of life go to PostgreSQL only while the loop counts in it. */
  readonly lease?: SharedArrayBuffer
}
