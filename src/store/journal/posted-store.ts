import { decodeJson, encodeJson } from '../../base/codec.ts'
import { errorText, invariant } from '../../base/result.ts'
import { createThreadLink, type LinkedThread, type ThreadLink } from '../../base/threads/link.ts'
import type { StoreFailure } from '../failure.ts'
import type { Store } from '../store.ts'
import type {
  JournalCall,
  JournalMessage,
  JournalReply,
  JournalWrite,
  LastNumbers,
} from '../journal-messages.ts'
import type { JournalReader } from './reader.ts'
import { createTreasuryJournal, type TreasuryJournal, type TreasuryWrite } from '../treasury/journal.ts'

/** A store as its owner uses it: the port, and the owner's own operations. */
export type PostedStore = Store & {
  /** Number of posted events that are not durable yet. */
  readonly backlog: () => number
  /**
   * Drops journal rows older than `keepFromMs`, never beyond the oldest kept snapshot and never rows of the tables.
   * Resolves with their number; 0 after a failure, which `onFailure` has reported.
   */
  readonly prune: (keepFromMs: number) => Promise<number>
  /** The treasury's own journal in the same files. */
  readonly treasury: TreasuryJournal
  /** Returns whether another daemon waits to take the position over; always false for a store on this machine alone. */
  readonly isStoodBy: () => Promise<boolean>
  /**
   * Hands the position over to a standby; nothing may be posted afterwards. Resolves with false if no daemon took it:
   * then, if PostgreSQL answers, this daemon holds it again and can make it safe.
   */
  readonly handOver: () => Promise<boolean>
  /** Closes without writing this turn's posts, as if this thread had died. */
  readonly abandon: () => Promise<void>
}

type PostedStoreParts = {
  /** A journal thread that has sent `opened`. */
  readonly thread: LinkedThread<JournalWrite, JournalCall>
  /** Several daemons may hold it in turn; absent = it belongs to one machine. */
  readonly isShared?: boolean
  /** Reads for `recover`, on this thread's connection. */
  readonly reader: Pick<JournalReader, 'recover' | 'treasury'>
  readonly closeReader: () => void
  readonly last: LastNumbers
  /** More undurable events than this mean that the disk does not keep up, which is a failure. */
  readonly maxBacklog: number
}

/** Creates the store that posts its writes to a journal thread. */
export function createPostedStore(parts: PostedStoreParts): PostedStore {
  const { reader, maxBacklog } = parts
  const link = linkTo(parts.thread)
  const durable = trackDurable(parts.thread, link, parts.last)
  let posted = parts.last.lastSeq
  let closing: Promise<void> | null = null

  function post(write: JournalWrite): void {
    invariant(closing === null, 'a store that is being closed takes no writes')
    link.post(write)
  }

  const treasury = treasuryOf(parts, durable.treasury, post)

  return {
    treasury,
    recover: reader.recover,
    append(seq, event) {
      invariant(seq === posted + 1, `event ${seq} follows ${posted}: the journal would have a gap`)
      posted = seq
      post(['event', seq, event])
      const backlog = posted - durable.position.seq()
      if (backlog > maxBacklog) {
        const message = `${backlog} events wait to be written, more than the ${maxBacklog} allowed: the disk does not keep up`
        link.fail({ kind: 'io', message })
      }
    },
    project(seq, observations) {
      invariant(seq <= posted, `observations of event ${seq} came before the event`)
      // Copies the list because the caller reuses it; its elements no longer change.
      post(['observations', seq, [...observations]])
    },
    saveSnapshot(snapshot) {
      const { seq } = snapshot
      invariant(seq >= 1 && seq <= posted, `a snapshot of event ${seq} came before the event`)
      post(['snapshot', snapshot])
    },
    saveSuspension: (suspension) => post(['suspension', suspension]),
    durableSeq: durable.position.seq,
    onDurable: durable.position.listen,
    onFailure: link.onFailure,
    ...handingOver(parts, link),
    backlog: () => posted - durable.position.seq(),
    prune: async (keepFromMs) => (await link.ask({ keepFromMs })) ?? 0,
    abandon() {
      link.discard()
      return close()
    },
    close,
  }

  function close(): Promise<void> {
    if (closing === null) {
      parts.closeReader()
      closing = link.close()
    }
    return closing
  }
}

function handingOver(
  { isShared = false }: PostedStoreParts,
  { ask }: Pick<JournalLink, 'ask'>,
): Pick<PostedStore, 'isStoodBy' | 'handOver'> {
  return {
    isStoodBy: async () => isShared && (await ask({ handOver: 'look' })) === 1,
    handOver: async () => isShared && (await ask({ handOver: 'let-go' })) === 1,
  }
}

function treasuryOf(
  { last, reader }: PostedStoreParts,
  durable: Durable,
  post: (write: TreasuryWrite) => void,
): TreasuryJournal {
  return createTreasuryJournal({
    lastSeq: last.treasurySeq,
    recover: reader.treasury,
    durableSeq: durable.seq,
    onDurable: durable.listen,
    post,
  })
}

type JournalLink = ThreadLink<JournalWrite, JournalCall, number, StoreFailure>

function linkTo(thread: PostedStoreParts['thread']): JournalLink {
  const link = createThreadLink<JournalWrite, JournalCall, number, StoreFailure>(
    {
      on: thread.on.bind(thread),
      postMessage(message) {
        try {
          sendCloned(thread, message)
        } catch (error) {
          link.fail({ kind: 'io', message: `an event cannot be serialised: ${errorText(error)}` })
        }
      },
    },
    (how) => ({
      kind: 'io',
      message: `the store's journal thread ${how}; the store is no longer written: restart`,
    }),
  )
  return link
}

function sendCloned(thread: PostedStoreParts['thread'], message: JournalMessage): void {
  try {
    thread.postMessage(message)
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'DataCloneError')) throw error
    // A strategy's parameters may contain what cannot be cloned (a function); the journal keeps their JSON.
    thread.postMessage(decodeJson(encodeJson(message)) as JournalMessage)
  }
}

type Durable = {
  readonly seq: () => number
  readonly listen: (listener: (seq: number) => void) => void
}

/** Tracks the last events of both journals that are on disk. */
function trackDurable(
  thread: PostedStoreParts['thread'],
  link: Pick<JournalLink, 'hasFailed'>,
  last: LastNumbers,
): { readonly position: Durable; readonly treasury: Durable } {
  const position = createDurable(last.lastSeq)
  const treasury = createDurable(last.treasurySeq)
  thread.on('message', (reply: JournalReply) => {
    if (reply.type !== 'durable' || link.hasFailed()) return
    position.reach(reply.seq)
    treasury.reach(reply.treasurySeq)
  })
  return { position, treasury }
}

function createDurable(from: number): Durable & { readonly reach: (seq: number) => void } {
  const listeners: ((seq: number) => void)[] = []
  let durable = from
  return {
    seq: () => durable,
    listen: (listener) => void listeners.push(listener),
    reach(seq) {
      if (seq <= durable) return
      durable = seq
      for (const listener of listeners) listener(durable)
    },
  }
}
