import type { DatabaseSync } from 'node:sqlite'
import { encodeJson } from '../base/codec.ts'
import type { Observation } from '../engine/observation.ts'
import type { LedgerEntry } from '../ledger/entry.ts'

/** Writes one event's observations into the tables; to be called inside a transaction. */
export type ProjectionWriter = (seq: number, observations: readonly Observation[]) => void

type FillPosted = Extract<Observation, { type: 'fillPosted' }>
type Place = readonly [seq: number, n: number]

/**
 * Prepares the statements once. A row is known by its event and its place in it, so writing it again
 * changes nothing. A venue id that comes back under another event is not written twice either, but it is
 * said in the notices: the core promises that it never happens.
 */
export function createProjectionWriter(db: DatabaseSync): ProjectionWriter {
  const insert = (table: string, columns: number) =>
    db.prepare(`INSERT OR IGNORE INTO ${table} VALUES (${Array(columns).fill('?').join(', ')})`)
  const fills = insert('fills', 18)
  const fillAt = db.prepare('SELECT seq, n FROM fills WHERE venue_id = ?')
  const quarantine = insert('quarantine', 6)
  const entries = insert('ledger_entries', 7)
  const postings = insert('postings', 6)
  const quotes = insert('quotes', 9)
  const rates = insert('rates', 6)
  const notices = insert('notices', 5)

  function writeFill(place: Place, observation: FillPosted): void {
    const { fill, fee, feeSource, midAtFill, formula, volumeUsd, t } = observation
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
    if (changes !== 0) return
    const there = fillAt.get(fill.id)
    if (there?.['seq'] === place[0] && there['n'] === place[1]) return
    notices.run(...place, t, 'fillRepeated', encodeJson(observation))
  }

  function writeEntry(place: Place, entry: LedgerEntry): void {
    entries.run(...place, entry.number, entry.t, entry.kind, entry.reason, entry.fillId)
    for (const [p, { account, asset, amount }] of entry.postings.entries()) {
      postings.run(...place, p, account, asset, amount.toString())
    }
  }

  function writeOne(place: Place, observation: Observation): void {
    switch (observation.type) {
      case 'fillPosted':
        return writeFill(place, observation)
      case 'entryPosted':
        return writeEntry(place, observation.entry)
      case 'rowQuarantined': {
        const { id, reason, raw } = observation.row
        quarantine.run(...place, observation.t, id, reason, raw)
        return
      }
      case 'quoteConfirmed': {
        const { bidBps, askBps, quoteBid, quoteAsk, quotePairs } = observation.spread
        const pairs = quotePairs === null ? null : JSON.stringify(quotePairs)
        const { t, by } = observation
        quotes.run(...place, t, bidBps, askBps, Number(quoteBid), Number(quoteAsk), pairs, by)
        return
      }
      case 'midChanged': {
        const { t, mid, rateUpdatedAt, source } = observation
        rates.run(...place, t, mid.toString(), rateUpdatedAt, source)
        return
      }
      case 'midRefused':
      case 'beliefChanged':
      case 'requote':
      case 'clamped':
      case 'refusal':
      case 'tradingStateChanged':
      case 'completenessChanged':
      case 'feeModelChanged':
      case 'strategySuspended':
      case 'strategyLoaded':
      case 'activationChanged':
      case 'withdrawn':
      case 'requestFailed':
      case 'operator':
      case 'alert':
        notices.run(...place, observation.t, observation.type, encodeJson(observation))
    }
  }

  return (seq, observations) => {
    for (const [n, observation] of observations.entries()) writeOne([seq, n], observation)
  }
}
