import { Counter, Gauge, Registry } from 'prom-client'
import type { PositionRegistry } from './exposition.ts'
import { absentGauge } from './optional-gauge.ts'
import { raisedCodes } from '../../../core/alerts/core-alerts.ts'

export type HostMetrics = {
  readonly alerts: Counter<'severity' | 'code'>
  readonly reloads: Counter<'outcome'>
  readonly clockOffsetSeconds: Gauge<'clock'>
  readonly storeFreeBytes: Gauge
}

const RELOAD_OUTCOMES = ['taken', 'refused'] as const

/** What a position says of itself and of the machine that it runs on. */
export function hostMetrics(registry: Registry): HostMetrics {
  const registers = [registry]
  const alerts = new Counter({
    name: 'mizani_alerts_total',
    help: 'Alerts that the position itself raised since this process started, by severity (warning, critical) and code; docs/runbook.md has every code.',
    labelNames: ['severity', 'code'],
    registers,
  })
  for (const [code, severities] of raisedCodes()) {
    for (const severity of severities) alerts.inc({ severity, code }, 0)
  }
  const reloads = new Counter({
    name: 'mizani_reloads_total',
    help: 'Reloads of the configuration by outcome: adopted completely, or refused with the old one kept.',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of RELOAD_OUTCOMES) reloads.inc({ outcome }, 0)
  return {
    alerts,
    reloads,
    clockOffsetSeconds: new Gauge({
      name: 'mizani_clock_offset_seconds',
      help: "Another clock minus this machine's: the venue's by the Date of its answers, the chain's by its newest block where that is ahead of the reading. Absent while not measured.",
      labelNames: ['clock'],
      registers,
    }),
    storeFreeBytes: absentGauge(
      registry,
      'mizani_store_free_bytes',
      "Room left for this user on the file system of the position's store. Absent where the system does not report it.",
    ),
  }
}

export type TapeMetrics = {
  readonly tapeRows: Counter
  readonly tapeRecording: Gauge
}

/** Whether a tape is written, and how fast. */
export function tapeMetrics(registry: Registry): TapeMetrics {
  return {
    tapeRows: new Counter({
      name: 'mizani_tape_rows_total',
      help: 'Rows written to the tape. Stays at zero without a recording.',
      registers: [registry],
    }),
    tapeRecording: absentGauge(
      registry,
      'mizani_tape_recording',
      '1 = a tape is being written, 0 = writing failed and the recording has stopped. Absent where record.path is not set.',
    ),
  }
}

export type NotifyMetrics = {
  readonly notifications: Counter<'channel' | 'outcome'>
  readonly notificationsPending: Gauge<'channel'>
}

/** Whether people receive what they should: the channels are telegram, slack and webhook. */
export function notifyMetrics(registry: Registry): NotifyMetrics {
  const registers = [registry]
  return {
    notifications: new Counter({
      name: 'mizani_notifications_total',
      help: 'Notifications by channel and outcome: sent; retry (one attempt failed); refused (the channel rejected it); failed (given up for now); held (sent later in a digest); lost (the process ended first). Refused and failed messages are sent in a digest too.',
      labelNames: ['channel', 'outcome'],
      registers,
    }),
    notificationsPending: new Gauge({
      name: 'mizani_notifications_pending',
      help: 'Notifications not yet delivered, including those held for a digest. Above 0 for long: the channel does not accept them.',
      labelNames: ['channel'],
      registers,
    }),
  }
}

/** The metrics of a position's messages, apart from its others: they are counted outside of its thread. */
export function createNotifyMetrics(position: string): NotifyMetrics & PositionRegistry {
  const registry = new Registry()
  return { registry, position, ...notifyMetrics(registry) }
}
