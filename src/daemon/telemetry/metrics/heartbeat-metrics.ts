import { Counter, Registry } from 'prom-client'

/** The outcome of a due heartbeat. */
const HEARTBEAT_OUTCOMES = ['taken', 'refused', 'withheld'] as const

/** Metrics of the process, without the label `position`. */
export type HeartbeatMetrics = {
  readonly registry: Registry
  readonly heartbeats: Counter<'outcome'>
}

export function createHeartbeatMetrics(): HeartbeatMetrics {
  const registry = new Registry()
  const heartbeats = new Counter({
    name: 'mizani_heartbeats_total',
    help: 'Heartbeats to the outside dead-man service (alert.heartbeatUrl) by outcome: taken; refused (no answer, or not a 2xx one); withheld (a position did not vouch). Stays at zero without a service.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of HEARTBEAT_OUTCOMES) heartbeats.inc({ outcome }, 0)
  return { registry, heartbeats }
}
