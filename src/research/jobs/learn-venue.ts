import type { Ms } from '../../base/time.ts'
import { createLearner, type ShownFee } from '../conformance/learn.ts'
import type { Profile } from '../conformance/profile.ts'
import { readState } from '../../core/engine/upcast/written.ts'
import type { StoreReader } from '../../store/open-reader.ts'

/** Returns the venue's behaviour learned from the journal, or from its last `lastMs`. Throws StoreReadError. */
export function learnVenue(reader: StoreReader, position: string, lastMs?: Ms): Profile {
  const learner = createLearner()
  const before = lastMs === undefined ? 0 : reader.lastSeqBefore(Date.now() - lastMs)
  for (const { event } of reader.journal(Math.max(reader.firstSeq(), before + 1))) learner.add(event)
  return learner.profile(position, shownFeeOf(reader))
}

/** Returns who bears the fee, from the latest snapshot; null without a snapshot. */
function shownFeeOf(reader: StoreReader): ShownFee | null {
  const snapshot = reader.latestSnapshot()
  if (snapshot === null) return null
  const { model, counts } = readState(snapshot.state).reconciliation.fees
  const unproven = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { model, at: snapshot.t, unproven }
}
