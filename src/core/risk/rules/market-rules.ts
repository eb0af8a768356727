import { formatBand, formatRate, isWithinBand, type Rate, type RateBand } from '../../../base/money/rate.ts'
import type { RuleBreach } from '../rule-breach.ts'
import type { ApartInput, MidInput, RiskInput } from '../risk-input.ts'
import type { RiskSettings } from '../risk-settings.ts'

/** A mid that is missing, old, undated, withdrawn, outside its corridor or beyond its step and move limits. */
export function midRules({ mid }: RiskInput, settings: RiskSettings, out: RuleBreach[]): void {
  corridorRule(mid, settings, out)
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
        'the venue marks its rate as not quotable; lifts when it is quotable again',
      ),
    )
  }
  pairRule(mid, out)
  const { pending, ageMs } = mid
  if (pending !== null) pendingRule(mid, pending, settings, out)
  else badFigureRule(mid, out)
  if (settings.maxMidAgeMs !== null && ageMs !== null && ageMs > settings.maxMidAgeMs) {
    out.push(
      safe(
        'mid-age',
        `${settings.maxMidAgeMs} ms`,
        `${ageMs} ms`,
        'the mid is older than risk.maxMidAgeMs; lifts with a new publication',
      ),
    )
  }
}

/** No quote or order is derived from a rate outside the corridor, whatever its source. */
function corridorRule(mid: MidInput, settings: RiskSettings, out: RuleBreach[]): void {
  const corridor = settings.priceCorridor ?? null
  if (corridor === null) return
  const { refusal, inForce, fair } = mid
  const refused = refusal !== null && refusal.rule === 'price-corridor' ? refusal.mid : null
  if (refused !== null && !isWithinBand(corridor, refused))
    return outside("the venue's mid", refused, corridor, out)
  if (inForce !== null && !isWithinBand(corridor, inForce))
    return outside('the mid in force', inForce, corridor, out)
  if (fair !== null && !isWithinBand(corridor, fair)) outside('the fair value', fair, corridor, out)
}

function outside(what: string, rate: Rate, corridor: RateBand, out: RuleBreach[]): void {
  const [limit, actual] = [formatBand(corridor), formatRate(rate)]
  const message = `${what} is outside risk.priceCorridor; lifts when it is inside (the corridor itself changes only with a restart)`
  const bound = { rule: 'price-corridor', limit, actual, message } as const
  out.push({ ...bound, effect: losingSide(rate > corridor.max) })
  out.push({ ...bound, effect: 'safe' })
}

/** A pending mid: the old one is in force here, and the venue prices from the new one. */
function pendingRule(
  mid: MidInput,
  { rule, bps, mid: waiting, why }: NonNullable<MidInput['pending']>,
  settings: RiskSettings,
  out: RuleBreach[],
): void {
  const limits =
    rule === 'mid-step'
      ? `${settings.maxMidStepBps ?? 'off'} bps`
      : `${settings.maxMidMoveBpsPerHour ?? 'off'} bps an hour, ${settings.maxMidMoveBpsPerDay ?? 'off'} a day`
  const byFeed = rule === 'mid-step' ? ', when a feed of another origin has agreed for 10 minutes' : ''
  const name = formatRate(waiting)
  const inForce = mid.inForce === null ? 'none' : formatRate(mid.inForce)
  const message = `${why}; in force is ${inForce}, waiting is ${name}: lifts when it comes back${byFeed}, or by \`resume --accept-mid ${name}\``
  const bound = { rule, limit: limits, actual: `${bps.toFixed(1)} bps`, message }
  out.push({ ...bound, effect: losingSide(bps > 0) })
  out.push({ ...bound, effect: 'safe' })
}

/**
 * The venue prices from its own mid, right or wrong. If it is too high, our ask loses shillings; if it is too low,
 * our bid loses dollars. The other side of a wrong mid costs only the taker.
 */
function losingSide(isHigh: boolean): 'ask-off' | 'bid-off' {
  return isHigh ? 'ask-off' : 'bid-off'
}

/** One quote serves every pair, so that a pair with a mid over a bound is bound like the mid in force. */
function pairRule({ refusedPair }: MidInput, out: RuleBreach[]): void {
  if (refusedPair === null) return
  const { stable, mid, breach } = refusedPair
  const { kind, bps, why } = breach
  const rule = kind === 'corridor' ? 'price-corridor' : kind === 'move' ? 'mid-move' : 'mid-step'
  const by = kind === 'corridor' ? '' : `, or by \`resume --accept-mid ${formatRate(mid)}\``
  const message = `fills of ${stable} execute at a mid over its bounds: ${why}; lifts when it comes back${by}`
  const bound = { rule, limit: 'the bounds of the mid', actual: `${bps.toFixed(1)} bps`, message } as const
  out.push({ ...bound, effect: losingSide(bps > 0) })
  out.push({ ...bound, effect: 'safe' })
}

function badFigureRule({ problem, refusal, everDated }: MidInput, out: RuleBreach[]): void {
  if (problem === null || refusal?.rule === 'price-corridor') return
  // A snapshot of version 0.1.0 has the sentence alone.
  const fallback = everDated && problem.includes('dating') ? 'mid-undated' : 'mid-invalid'
  const rule = refusal?.rule ?? fallback
  const limit = rule === 'venue-clock' ? 'one time' : 'a good mid'
  out.push(safe(rule, limit, problem, `${problem}; lifts with the next good rate`))
}

function safe(rule: RuleBreach['rule'], limit: string, actual: string, message: string): RuleBreach {
  return { rule, effect: 'safe', limit, actual, message }
}

/**
 * The venue's mid against independent feeds: further apart than the bound, one of them is wrong, and the daemon
 * cannot tell which. The mid is then treated like one that stepped over its bound. Feeds that are that far from
 * each other confirm nothing either.
 */
export function feedRules({ feeds, mid }: RiskInput, settings: RiskSettings, out: RuleBreach[]): void {
  const bound = settings.maxReferenceDeviationBps ?? null
  if (bound === null) return
  const limit = `${bound} bps`
  for (const pair of mid.apart) if (Math.abs(pair.bps) > bound) out.push(apartBreach(pair, limit))
  if (feeds === null) return
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
  // As with a step: a mid that is too high loses shillings on the ask, one too low dollars on the bid.
  const effect = deviationBps > 0 ? 'ask-off' : 'bid-off'
  out.push({ rule: 'reference-deviation', effect, limit, actual, message })
  out.push({ rule: 'reference-deviation', effect: 'safe', limit, actual, message })
}

/** GET /rate is a source like any other: it may be the wrong one, so that no side is known to lose. */
function apartBreach({ stable, mid, rate, bps }: ApartInput, limit: string): RuleBreach {
  return {
    rule: 'reference-deviation',
    effect: 'safe',
    limit,
    actual: `${bps.toFixed(1)} bps`,
    message: `fills of ${stable} execute at the public rate's mid of ${formatRate(mid)}, which is further from GET /rate (${formatRate(rate)}) than risk.maxReferenceDeviationBps; lifts when they are closer`,
  }
}
