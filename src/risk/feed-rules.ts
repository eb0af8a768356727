import type { Finding } from './finding.ts'
import type { RiskInput } from './risk-input.ts'
import type { RiskSettings } from './risk-settings.ts'

/**
 * The venue's mid against what independent feeds say: further apart than the bound, one of them is wrong, and
 * nobody here can tell which. It is treated like a mid that stepped over its bound. Feeds of which half are
 * that far from the other half can confirm nothing either.
 */
export function feedRules({ feeds }: RiskInput, settings: RiskSettings, out: Finding[]): void {
  const bound = settings.maxReferenceDeviationBps ?? null
  if (feeds === null || bound === null) return
  const limit = `${bound} bps`
  if (feeds.errorBps * 2 > bound) {
    out.push({
      rule: 'reference-deviation',
      effect: 'safe',
      limit,
      actual: `${feeds.rangeBps.toFixed(1)} bps between the feeds`,
      message: `the ${feeds.live} live feeds contradict each other by more than risk.maxReferenceDeviationBps; lifts when they agree or the wrong one is removed`,
    })
  }
  const { deviationBps } = feeds
  if (deviationBps === null || Math.abs(deviationBps) <= bound) return
  const [actual, message] = [
    `${deviationBps.toFixed(1)} bps`,
    'the venue’s mid is further from the reference feeds than risk.maxReferenceDeviationBps; lifts when they agree again',
  ]
  // As with a step: a mid that is wrong and high gives shillings away on the ask, one too low dollars on the bid.
  const effect = deviationBps > 0 ? 'ask-off' : 'bid-off'
  out.push({ rule: 'reference-deviation', effect, limit, actual, message })
  out.push({ rule: 'reference-deviation', effect: 'safe', limit, actual, message })
}
