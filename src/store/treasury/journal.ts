import { invariant } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'

/** An event of the treasury as it is kept: its own numbers, apart from those of the position. */
export type TreasuryRecord = {
  readonly seq: number
  readonly t: Ms
  readonly type: string
  /** JSON as `encodeJson` writes it. The store does not look into it. */
  readonly body: string
}

/** Something that the treasury observed at an event, for people: rows of `treasury_notices`. */
type TreasuryNotice = Omit<TreasuryRecord, 'seq'>

/** One thing to write for the treasury. */
export type TreasuryWrite =
  | readonly [what: 'treasury', record: TreasuryRecord]
  | readonly [what: 'treasuryNotices', seq: number, notices: readonly TreasuryNotice[]]

/**
 * The treasury's part of a position's store. Its state is the fold of the whole journal, so nothing of it is ever dropped:
 * a few hundred events a day. It shares the store's transactions, its lock and its failures.
 */
export type TreasuryJournal = {
  /** Number of the last event posted; 0 = none. */
  readonly lastSeq: () => number
  /** What is on disk after number `from` (default: everything), oldest first. Throws StoreReadError. */
  readonly recover: (from?: number) => Iterable<TreasuryRecord>
  /** Posts an event under the next number without holes. */
  readonly append: (record: TreasuryRecord) => void
  /** Posts what was observed at `seq`. Repeating it changes nothing. */
  readonly note: (seq: number, notices: readonly TreasuryNotice[]) => void
  readonly durableSeq: () => number
  /** Called in order as numbers become durable. */
  readonly onDurable: (listener: (seq: number) => void) => void
}

type TreasuryJournalParts = Pick<TreasuryJournal, 'recover' | 'durableSeq' | 'onDurable'> & {
  readonly lastSeq: number
  readonly post: (write: TreasuryWrite) => void
}

export function createTreasuryJournal({ lastSeq, post, ...parts }: TreasuryJournalParts): TreasuryJournal {
  let posted = lastSeq
  return {
    ...parts,
    lastSeq: () => posted,
    append(record) {
      invariant(
        record.seq === posted + 1,
        `treasury event ${record.seq} follows ${posted}: the journal would have a hole`,
      )
      posted = record.seq
      post(['treasury', record])
    },
    note(seq, notices) {
      invariant(seq <= posted, `notices of treasury event ${seq} came before the event`)
      if (notices.length > 0) post(['treasuryNotices', seq, notices])
    },
  }
}
