import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Spread } from '../../../core/engine/model/effect.ts'
import type { Event } from '../../../core/engine/model/event.ts'
import { openReader } from '../../../store/open-reader.ts'
import { StoreReadError } from '../../../store/failure.ts'
import type { TapeRow } from '../../../store/tape/model/row.ts'
import { fillRowOf, shownRows } from './tape-rows.ts'
import type { StorePlace } from '../../../store/place.ts'

type JournalRange = {
  readonly from: number
  readonly to: number
  /** The state of the position at the start of the range. */
  readonly mode: 'live' | 'dry-run'
}

/** Number of events to read before yielding to other work. */
const SLICE = 500

/**
 * Returns the tape rows of a range of a store's journal, made without the core, for events that are too old to be replayed. They
 * lack decisions and the owners of probed quotes. Fills are those that the core posted then. Throws StoreReadError.
 */
export async function* journalRows(
  store: StorePlace,
  { from, to, mode }: JournalRange,
): AsyncGenerator<readonly TapeRow[], undefined> {
  const opened = openReader(store)
  if (!opened.ok) throw new StoreReadError(opened.error)
  const reader = opened.value
  try {
    const posted = new Set<string>()
    let passed = 0
    for (const { id, seq } of reader.rows('fills')) {
      if (Number(seq) >= from && Number(seq) <= to) posted.add(String(id))
      if (++passed % SLICE === 0) await nextTurn()
    }
    const rowsOf = createRowMapper(posted, mode)
    let rows: TapeRow[] = []
    for (const { seq, event } of reader.journal(from)) {
      if (seq > to) break
      rows.push(...rowsOf(event))
      if (seq % SLICE !== 0) continue
      yield rows
      rows = []
      await nextTurn()
    }
    yield rows
  } finally {
    reader.close()
  }
}

/** Returns one row for each of the `posted` fills, where it first appears. */
function createRowMapper(
  posted: Set<string>,
  mode: JournalRange['mode'],
): (event: Event) => readonly TapeRow[] {
  let [aheadMs, polledAt] = [0, -Infinity]
  const quoteOf = createQuoteMapper(mode)
  return (event) => {
    if (event.type === 'rate' && event.venueTime !== null) aheadMs = event.venueTime - event.t
    if (event.type === 'fills') {
      const fresh = event.fills.filter(({ id }) => posted.delete(id))
      const before = polledAt
      polledAt = event.t
      return fresh.map((fill) => fillRowOf(fill, event.t, aheadMs, before))
    }
    return [...shownRows(event), ...quoteOf(event)]
  }
}

/** Derives our quote from the confirmed spreads and the confirmed activations. */
function createQuoteMapper(mode: JournalRange['mode']): (event: Event) => readonly TapeRow[] {
  let isDryRun = mode === 'dry-run'
  // Null from a start until the venue reports it; undefined where the range begins in the middle of a run.
  let isActive: boolean | null | undefined
  let spread: Spread | null = null
  return (event) => {
    const { type, t } = event
    if (type === 'started') [isDryRun, isActive, spread] = [event.config.mode === 'dry-run', null, null]
    const before = isActive
    // A side counts as open if the venue does not state its flag.
    if (type === 'quoteSet')
      spread = {
        ...event.spread,
        quoteBid: event.spread.quoteBid ?? true,
        quoteAsk: event.spread.quoteAsk ?? true,
      }
    else if (type === 'account' || type === 'activation') ({ isActive } = event)
    // The account before the range is unknown; a change of it is an activation.
    const isChange = before !== isActive && (before !== undefined || type === 'activation')
    if (spread === null || isDryRun || (type !== 'quoteSet' && !isChange)) return []
    const off = isActive === false ? { quoteBid: false, quoteAsk: false } : {}
    return [{ type: 'quote', t, ...spread, ...off }]
  }
}
