import { parentPort, workerData } from 'node:worker_threads'
import type { Ms } from '../../base/time.ts'
import { errorText, err, invariant, type Result } from '../../base/result.ts'
import {
  type Scorecard,
  scorecard,
  scorecardFrom,
  type ScorecardSettings,
} from '../../calibration/scorecard.ts'
import type { Calibration } from '../../models/calibration.ts'
import { type RecordedPosition, recordedTape } from './recorded-tape.ts'

// The thread that compares a week of a position with its calibration: neither trading nor the console waits for it.

export type ScorecardJob = {
  readonly recorded: RecordedPosition
  /** Until when; it begins a week before. */
  readonly to: Ms
  readonly learned: Calibration
  readonly settings: ScorecardSettings
}

async function answer({ recorded, to, learned, settings }: ScorecardJob): Promise<Result<Scorecard, string>> {
  const source = await recordedTape(recorded, { from: scorecardFrom(learned.to, to), to })
  return source.ok ? { ok: true, value: await scorecard(source.value, learned, settings) } : source
}

const port = parentPort
invariant(port !== null, 'a scorecard of a daemon is made in a thread of its own')
port.postMessage(await answer(workerData as ScorecardJob).catch((error: unknown) => err(errorText(error))))
