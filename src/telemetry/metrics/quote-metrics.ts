import { Counter, Gauge, type Registry } from 'prom-client'
import { absentGauge } from './optional-gauge.ts'
import { REQUOTE_REASONS } from './metric-labels.ts'

export type QuoteMetrics = {
  readonly quoteBps: Gauge<'side'>
  readonly quoteOn: Gauge<'side'>
  readonly active: Gauge
  readonly requotes: Counter<'reason'>
  readonly midTzs: Gauge
  readonly midAgeSeconds: Gauge
  readonly bestCompetitorBps: Gauge<'side'>
}

/** What we quote, and the mid and the competition it is quoted against. */
export function quoteMetrics(registry: Registry): QuoteMetrics {
  const registers = [registry]
  const requotes = new Counter({
    name: 'mizani_requotes_total',
    help: 'Spreads sent to the venue, by why: first, repair (what stands was not known or not ours), safety, side (one turned on or off), threshold (the target moved far enough), pairs.',
    labelNames: ['reason'],
    registers,
  })
  for (const reason of REQUOTE_REASONS) requotes.inc({ reason }, 0)
  return {
    requotes,
    quoteBps: new Gauge({
      name: 'mizani_quote_bps',
      help: 'Spread that the venue holds for us on a side, in basis points of its mid. Absent while we do not know what it holds. A side that is off keeps its number: see mizani_quote_on.',
      labelNames: ['side'],
      registers,
    }),
    quoteOn: new Gauge({
      name: 'mizani_quote_on',
      help: '1 = the side is quoted at the venue, 0 = it is off. bid: takers sell shillings to us; ask: takers buy shillings from us. Absent while not known.',
      labelNames: ['side'],
      registers,
    }),
    active: absentGauge(
      registry,
      'mizani_active',
      '1 = the position is in the market at the venue, 0 = its capital is in the wallet, as in self-custody. Absent while not known.',
    ),
    midTzs: absentGauge(
      registry,
      'mizani_mid_tzs',
      "The venue's mid, TZS per USD. Absent before the first good one.",
    ),
    midAgeSeconds: absentGauge(
      registry,
      'mizani_mid_age_seconds',
      "Age of the venue's mid by the venue's own clock. Over a weekend it grows by design; absent where the venue does not date its mid.",
    ),
    bestCompetitorBps: new Gauge({
      name: 'mizani_best_competitor_bps',
      help: 'Spread of the provider that the venue would pick now for our probe, in basis points; ours when we are the best. Absent when nobody quotes the side or it was not asked.',
      labelNames: ['side'],
      registers,
    }),
  }
}
