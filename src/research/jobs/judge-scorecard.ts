import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { liftedNotice, type Notice, raisedNotice } from '../../daemon/notify/notice.ts'
import { scorecardSummary } from '../../daemon/view/scorecard-text.ts'
import { cardSchema, type ScorecardView } from '../../daemon/view/scorecard-view.ts'

type JudgedScorecard = {
  readonly next: ScorecardView
  /** Null = no alert was raised or lifted. */
  readonly notice: Notice | null
}

/**
 * Returns the effect of a comparison: the alert is raised once when the first measure leaves its band and lifted when all
 * judged measures are back. A comparison that failed or has no verdict does not change the alert.
 */
export function judgeScorecard(
  before: ScorecardView | null,
  compared: Result<unknown, string>,
  now: Ms,
): JudgedScorecard {
  const read = readCard(compared)
  const since = before?.outsideSince ?? null
  if (!read.ok) {
    const kept = { card: before?.card ?? null, outsideSince: since }
    return { next: { at: now, ...kept, problem: read.error }, notice: null }
  }
  const card = read.value
  const next = (outsideSince: Ms | null) => ({ at: now, card, outsideSince, problem: null })
  if (card.judged === 0) return { next: next(since), notice: null }
  const text = scorecardSummary(card)
  if (card.outside.length === 0)
    return { next: next(null), notice: since === null ? null : liftedNotice(now, 'scorecard', text) }
  return { next: next(since ?? now), notice: since === null ? raisedNotice(now, 'scorecard', text) : null }
}

/** NaN and Infinity do not survive JSON; they would read back as null. */
function readCard(compared: Result<unknown, string>): Result<NonNullable<ScorecardView['card']>, string> {
  if (!compared.ok) return compared
  const parsed = cardSchema.safeParse(compared.value)
  if (parsed.success) return ok(parsed.data)
  const [issue] = parsed.error.issues
  return err(`the scorecard cannot be shown: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}
