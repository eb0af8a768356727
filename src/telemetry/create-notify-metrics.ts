import { Registry } from 'prom-client'
import { notifyMetrics, type NotifyMetrics } from './notify-metrics.ts'

/** The metrics of a position's messages, apart from its others: they are counted outside of its thread. */
export function createNotifyMetrics(position: string): NotifyMetrics & { readonly registry: Registry } {
  const registry = new Registry()
  registry.setDefaultLabels({ position })
  return { registry, ...notifyMetrics(registry) }
}
