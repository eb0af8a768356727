import { countText, decimalText, floatText } from '../../base/text/numbers.ts'
import { ageText } from '../../base/text/times.ts'
import type { JudgementView } from './market-view.ts'
import type { PositionView, WithdrawalView } from './position-view.ts'

/** Returns a note about the mid that fills execute at. `sinceMs`: the age of the view. */
export function executionNotes(
  { isStated, keptAgeMs, apart }: PositionView['execution'],
  sinceMs = 0,
): readonly string[] {
  if (!isStated) return ['the mid of fills is not stated: the published rate is used']
  return [
    ...(keptAgeMs == null
      ? []
      : [`the public rate fails: its mid of ${ageText(keptAgeMs + sinceMs)} ago is used`]),
    ...apart.map(
      ({ stable, mid, rate, deviationBps }) =>
        `${stable} fills at ${decimalText(mid, 2)}, ${Math.abs(deviationBps).toFixed(1)} bps ${deviationBps < 0 ? 'below' : 'above'} the published ${decimalText(rate, 2)}`,
    ),
  ]
}

/**
 * Whether a pooled position is proven to be out of the market without being halted: it trades nothing, whatever the trading state.
 * While a deactivation has not ended, an inactive account proves nothing.
 */
export function isOut({
  live,
  leaving,
  tradingState,
  mode,
}: Pick<PositionView, 'live' | 'tradingState' | 'mode'> & { readonly leaving: object | null }): boolean {
  const isInactive = live.isActive === false && live.openOrders === null && leaving === null
  return isInactive && tradingState !== 'HALTED' && mode === 'live'
}

/** Returns the word for the state of a position: INACTIVE if it would trade, but is and stays out of the market. */
export function stateWord(view: PositionView): string {
  const { live, tradingState, missing } = view
  const isLeftOut = tradingState === 'ACTIVE' && missing === null && isOut(view)
  return live.banner ?? (isLeftOut ? 'INACTIVE' : tradingState)
}

/** Returns what a withdrawal waits for, or its outcome. */
export function withdrawalStage({ stage, approvedBy, sendAt, heldAt }: WithdrawalView, now: number): string {
  if (heldAt !== null) return 'held since a halt until another approval'
  if (stage === 'waiting') return 'waits for another person to approve it'
  if (stage === 'sent') return 'sent, no answer yet'
  if (stage === 'unknown') return 'sent, and its outcome is unknown: the balances will show it'
  const left = sendAt === null || sendAt <= now ? 'now' : `in ${ageText(sendAt - now)}`
  return `approved by ${approvedBy ?? 'no one'}, leaves ${left}`
}

/** Returns the quality of a feed; `venue` is the venue's own mid, which does not count as a source. */
export function feedTone(
  status: PositionView['reference']['feeds'][number]['status'],
): 'good' | 'dim' | 'bad' {
  return status === 'live' ? 'good' : status === 'venue' ? 'dim' : 'bad'
}

/** Above this probability of an offset a feed is shown as biased. */
const BIASED = 0.95

/** Returns what later updates of the mid showed about a feed, in one line. */
export function judgementText(judgement: JudgementView | null): string {
  if (judgement === null) return 'not judged yet'
  const { updates, offsetBps, offsetProbability, isLeftOut } = judgement
  const found = isLeftOut ? ': left out' : offsetProbability > BIASED ? ': biased' : ''
  const [value, low, high] = [offsetBps.value, offsetBps.low, offsetBps.high].map((bps) =>
    floatText(bps, 0, 'plus'),
  )
  return `${value} bps off (${low} to ${high}) after ${countText(updates, 'update')}${found}`
}

/** Whether a person should look at the feed: it is biased, or worse than none. */
export function isFeedDoubtful(judgement: JudgementView | null): boolean {
  return judgement !== null && (judgement.isLeftOut || judgement.offsetProbability > BIASED)
}

/** Whether the venue's mid is further from the feeds than `risk.maxReferenceDeviationBps`. */
export function isReferenceFar({ deviationBps, limitBps }: PositionView['reference']): boolean {
  return deviationBps !== null && limitBps !== null && Math.abs(deviationBps) > limitBps
}
