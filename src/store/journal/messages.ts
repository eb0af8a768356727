import type { Event } from '../../engine/model/event.ts'
import type { Observation } from '../../engine/model/observation.ts'
import type { Snapshot, Suspension } from '../store.ts'
import type { StoreFailure } from '../failure.ts'

/**
 * One thing to write. Tuples, because structured clone copies them a third faster than objects with named
 * fields, and clones events faster than `encodeJson` writes them: encoding is the journal thread's work.
 */
export type JournalWrite =
  | readonly [what: 'event', seq: number, event: Event]
  | readonly [what: 'observations', seq: number, observations: readonly Observation[]]
  | readonly [what: 'snapshot', snapshot: Snapshot]
  | readonly [what: 'suspension', suspension: Suspension]

/** To the journal thread. `writes` of one turn travel together. */
export type JournalMessage =
  | readonly JournalWrite[]
  | { readonly type: 'prune'; readonly id: number; readonly keepFromMs: number }
  | { readonly type: 'close' }

/** From the journal thread. The first one is `opened` or `refused`. */
export type JournalReply =
  | { readonly type: 'opened'; readonly lastSeq: number }
  | { readonly type: 'refused'; readonly failure: StoreFailure }
  | { readonly type: 'durable'; readonly seq: number }
  | { readonly type: 'failed'; readonly failure: StoreFailure }
  | { readonly type: 'pruned'; readonly id: number; readonly rows: number }
  | { readonly type: 'closed' }

/** What the journal thread is born with. */
export type JournalInit = {
  readonly folder: string
  readonly startedAt: string
  readonly pid: number
  readonly maxBytes: number | null
}
