import { dirname, resolve } from 'node:path'
import { DAY_MS, type Ms } from '../../base/time.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { strategyFingerprint } from '../../config/strategy/strategy-fingerprint.ts'
import { workerUrl } from '../../threads/first-message.ts'
import type { ChallengerView } from '../../view/challenger-view.ts'
import { strategiesFolder } from '../position/strategy-registry.ts'
import type { ChallengerAnswer, ChallengerJob } from './challenger-worker.ts'
import {
  challengerNotice,
  type ChallengerIdentity,
  judgeChallenger,
  newChallenger,
} from './judge-challenger.ts'
import { keepReview, repeatReview, type ReviewParts, type RunningReview } from './repeat-review.ts'
import { recordedBy } from './review-scorecard.ts'
import { challengerFile } from './stored-reviews.ts'

const WORKER = workerUrl(import.meta.url, './challenger-worker')
const LABELS = { code: 'challenger-suspended', severity: 'warning' } as const
/** A recording of a quarter is run in seconds; days of an older market say little about this one. */
const LONGEST_MS = 90 * DAY_MS

/**
 * Lets the configured challenger trade over what this position recorded since the challenger was configured, once an hour from
 * the beginning: the result depends on the recording alone, so that a restart continues where it was. Nothing of the
 * challenger runs in this thread, nothing here throws, and trading waits for nothing here.
 */
export function reviewChallenger(parts: ReviewParts): RunningReview<ChallengerView> {
  const { config, now, threads, log, metrics } = parts
  const file = challengerFile(config().store.path)
  let kept = file.read()
  let isClosed = false
  metrics.alerts.inc(LABELS, 0)

  async function set(next: ChallengerView): Promise<void> {
    const notice = challengerNotice(kept, next, now())
    if (next.problem !== null && next.problem !== kept?.problem)
      log.warn({ event: 'challenger' }, `the challenger did not run: ${next.problem}`)
    kept = next
    if (notice?.kind === 'raised') {
      metrics.alerts.inc(LABELS)
      log.warn({ event: 'alert', ...LABELS }, notice.text)
    }
    if (notice !== null) parts.notify(notice)
    await keepReview(file, next, log)
  }

  async function compare(): Promise<void> {
    const running = config()
    const { challenger } = running
    if (challenger === null) return
    const identity = identityOf(challenger, running)
    const known = kept?.fingerprint === identity.fingerprint ? kept : newChallenger(identity, now())
    if (known !== kept) await set(known)
    if (known.suspended !== null) return
    const job = jobOf(running, identity, { since: known.since, to: now() })
    const answer = await threads.run<ChallengerAnswer>(WORKER, job)
    if (!isClosed) await set(judgeChallenger(known, answer, now()))
  }

  const timer = repeatReview(compare, parts, kept?.at ?? null)
  return {
    view: () => (config().challenger === null ? null : kept),
    close() {
      isClosed = true
      timer.stop()
    },
  }
}

function whereOf({ file, allowedCode }: LoadedConfig) {
  return { folder: strategiesFolder(), baseFolder: dirname(resolve(file)), allow: allowedCode }
}

/** A file that is missing has no fingerprint: the thread finds it missing too, and reports it. */
function identityOf(
  { use, params }: NonNullable<LoadedConfig['challenger']>,
  config: LoadedConfig,
): ChallengerIdentity {
  const fingerprint = strategyFingerprint({ use, params }, whereOf(config))
  return { use, params, fingerprint: fingerprint.ok ? fingerprint.value : fingerprint.error }
}

function jobOf(
  config: LoadedConfig,
  { use, params }: ChallengerIdentity,
  { since, to }: { readonly since: Ms; readonly to: Ms },
): ChallengerJob {
  const { core, backtest, venue } = config
  return {
    challenger: { use, params },
    where: { ...whereOf(config), owner: core.name },
    core,
    settings: backtest,
    toleranceBps: venue.toleranceBps,
    recorded: recordedBy(config),
    window: { from: Math.max(since, to - LONGEST_MS), to },
  }
}
