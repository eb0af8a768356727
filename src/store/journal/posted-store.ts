import { invariant } from '../../base/invariant.ts'
import { createJournalLink, type JournalThread } from './link.ts'
import type { JournalWrite } from './messages.ts'
import type { JournalReader } from './reader.ts'
import type { Store } from '../store.ts'

/** A store as its owner sees it: the port, and what only the owner does. */
export type PostedStore = Store & {
  /** Events posted and not yet durable. */
  readonly backlog: () => number
  /**
   * Drops journal rows older than `keepFromMs`, never beyond the oldest kept snapshot and never a row of
   * the tables. Resolves with how many were dropped; after a failure with 0 (`onFailure` has said why).
   */
  readonly prune: (keepFromMs: number) => Promise<number>
}

export type PostedStoreParts = {
  readonly thread: JournalThread
  /** What `recover` reads, on a connection of this thread. */
  readonly memory: JournalReader
  readonly closeMemory: () => void
  readonly lastSeq: number
  /** More events than this without being durable: the disk does not keep up, and that is a failure. */
  readonly maxBacklog: number
}

/** Speaks to a journal thread that has said `opened`. */
export function createPostedStore(parts: PostedStoreParts): PostedStore {
  const { memory, maxBacklog } = parts
  const link = createJournalLink(parts.thread, parts.lastSeq)
  let posted = parts.lastSeq
  let closing: Promise<void> | null = null

  function post(write: JournalWrite): void {
    invariant(closing === null, 'nothing is posted to a store that is being closed')
    link.post(write)
  }

  return {
    recover() {
      const snapshot = memory.latestSnapshot()
      const tail = memory.journal((snapshot?.seq ?? 0) + 1)
      return { snapshot, tail, suspensions: memory.suspensions(), lastSeq: memory.lastSeq() }
    },
    append(seq, event) {
      invariant(seq === posted + 1, `event ${seq} follows ${posted}: the journal would have a hole`)
      posted = seq
      post(['event', seq, event])
      const backlog = posted - link.durableSeq()
      if (backlog > maxBacklog) {
        const message = `${backlog} events wait to be written, more than the ${maxBacklog} allowed: the disk does not keep up`
        link.fail({ kind: 'io', message })
      }
    },
    project(seq, observations) {
      invariant(seq <= posted, `observations of event ${seq} came before the event`)
      // The list is the caller's to use again; what stands in it does not change any more.
      post(['observations', seq, [...observations]])
    },
    saveSnapshot(snapshot) {
      const { seq } = snapshot
      invariant(seq >= 1 && seq <= posted, `a snapshot of event ${seq} came before the event`)
      post(['snapshot', snapshot])
    },
    saveSuspension: (suspension) => post(['suspension', suspension]),
    durableSeq: link.durableSeq,
    onDurable: link.onDurable,
    onFailure: link.onFailure,
    backlog: () => posted - link.durableSeq(),
    prune: link.prune,
    close() {
      if (closing === null) {
        parts.closeMemory()
        closing = link.close()
      }
      return closing
    },
  }
}
