import type { Ms } from '../../../base/time.ts'
import { TREASURY_ALERTS, type TreasuryNoticeCode } from '../../../core/alerts/treasury-alerts.ts'
import type { Notice } from '../../notify/notice.ts'
import type { Log } from '../../telemetry/log/log.ts'
import type { Metrics } from '../../telemetry/metrics/metrics.ts'
import type { TreasuryObservation } from '../../../treasury/model/observation.ts'

export type TellParts = {
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly notify: (notice: Notice) => void
  readonly metrics: Pick<Metrics, 'alerts'>
}

/** Logs an observation of the treasury; alerts are also notified. */
export function reportObservation(parts: TellParts, observation: TreasuryObservation): void {
  const { log } = parts
  switch (observation.type) {
    case 'intentMoved': {
      const { intent, leg, from, to, why } = observation
      return log.info({ event: 'intent', intent, leg, from, to }, `${intent}: ${from} -> ${to}: ${why}`)
    }
    case 'booked':
      // The table treasury_notices has it exactly; the log would repeat it at every reading.
      return
    case 'treasuryAlert':
      return reportAlert(parts, observation.t, observation.code, observation.message)
    case 'answered': {
      const { order, accepted, answer, by } = observation
      return log.info({ event: 'treasury-order', order, accepted, by }, answer)
    }
  }
}

/**
 * Creates the counter of every treasury alert at zero: a counter that first appears with its alert shows no increase to a
 * Prometheus rule. A position without a treasury has no such counters.
 */
export function seedAlertCounters({ alerts }: TellParts['metrics']): void {
  for (const [code, { severity }] of Object.entries(TREASURY_ALERTS)) alerts.inc({ code, severity }, 0)
}

export function reportAlert(
  { log, notify, metrics }: TellParts,
  t: Ms,
  code: TreasuryNoticeCode,
  text: string,
): void {
  const { severity } = TREASURY_ALERTS[code]
  metrics.alerts.inc({ code, severity })
  const level = severity === 'critical' ? 'error' : severity === 'warning' ? 'warn' : 'info'
  log[level]({ event: 'alert', code, severity }, text)
  notify({ t, kind: 'raised', severity, code, text, since: null })
}
