import { Gauge, type Registry } from 'prom-client'
import type { PositionView } from '../../view/position-view.ts'
import { absentGauge, setOrClear } from './optional-gauge.ts'

const LABELS = ['side', 'measure', 'horizon'] as const
type Label = (typeof LABELS)[number]

export type ScorecardMetrics = {
  readonly scorecardRealised: Gauge<Label>
  readonly scorecardExpected: Gauge<Label | 'bound'>
  readonly scorecardOutside: Gauge
  readonly scorecardAgeSeconds: Gauge
}

/** What the calibration in force expects of the last week, beside what came. */
export function scorecardMetrics(registry: Registry): ScorecardMetrics {
  const registers = [registry]
  return {
    scorecardRealised: new Gauge({
      name: 'mizani_scorecard_realised',
      help: 'What the last week brought, by side (bid, ask, both), measure (fills; edge, markout and informedLoss in basis points; edgeUsd and informedLossUsd in dollars) and horizon. Absent without a calibration, and where nothing came.',
      labelNames: LABELS,
      registers,
    }),
    scorecardExpected: new Gauge({
      name: 'mizani_scorecard_expected',
      help: 'What the calibration in force expects of the last week, with the 90 % band, by bound: low, value, high. Absent without a calibration.',
      labelNames: [...LABELS, 'bound'],
      registers,
    }),
    scorecardOutside: absentGauge(
      registry,
      'mizani_scorecard_outside',
      'Measures of the last week that lie outside of their 90 % band; of ten about one does by chance. Absent without a result of `mizani scorecard --every`.',
    ),
    scorecardAgeSeconds: absentGauge(
      registry,
      'mizani_scorecard_age_seconds',
      'Time since `mizani scorecard --every` last compared the last week with the calibration. Absent without a result.',
    ),
  }
}

export function setScorecard(
  metrics: ScorecardMetrics,
  { scorecard, now }: Pick<PositionView, 'scorecard' | 'now'>,
): void {
  const card = scorecard?.card ?? null
  metrics.scorecardRealised.reset()
  metrics.scorecardExpected.reset()
  setOrClear(metrics.scorecardOutside, card === null ? null : card.outside.length)
  const at = scorecard?.at ?? null
  setOrClear(metrics.scorecardAgeSeconds, at === null ? null : (now - at) / 1_000)
  if (card === null) return
  for (const side of ['both', 'bid', 'ask'] as const)
    for (const { name, horizon, realised, expected } of card[side].measures) {
      const labels = { side, measure: name, horizon: horizon ?? '' }
      if (realised !== null) metrics.scorecardRealised.set(labels, realised)
      for (const bound of ['low', 'value', 'high'] as const)
        metrics.scorecardExpected.set({ ...labels, bound }, expected[bound])
    }
}
