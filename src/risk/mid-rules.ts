import type { Finding } from './finding.ts'
import type { RiskInput } from './risk-input.ts'
import type { RiskSettings } from './risk-settings.ts'

/** A mid that is missing, old, undated, withdrawn, or has jumped: no new quote is derived from it. */
export function midRules({ mid }: RiskInput, settings: RiskSettings, out: Finding[]): void {
  if (!mid.present) {
    out.push(safe('mid-missing', 'a mid', 'none', 'the venue has not sent a usable mid yet'))
    return
  }
  if (mid.quotable === false) {
    out.push(
      safe(
        'not-quotable',
        'quotable',
        'false',
        'the venue says its rate is not quotable; lifts when it is again',
      ),
    )
  }
  if (mid.pendingStepBps !== null) {
    out.push({
      rule: 'mid-step',
      // The venue prices from the new figure whatever we think of it. Were it wrong and high, our ask
      // would give shillings away; wrong and low, our bid would give dollars away. The other side of a
      // wrong mid hurts only the taker.
      effect: mid.pendingStepBps > 0 ? 'ask-off' : 'bid-off',
      limit: `${settings.maxMidStepBps ?? 'off'} bps`,
      actual: `${mid.pendingStepBps.toFixed(1)} bps`,
      message:
        'the mid stepped over the bound; lifts when it returns, when a second publication confirms it, or by resume',
    })
    out.push(
      safe(
        'mid-step',
        `${settings.maxMidStepBps ?? 'off'} bps`,
        `${mid.pendingStepBps.toFixed(1)} bps`,
        'the mid stepped over the bound',
      ),
    )
  } else if (mid.problem !== null) {
    const rule = mid.everDated && mid.problem.includes('dating') ? 'mid-undated' : 'mid-invalid'
    out.push(safe(rule, 'a good mid', mid.problem, `${mid.problem}; lifts with the next good rate`))
  }
  if (settings.maxMidAgeMs !== null && mid.ageMs !== null && mid.ageMs > settings.maxMidAgeMs) {
    out.push(
      safe(
        'mid-age',
        `${settings.maxMidAgeMs} ms`,
        `${mid.ageMs} ms`,
        'the mid is older than risk.maxMidAgeMs; lifts with a new publication',
      ),
    )
  }
}

function safe(rule: Finding['rule'], limit: string, actual: string, message: string): Finding {
  return { rule, effect: 'safe', limit, actual, message }
}
