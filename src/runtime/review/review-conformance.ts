import { DAY_MS, type Ms } from '../../base/time.ts'
import type { Result } from '../../base/result.ts'
import { type Change, changesBetween, changeText, withLearned } from '../../conformance/changes.ts'
import type { KeptProfile, Profile } from '../../conformance/profile.ts'
import { raisedNotice } from '../../notify/notice.ts'
import { workerUrl } from '../../threads/first-message.ts'
import type { ConformanceJob } from './learn-venue.ts'
import { keepReview, repeatReview, type ReviewParts } from './repeat-review.ts'
import { conformanceFile } from './stored-reviews.ts'

const LABELS = { code: 'conformance', severity: 'warning' } as const

const WORKER = workerUrl(import.meta.url, './conformance-worker')

/**
 * Learns once an hour what the venue did in the last day and compares it with what was known before. What differs is an alert with
 * before and after, once, and is what is known from then on. Nothing here throws, and trading waits for nothing here.
 */
export function reviewConformance(parts: ReviewParts): { readonly close: () => void } {
  const { config, now, threads, log, metrics, notify } = parts
  const file = conformanceFile(config().store.path)
  let kept = file.read()
  if (kept === null && file.exists())
    log.warn(
      { event: 'conformance' },
      'conformance.json beside the store is not what mizani writes: what the venue does is learned anew',
    )
  let isClosed = false
  // A counter that begins with its first alert has no increase that a rule could see.
  metrics.alerts.inc(LABELS, 0)

  async function learn(): Promise<void> {
    const { core, store } = config()
    const job: ConformanceJob = { store: store.place, position: core.name, from: now() - DAY_MS }
    const learned = await threads.run<Profile>(WORKER, job)
    if (isClosed) return
    const { next, changes } = judgeConformance(kept, learned, now())
    if (next.problem !== null && next.problem !== kept?.problem)
      log.warn({ event: 'conformance' }, `what the venue does is not known: ${next.problem}`)
    kept = next
    if (changes.length > 0) {
      const text = `the venue behaves differently than before: ${changes.map(changeText).join('; ')}`
      metrics.alerts.inc(LABELS)
      log.warn({ event: 'alert', ...LABELS }, text)
      notify(raisedNotice(now(), 'conformance', text))
    }
    await keepReview(file, next, log)
  }

  const timer = repeatReview(learn, parts, kept?.at ?? null)
  return {
    close() {
      isClosed = true
      timer.stop()
    },
  }
}

/** What a day of the venue changes of what is known of it; a day that cannot be read changes nothing. */
export function judgeConformance(
  before: KeptProfile | null,
  learned: Result<Profile, string>,
  now: Ms,
): { readonly next: KeptProfile; readonly changes: readonly Change[] } {
  const known = before?.known ?? null
  if (!learned.ok) return { next: { at: now, known, problem: learned.error }, changes: [] }
  const next = known === null ? learned.value : withLearned(known, learned.value)
  const changes = known === null ? [] : changesBetween(known, learned.value)
  return { next: { at: now, known: next, problem: null }, changes }
}
