import { formatBand, formatRate, isWithinBand, type Rate, type RateBand } from '../../../base/money/rate.ts'
import { type RuleBreach, safe } from '../rule-breach.ts'
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
    const message = 'the venue marks its rate as not quotable; lifts when it is quotable again'
    out.push(safe('not-quotable', 'quotable', 'false', message))
  }
  pairRule(mid, out)
  const { pending, ageMs } = mid
  if (pending !== null) pendingRule(mid, pending, settings, out)
  else badFigureRule(mid, out)
  if (settings.maxMidAgeMs !== null && ageMs !== null && ageMs > settings.maxMidAgeMs) {
    const end = pending === null ? 'with a new publication' : 'when the mid that waits is adopted'
    const message = `the mid is older than risk.maxMidAgeMs; lifts ${end}`
    out.push(safe('mid-age', `${settings.maxMidAgeMs} ms`, `${ageMs} ms`, message))
  }
}

/** No quote or order is derived from a rate outside the corridor, whatever its source. */
function corridorRule(mid: MidInput, settings: RiskSettings, out: RuleBreach[]): void {
  const corridor = settings.priceCorridor
  if (corridor === null) return
  const { refusal, inForce, fair } = mid
  const refused = refusal !== null && refusal.rule === 'price-corridor' ? refusal.mid : null
  if (refused !== null && !isWithinBand(corridor, refused))
    return outside("the venue's mid", refused, refused > corridor.max, corridor, out)
  if (inForce !== null && !isWithinBand(corridor, inForce))
    return outside('the mid in force', inForce, inForce > corridor.max, corridor, out)
  // The mid is inside: if the fair value is right and above the corridor, the mid is too low.
  if (fair !== null && !isWithinBand(corridor, fair))
    outside('the fair value', fair, fair < corridor.min, corridor, out)
}

function outside(what: string, rate: Rate, isMidHigh: boolean, corridor: RateBand, out: RuleBreach[]): void {
  const [limit, actual] = [formatBand(corridor), formatRate(rate)]
  const message = `${what} is outside risk.priceCorridor; lifts when it is inside (the corridor itself changes only with a restart)`
  pushWithLosingSide(out, isMidHigh, safe('price-corridor', limit, actual, message))
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
  const byFeed = rule === 'mid-step' ? ', when an independent feed has agreed for 10 minutes' : ''
  const name = formatRate(waiting)
  const inForce = mid.inForce === null ? 'none' : formatRate(mid.inForce)
  const message = `${why}; ${inForce} is in force, ${name} is waiting: lifts when it returns${byFeed}, or with \`resume --accept-mid ${name}\``
  pushWithLosingSide(out, bps > 0, safe(rule, limits, `${bps.toFixed(1)} bps`, message))
}

/**
 * Adds a breach that also closes the side that loses. The venue prices from its own mid, right or wrong: if it is too high,
 * our ask loses shillings; if it is too low, our bid loses dollars. The other side costs only the taker.
 */
function pushWithLosingSide(out: RuleBreach[], isHigh: boolean, breach: RuleBreach): void {
  out.push({ ...breach, effect: isHigh ? 'ask-off' : 'bid-off' }, breach)
}

/** One quote serves every pair, so a pair whose mid exceeds a bound is treated like the mid in force. */
function pairRule({ refusedPair }: MidInput, out: RuleBreach[]): void {
  if (refusedPair === null) return
  const { stable, mid, breach } = refusedPair
  const { kind, bps, why } = breach
  const rule = kind === 'corridor' ? 'price-corridor' : kind === 'move' ? 'mid-move' : 'mid-step'
  const by = kind === 'corridor' ? '' : `, or by \`resume --accept-mid ${formatRate(mid)}\``
  const message = `fills of ${stable} execute at a mid over its bounds: ${why}; lifts when it comes back${by}`
  pushWithLosingSide(out, bps > 0, safe(rule, 'the bounds of the mid', `${bps.toFixed(1)} bps`, message))
}

function badFigureRule({ problem, refusal }: MidInput, out: RuleBreach[]): void {
  if (problem === null || refusal?.rule === 'price-corridor') return
  const rule = refusal?.rule ?? 'mid-invalid'
  const limit = rule === 'venue-clock' ? 'one time' : 'a good mid'
  out.push(safe(rule, limit, problem, `${problem}; lifts with the next good rate`))
}

/**
 * Compares the venue's mid with independent feeds: if they differ by more than the bound, one of them is wrong, and the daemon
 * cannot tell which. The mid is then treated like one that stepped over its bound. Feeds that far from each other do not
 * confirm anything either.
 */
export function feedRules({ feeds, mid }: RiskInput, settings: RiskSettings, out: RuleBreach[]): void {
  const bound = settings.maxReferenceDeviationBps
  if (bound === null) return
  const limit = `${bound} bps`
  for (const pair of mid.apart) if (Math.abs(pair.bps) > bound) out.push(apartBreach(pair, limit))
  if (feeds === null) return
  if (feeds.errorBps * 2 > bound) {
    const actual = `${feeds.rangeBps.toFixed(1)} bps between the feeds`
    const message = `the ${feeds.live} live feeds contradict each other by more than risk.maxReferenceDeviationBps; lifts when they agree or the wrong one is removed`
    out.push(safe('reference-deviation', limit, actual, message))
  }
  const { deviationBps } = feeds
  if (deviationBps === null || Math.abs(deviationBps) <= bound) return
  const message =
    'the venue’s mid is further from the reference feeds than risk.maxReferenceDeviationBps; lifts when they agree again'
  const breach = safe('reference-deviation', limit, `${deviationBps.toFixed(1)} bps`, message)
  pushWithLosingSide(out, deviationBps > 0, breach)
}

/** GET /rate may be the wrong source, so no side is known to lose. */
function apartBreach({ stable, mid, rate, bps }: ApartInput, limit: string): RuleBreach {
  const message = `fills of ${stable} execute at the public rate's mid of ${formatRate(mid)}, which is further from the published rate (${formatRate(rate)}) than risk.maxReferenceDeviationBps; lifts when they are closer`
  return safe('reference-deviation', limit, `${bps.toFixed(1)} bps`, message)
}
