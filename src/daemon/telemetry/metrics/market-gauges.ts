import { TRADING_STATES } from './metric-labels.ts'
import { gaugesOf } from './view-gauges.ts'
import type { JudgementView } from '../../view/market-view.ts'
import type { PositionView } from '../../view/position-view.ts'

const { single, labelled } = gaugesOf<PositionView>()

/** Returns a reading for each side. */
function bySide<Reading>(bid: Reading, ask: Reading): readonly (readonly [string, Reading])[] {
  return [
    ['bid', bid],
    ['ask', ask],
  ]
}

/** Returns value and bounds of a figure of each feed. */
function judgedBy(figure: (judgement: JudgementView) => JudgementView['offsetBps']) {
  return ({ reference }: PositionView) =>
    reference.feeds.flatMap(({ name, judgement }) =>
      judgement === null
        ? []
        : (['value', 'low', 'high'] as const).map(
            (bound) => [name, bound, figure(judgement)[bound]] as const,
          ),
    )
}

/** The state of the position, its quote, the mid and the competition. */
export const MARKET_GAUGES = [
  labelled(
    'mizani_trading_state',
    ['state'],
    '1 for the state that holds, 0 for the others: ACTIVE, REDUCING (the safe quote on both sides, or a side closed), HALTED (latched until an operator resumes).',
    ({ tradingState }) => TRADING_STATES.map((state) => [state, state === tradingState]),
  ),
  single(
    'mizani_still_quoted',
    '1 while the position is halted or paused and the venue has not confirmed that quoting stopped; 0 otherwise.',
    ({ live }) => live.banner !== null,
  ),
  single(
    'mizani_guard_absent_seconds',
    'Seconds since the guard lease was lost, or since start if none was granted. 0 while the lease is held. Absent in a dry run.',
    (view) => (view.mode === 'dry-run' ? null : guardAbsentMs(view) / 1_000),
  ),
  labelled(
    'mizani_build_info',
    ['version'],
    'Always 1; the label has the running version.',
    ({ version }) => [[version, 1]],
  ),
  // The figures of an unconfirmed quote are outdated, which is worse than a gap on a chart.
  labelled(
    'mizani_quote_bps',
    ['side'],
    'Spread that the venue holds for us on a side, in basis points of its mid. Absent while the quote is unknown and in a dry run. A side that is off keeps its spread: see mizani_quote_on.',
    ({ quote }) => (quote.status === 'confirmed' ? bySide(quote.bidBps, quote.askBps) : []),
  ),
  labelled(
    'mizani_quote_on',
    ['side'],
    '1 = the side is quoted at the venue, 0 = it is off. bid: takers sell shillings to us; ask: takers buy shillings from us. Absent while not known and in a dry run.',
    ({ quote }) => (quote.status === 'confirmed' ? bySide(quote.quoteBid, quote.quoteAsk) : []),
  ),
  single(
    'mizani_active',
    '1 = the position is in the market at the venue, 0 = its capital is in the wallet, as in self-custody. Absent while not known.',
    ({ isActive }) => isActive,
  ),
  single(
    'mizani_mid_tzs',
    "The venue's mid, TZS per USD. Absent before the first good one.",
    ({ mid }) => mid,
  ),
  single(
    'mizani_mid_age_seconds',
    "Age of the venue's mid by the venue's own clock. Over a weekend it grows by design; absent where the venue does not date its mid.",
    ({ midAgeMs }) => secondsOf(midAgeMs),
  ),
  labelled(
    'mizani_best_competitor_bps',
    ['side'],
    'Spread of the provider that the venue would pick now for our probe, in basis points. Absent when that is our own quote, when no provider quotes the side, or when the probe did not request it.',
    ({ competition: { bid, ask } }) => bySide(rivalBps(bid), rivalBps(ask)),
  ),
  labelled(
    'mizani_execution_mid_deviation_bps',
    ['stable'],
    "How far the public rate's mid of the pair, at which its fills execute, is above GET /rate, in basis points; negative = below. Absent while they agree or the public rate names none.",
    ({ execution }) => execution.apart.map(({ stable, deviationBps }) => [stable, deviationBps]),
  ),
  single(
    'mizani_feeds_live',
    "Live reference feeds. 0 = the venue's mid is the only source.",
    ({ reference }) => reference.feeds.filter(({ status }) => status === 'live').length,
  ),
  labelled(
    'mizani_feed_live',
    ['feed'],
    '1 = the feed is live and counts in the fair value, 0 = it is silent, frozen, implausible, outvoted, not read yet, or of the venue itself.',
    ({ reference }) => reference.feeds.map(({ name, status }) => [name, status === 'live']),
  ),
  labelled(
    'mizani_feed_tzs',
    ['feed'],
    'The last valid value of a feed, TZS per USD. Absent before the first one.',
    ({ reference }) => reference.feeds.map(({ name, mid }) => [name, mid]),
  ),
  labelled(
    'mizani_feed_age_seconds',
    ['feed'],
    'Time since the last valid reading of a feed in the journal; an unchanged value is journalled once a minute. Absent before the first one of this process.',
    ({ reference }) => reference.feeds.map(({ name, ageMs }) => [name, secondsOf(ageMs)]),
  ),
  labelled(
    'mizani_feed_offset_bps',
    ['feed', 'bound'],
    'Constant distance of a feed from the true rate, if there is one, with its 90 % interval: bound is value, low or high. Absent before later updates of the mid judge the feed.',
    judgedBy((judgement) => judgement.offsetBps),
  ),
  labelled(
    'mizani_feed_error_bps',
    ['feed', 'bound'],
    'Standard deviation of the fading error of a feed, as mizani_feed_offset_bps.',
    judgedBy((judgement) => judgement.errorBps),
  ),
  labelled(
    'mizani_feed_delay_days',
    ['feed', 'bound'],
    'Age of the rate that a feed shows, in working days, as mizani_feed_offset_bps.',
    judgedBy((judgement) => judgement.delayDays),
  ),
  labelled(
    'mizani_feed_left_out',
    ['feed'],
    '1 = the estimate of the fair value ignores the feed because it predicts updates of the mid worse than no feed. Absent before it is judged.',
    ({ reference }) => reference.feeds.map(({ name, judgement }) => [name, judgement?.isLeftOut ?? null]),
  ),
  single(
    'mizani_reference_deviation_bps',
    "How far the venue's mid is above the weighted median of the live feeds, in basis points; negative = below. Absent while no feed is live.",
    ({ reference }) => reference.deviationBps,
  ),
  single(
    'mizani_request_budget_remaining',
    "Requests that the key's sliding window still allows now. Small by design: fills and quotes are polled as fast as it allows.",
    ({ budget }) => budget.remaining,
  ),
  labelled(
    'mizani_venue_capability',
    ['capability', 'value'],
    '1 = an answer of the venue has shown that it does this in this way (`mizani conformance` shows the answer). Absent while none has.',
    ({ capabilities }) =>
      capabilities.flatMap(({ name, value }) => (value === null ? [] : [[name, value, 1] as const])),
  ),
]

/** Returns the time since the lease was lost, or since the start if no guard has answered. */
function guardAbsentMs({ guard, now, startedAt }: PositionView): number {
  if (guard?.watch === 'held') return 0
  return Math.max(0, now - Math.max(guard?.since ?? 0, startedAt))
}

/** Our own quote is not a competitor. */
function rivalBps(best: PositionView['competition']['bid']): number | null {
  return best === null || best.isOwn ? null : best.bps
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : ms / 1_000
}
