import { err, ok, type Result } from '../../../base/result.ts'
import type { ReadFailure } from '../../console/position-port.ts'
import { openHistory, type HistoryReader } from '../../../store/history/open-history.ts'
import { daysAnswer } from './days-answer.ts'
import { fillsAnswer } from './fills-answer.ts'
import { historyAnswer } from './history-answer.ts'
import type { HistoryCall } from './history-service.ts'
import { noticesAnswer } from './recent-notices.ts'
import { storePlaceKey, type StorePlace } from '../../../store/place.ts'

/** Maximum number of open stores; even with hundreds of positions people look at only a few at a time. */
const MOST_OPEN = 32

/** Returns a function that answers from stores, each opened for reading on first use. */
export function createHistoryReader(): (call: HistoryCall) => Result<unknown, ReadFailure> {
  const readers = new Map<string, HistoryReader>()

  function readerOf(place: StorePlace): Result<HistoryReader, ReadFailure> {
    const key = storePlaceKey(place)
    const known = readers.get(key)
    if (known !== undefined) {
      // Move it to the end of the map: the most recently used store is closed last.
      readers.delete(key)
      readers.set(key, known)
      return ok(known)
    }
    const opened = openHistory(place)
    if (!opened.ok) return unreadable(opened.error.message)
    readers.set(key, opened.value)
    const [oldest] = readers
    if (oldest !== undefined && readers.size > MOST_OPEN) {
      readers.delete(oldest[0])
      oldest[1].close()
    }
    return opened
  }

  return (call) => {
    const reader = readerOf(call.place)
    if (!reader.ok) return reader
    try {
      return ok(ANSWERS[call.what](reader.value, call.query as never, call.now))
    } catch (error) {
      // After any error, the next call opens a new connection.
      readers.delete(storePlaceKey(call.place))
      reader.value.close()
      return unreadable(`the store could not be read: ${error instanceof Error ? error.message : 'unknown'}`)
    }
  }
}

const ANSWERS = { history: historyAnswer, days: daysAnswer, fills: fillsAnswer, notices: noticesAnswer }

function unreadable(message: string): Result<never, ReadFailure> {
  return err({ kind: 'unreadable', message })
}
