import { err, errorText, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { createLearner, type ShownFee } from '../../conformance/learn.ts'
import type { Profile } from '../../conformance/profile.ts'
import { readState } from '../../engine/upcast/written.ts'
import { openReader, type StoreReader } from '../../store/open-reader.ts'
import type { StorePlace } from '../../store/place.ts'

/** What the venue does, as the journal shows it from event `first` on. Throws StoreReadError. */
export function learnVenue(reader: StoreReader, position: string, first: number): Profile {
  const learner = createLearner()
  for (const { event } of reader.journal(first)) learner.add(event)
  return learner.profile(position, shownFeeOf(reader))
}

/** What the balances have shown by the latest snapshot; null before there is one. */
function shownFeeOf(reader: StoreReader): ShownFee | null {
  const snapshot = reader.latestSnapshot()
  if (snapshot === null) return null
  const { model, counts } = readState(snapshot.state).reconciliation.fees
  const unproven = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { model, at: snapshot.t, unproven }
}

/** Plain data for a thread. */
export type ConformanceJob = {
  readonly store: StorePlace
  readonly position: string
  /** What was journalled before is left out. */
  readonly from: Ms
}

/** What the journal of a store shows from a moment on; the error says why it cannot be read. */
export function learnSince({ store, position, from }: ConformanceJob): Result<Profile, string> {
  const opened = openReader(store)
  if (!opened.ok) return err(opened.error.message)
  const reader = opened.value
  try {
    return ok(learnVenue(reader, position, Math.max(reader.firstSeq(), reader.lastSeqBefore(from) + 1)))
  } catch (error) {
    return err(errorText(error))
  } finally {
    reader.close()
  }
}
