import { Gauge, type Registry } from 'prom-client'
import type { PositionView } from '../../view/position-view.ts'
import { absentGauge, setOrClear, setOrRemove } from './optional-gauge.ts'

export type ChallengerMetrics = {
  readonly challengerDifferenceUsd: Gauge<'bound'>
  readonly challengerDays: Gauge
  readonly challengerSuspended: Gauge
  readonly shadowFills: Gauge<'strategy'>
  readonly shadowEdgeUsd: Gauge<'strategy'>
  readonly shadowQuoteBps: Gauge<'strategy' | 'side'>
}

/** A second strategy in the shadow beside the first, over one recording. */
export function challengerMetrics(registry: Registry): ChallengerMetrics {
  const registers = [registry]
  return {
    challengerDifferenceUsd: new Gauge({
      name: 'mizani_challenger_difference_usd',
      help: 'PnL less holding of a day, challenger less champion, in dollars, by bound: value is the mean, low and high are one standard error away. Absent before two days.',
      labelNames: ['bound'],
      registers,
    }),
    challengerDays: absentGauge(
      registry,
      'mizani_challenger_days',
      'Days that the paired difference rests on. Absent before two days.',
    ),
    challengerSuspended: absentGauge(
      registry,
      'mizani_challenger_suspended',
      '1 = the challenger threw, looped or asked for nothing possible and is no longer asked, 0 = it runs. Absent without a result of `mizani challenger`.',
    ),
    shadowFills: new Gauge({
      name: 'mizani_shadow_fills',
      help: 'Fills in the simulated venue since the challenger began, by strategy: champion, challenger.',
      labelNames: ['strategy'],
      registers,
    }),
    shadowEdgeUsd: new Gauge({
      name: 'mizani_shadow_edge_usd',
      help: 'What fills earned against the fair value in the simulated venue since the challenger began, in dollars, by strategy: champion, challenger.',
      labelNames: ['strategy'],
      registers,
    }),
    shadowQuoteBps: new Gauge({
      name: 'mizani_shadow_quote_bps',
      help: 'The last quote that stood in the simulated venue, in basis points, by strategy and side. Absent where the side is off.',
      labelNames: ['strategy', 'side'],
      registers,
    }),
  }
}

export function setChallenger(
  metrics: ChallengerMetrics,
  { challenger }: Pick<PositionView, 'challenger'>,
): void {
  const compared = challenger?.compared ?? null
  const difference = compared?.difference ?? null
  const isKnown = challenger !== null && challenger.since !== null
  setOrClear(metrics.challengerSuspended, isKnown ? Number(challenger.suspended !== null) : null)
  setOrClear(metrics.challengerDays, difference?.days ?? null)
  const away = { low: -1, value: 0, high: 1 } as const
  for (const bound of ['low', 'value', 'high'] as const)
    setOrRemove(
      metrics.challengerDifferenceUsd,
      { bound },
      difference === null ? null : difference.meanUsd + away[bound] * difference.seUsd,
    )
  for (const strategy of ['champion', 'challenger'] as const) {
    const run = compared?.[strategy] ?? null
    setOrRemove(metrics.shadowFills, { strategy }, run?.fills ?? null)
    setOrRemove(metrics.shadowEdgeUsd, { strategy }, run?.edgeUsd ?? null)
    setOrRemove(metrics.shadowQuoteBps, { strategy, side: 'bid' }, run?.quote?.bidBps ?? null)
    setOrRemove(metrics.shadowQuoteBps, { strategy, side: 'ask' }, run?.quote?.askBps ?? null)
  }
}
