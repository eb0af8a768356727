import { horizonsOf } from '../../models/markouts/horizons.ts'
import { join } from 'node:path'
import type { Ms } from '../../base/time.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { Notice } from '../../notify/notice.ts'
import { workerUrl } from '../../threads/first-message.ts'
import type { ScorecardView } from '../../view/scorecard-view.ts'
import { judgeScorecard } from './judge-scorecard.ts'
import type { RecordedPosition } from './recorded-tape.ts'
import { keepReview, repeatReview, type ReviewParts, type RunningReview } from './repeat-review.ts'
import { scorecardFile } from './stored-reviews.ts'
import type { ScorecardJob } from './scorecard-worker.ts'

const LABELS = { code: 'scorecard', severity: 'warning' } as const

const WORKER = workerUrl(import.meta.url, './scorecard-worker')

/**
 * Compares the last week with the calibration in force, once an hour and not sooner after a restart. Nothing here throws,
 * and trading waits for nothing here.
 */
export function reviewScorecard(parts: ReviewParts): RunningReview<ScorecardView> {
  const { config, now, threads, log, metrics } = parts
  const file = scorecardFile(config().store.path)
  let kept = file.read()
  let isClosed = false
  // A counter that begins with its first alert has no increase that a rule could see.
  metrics.alerts.inc(LABELS, 0)

  async function compare(): Promise<void> {
    const job = jobOf(config(), now())
    if (job === null) return
    const compared = await threads.run(WORKER, job)
    if (isClosed) return
    const { next, notice } = judgeScorecard(kept, compared, now())
    if (next.problem !== null && next.problem !== kept?.problem)
      log.warn({ event: 'scorecard' }, `no scorecard: ${next.problem}`)
    kept = next
    if (notice !== null) tell(parts, notice)
    await keepReview(file, next, log)
  }

  const timer = repeatReview(compare, parts, kept?.at ?? null)
  return {
    view: () => (config().core.calibration === null ? null : kept),
    close() {
      isClosed = true
      timer.stop()
    },
  }
}

/** Null without a calibration. */
function jobOf({ core, venue, backtest, record, store }: LoadedConfig, to: Ms): ScorecardJob | null {
  if (core.calibration === null) return null
  const { learned } = core.calibration
  const { toleranceBps, protocolFeeBps } = venue
  const { fairValue, seed } = backtest
  return {
    recorded: recordedBy({ core, record, store }),
    to,
    learned,
    settings: { toleranceBps, protocolFeeBps, fairValue, seed, horizons: horizonsOf(backtest) },
  }
}

export function recordedBy({
  core,
  record,
  store,
}: Pick<LoadedConfig, 'core' | 'record' | 'store'>): RecordedPosition {
  const tapeFolder = record.path === null ? null : join(record.path, core.name)
  return { tapeFolder, store: store.place, mode: core.mode }
}

function tell({ log, metrics, notify }: ReviewParts, notice: Notice): void {
  const { kind, text } = notice
  if (kind === 'raised') {
    metrics.alerts.inc(LABELS)
    log.warn({ event: 'alert', ...LABELS }, text)
  } else log.info({ event: 'scorecard' }, text)
  notify(notice)
}
