import { horizonsOf } from '../../models/markouts/horizons.ts'
import { join } from 'node:path'
import { errorText } from '../../base/result.ts'
import { HOUR_MS, MINUTE_MS, type Ms } from '../../base/time.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { Notice } from '../../notify/notice.ts'
import type { Log } from '../../telemetry/log/log.ts'
import type { Metrics } from '../../telemetry/metrics/metrics.ts'
import { workerUrl } from '../../threads/first-message.ts'
import { type ScorecardView, scorecardSchema } from '../../view/scorecard-view.ts'
import { judgeScorecard } from './judge-scorecard.ts'
import { keptFile, type KeptFile } from './kept-file.ts'
import type { RecordedPosition } from './recorded-tape.ts'
import type { ReviewThreads } from './review-thread.ts'
import type { ScorecardJob } from './scorecard-worker.ts'

export type ReviewParts = {
  /** What runs now. */
  readonly config: () => LoadedConfig
  readonly now: () => Ms
  readonly threads: Pick<ReviewThreads, 'run'>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly metrics: Pick<Metrics, 'alerts'>
  readonly notify: (notice: Notice) => void
  /** Only a test waits less. */
  readonly everyMs?: Ms
  readonly firstAfterMs?: Ms
}

/** A comparison of a position that is repeated while it runs. */
export type RunningReview<View> = {
  /** Null = nothing is compared, or nothing was yet. */
  readonly view: () => View | null
  readonly close: () => void
}

const EVERY_MS = HOUR_MS
/** After a start the daemon has other things to do first. */
const FIRST_AFTER_MS = MINUTE_MS
const LABELS = { code: 'scorecard', severity: 'warning' } as const

const FILE = 'scorecard.json'
const WORKER = workerUrl(import.meta.url, './scorecard-worker')

/**
 * Compares the last week with the calibration in force, once an hour and not sooner after a restart. Nothing here throws,
 * and trading waits for nothing here.
 */
export function reviewScorecard(parts: ReviewParts): RunningReview<ScorecardView> {
  const { config, now, threads, log, metrics, everyMs = EVERY_MS, firstAfterMs = FIRST_AFTER_MS } = parts
  const file = keptFile<ScorecardView>(join(config().store.path, FILE), scorecardSchema)
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
    await keep(file, next, log)
  }

  const timer = repeat(compare, everyMs, firstDelay(kept?.at ?? null, { now: now(), everyMs, firstAfterMs }))
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
  return { tapeFolder, storeFolder: store.path, mode: core.mode }
}

function tell({ log, metrics, notify }: ReviewParts, notice: Notice): void {
  const { kind, text } = notice
  if (kind === 'raised') {
    metrics.alerts.inc(LABELS)
    log.warn({ event: 'alert', ...LABELS }, text)
  } else log.info({ event: 'scorecard' }, text)
  notify(notice)
}

/** What is not kept is compared again after a restart; an alert that stands would then be raised a second time. */
async function keep<Kept>(file: KeptFile<Kept>, kept: Kept, log: Pick<Log, 'warn'>): Promise<void> {
  try {
    await file.write(kept)
  } catch (error) {
    log.warn({ event: 'scorecard' }, `${FILE} cannot be written: ${errorText(error)}`)
  }
}

type Pace = { readonly now: Ms; readonly everyMs: Ms; readonly firstAfterMs: Ms }

function firstDelay(lastAt: Ms | null, { now, everyMs, firstAfterMs }: Pace): Ms {
  // A time of the future is a clock that was set back.
  if (lastAt === null || lastAt > now) return firstAfterMs
  return Math.max(firstAfterMs, lastAt + everyMs - now)
}

function repeat(work: () => Promise<void>, everyMs: Ms, firstMs: Ms): { readonly stop: () => void } {
  let timer = setTimeout(() => void run(), firstMs).unref()
  let isStopped = false
  async function run(): Promise<void> {
    await work()
    if (!isStopped) timer = setTimeout(() => void run(), everyMs).unref()
  }
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
