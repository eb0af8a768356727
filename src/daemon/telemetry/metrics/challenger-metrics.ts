import { Gauge, type Registry } from 'prom-client'
import type { PositionView } from '../../view/position-view.ts'
import { absentGauge, setOrClear, setOrRemove } from './optional-gauge.ts'

export type ChallengerMetrics = {
  readonly challengerDifferenceUsd: Gauge<'bound'>
  readonly challengerDays: Gauge
  readonly challengerSuspended: Gauge
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
  }
}

export function setChallenger(
  metrics: ChallengerMetrics,
  { challenger }: Pick<PositionView, 'challenger'>,
): void {
  const difference = challenger?.compared?.difference ?? null
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
}
