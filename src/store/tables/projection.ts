import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Observation } from '../../engine/model/observation.ts'
import type { LedgerEntry } from '../../ledger/book/book.ts'
import { createActionWriter } from './operator-actions.ts'
import { createSampleWriter } from './samples.ts'
import { writeObservation } from '../../engine/upcast/written.ts'

/** Writes one event's observations into the tables; to be called inside a transaction. */
export type ProjectionWriter = (seq: number, observations: readonly Observation[]) => void

type FillPosted = Extract<Observation, { type: 'fillPosted' }>
type QuoteConfirmed = Extract<Observation, { type: 'quoteConfirmed' }>
/** Where an observation stands: its event, and its place in it. */
type Place = readonly [seq: number, n: number]

/**
 * Prepares the statements once. A row is known by its event and its place in it, so writing it again
 * changes nothing. A venue id that comes back under another event is not written twice either, but it is
 * listed in the notices: the core guarantees that it never happens.
 */
export function createProjectionWriter(db: DatabaseSync): ProjectionWriter {
  const writeFill = createFillWriter(db)
  const writeEntry = createEntryWriter(db)
  const writeQuote = createQuoteWriter(db)
  const writeSample = createSampleWriter(db)
  // Fills are those that happened: what a reorganisation took away may come back under the same id.
  const dropFill = db.prepare('DELETE FROM fills WHERE venue_id = ?')
  const quarantine = insertInto(db, 'quarantine', 6)
  const rates = insertInto(db, 'rates', 6)
  const notices = insertInto(db, 'notices', 5)
  const chainAction = createActionWriter(db)

  function write(place: Place, observation: Observation): void {
    if (observation.type === 'fillPosted') {
      if (writeFill(place, observation)) return
      notices.run(...place, observation.t, 'fillRepeated', writeObservation(observation))
    } else if (observation.type === 'entryPosted') {
      const { entry } = observation
      if (entry.kind === 'fill-undone') dropFill.run(entry.fillId)
      writeEntry(place, entry)
    } else if (observation.type === 'quoteConfirmed') {
      writeQuote(place, observation)
    } else if (observation.type === 'rowQuarantined') {
      const { id, reason, raw } = observation.row
      quarantine.run(...place, observation.t, id, reason, raw)
    } else if (observation.type === 'midChanged') {
      const { t, mid, rateUpdatedAt, source } = observation
      rates.run(...place, t, mid.toString(), rateUpdatedAt, source)
    } else if (observation.type === 'sample') {
      writeSample(place[0], observation)
    } else {
      if (observation.type === 'operator') chainAction(place, observation)
      notices.run(...place, observation.t, observation.type, writeObservation(observation))
    }
  }

  return (seq, observations) => {
    for (const [n, observation] of observations.entries()) write([seq, n], observation)
  }
}

function insertInto(db: DatabaseSync, table: string, columns: number): StatementSync {
  return db.prepare(`INSERT OR IGNORE INTO ${table} VALUES (${Array(columns).fill('?').join(', ')})`)
}

/** Returns false where the venue's id is already there under another place. */
function createFillWriter(db: DatabaseSync): (place: Place, posted: FillPosted) => boolean {
  const fills = insertInto(db, 'fills', 18)
  const placeOf = db.prepare('SELECT seq, n FROM fills WHERE venue_id = ?')
  return (place, { fill, fee, feeSource, midAtFill, formula, volumeUsd, t }) => {
    const { changes } = fills.run(
      ...place,
      fill.id,
      fill.side,
      fill.inAsset,
      fill.amountIn.toString(),
      fill.outAsset,
      fill.amountOut.toString(),
      fee.toString(),
      feeSource,
      fill.earnedText,
      midAtFill?.toString() ?? null,
      formula,
      volumeUsd.toString(),
      fill.txHash,
      fill.createdAt,
      t,
      fill.raw,
    )
    if (changes !== 0) return true
    const there = placeOf.get(fill.id)
    return there?.['seq'] === place[0] && there['n'] === place[1]
  }
}

function createEntryWriter(db: DatabaseSync): (place: Place, entry: LedgerEntry) => void {
  const entries = insertInto(db, 'ledger_entries', 7)
  const postings = insertInto(db, 'postings', 6)
  return (place, entry) => {
    entries.run(...place, entry.number, entry.t, entry.kind, entry.reason, entry.fillId)
    for (const [p, { account, asset, amount }] of entry.postings.entries()) {
      postings.run(...place, p, account, asset, amount.toString())
    }
  }
}

function createQuoteWriter(db: DatabaseSync): (place: Place, confirmed: QuoteConfirmed) => void {
  const quotes = insertInto(db, 'quotes', 9)
  return (place, { t, spread, by }) => {
    const { bidBps, askBps, quoteBid, quoteAsk, quotePairs } = spread
    const pairs = quotePairs === null ? null : JSON.stringify(quotePairs)
    quotes.run(...place, t, bidBps, askBps, Number(quoteBid), Number(quoteAsk), pairs, by)
  }
}
