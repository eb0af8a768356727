import { join } from 'node:path'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { type KeptProfile, keptProfileSchema } from '../../conformance/profile.ts'
import { type ChallengerView, challengerSchema } from '../../view/challenger-view.ts'
import { type ScorecardView, scorecardSchema } from '../../view/scorecard-view.ts'
import { keptFile, type KeptFile } from './kept-file.ts'

/** The files beside a journal in which a daemon keeps its comparisons. */
export function scorecardFile(storeFolder: string): KeptFile<ScorecardView> {
  return keptFile<ScorecardView>(join(storeFolder, 'scorecard.json'), scorecardSchema)
}

export function challengerFile(storeFolder: string): KeptFile<ChallengerView> {
  return keptFile<ChallengerView>(join(storeFolder, 'challenger.json'), challengerSchema)
}

export function conformanceFile(storeFolder: string): KeptFile<KeptProfile> {
  return keptFile<KeptProfile>(join(storeFolder, 'conformance.json'), keptProfileSchema)
}

/** What a daemon last compared, for commands without one; null = not configured, or never compared. */
export function storedReviews({
  core,
  challenger,
  store,
}: Pick<LoadedConfig, 'core' | 'challenger' | 'store'>): {
  readonly scorecard: ScorecardView | null
  readonly challenger: ChallengerView | null
} {
  return {
    scorecard: core.calibration === null ? null : scorecardFile(store.path).read(),
    challenger: challenger === null ? null : challengerFile(store.path).read(),
  }
}
