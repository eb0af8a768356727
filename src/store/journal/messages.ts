import type { FromThread, ToThread } from '../../threads/link.ts'
import type { Event } from '../../engine/model/event.ts'
import type { Observation } from '../../engine/model/observation.ts'
import type { Snapshot, Suspension } from '../store.ts'
import type { StoreFailure } from '../failure.ts'
import type { TreasuryWrite } from '../treasury/journal.ts'

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
export type PruneCall = { readonly keepFromMs: number }

export type JournalMessage = ToThread<JournalWrite, PruneCall>

/** The last events on disk: the position's and the treasury's; 0 = none. */
export type LastNumbers = { readonly lastSeq: number; readonly treasurySeq: number }

/** From the journal thread. The first one is `opened` or `refused`. */
export type JournalReply =
  | ({ readonly type: 'opened' } & LastNumbers)
  | { readonly type: 'refused'; readonly failure: StoreFailure }
  | { readonly type: 'durable'; readonly seq: number; readonly treasurySeq: number }
  | FromThread<number, StoreFailure>

/** What the journal thread starts with. */
export type JournalInit = {
  readonly folder: string
  readonly startedAt: string
  readonly pid: number
  readonly maxBytes: number | null
}
