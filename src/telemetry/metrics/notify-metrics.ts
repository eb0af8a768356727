import { Counter, Gauge, Registry } from 'prom-client'

export type NotifyMetrics = {
  readonly notifications: Counter<'channel' | 'outcome'>
  readonly notificationsPending: Gauge<'channel'>
}

/** Whether people hear what they should: the channels are telegram, slack and webhook. */
export function notifyMetrics(registry: Registry): NotifyMetrics {
  const registers = [registry]
  return {
    notifications: new Counter({
      name: 'mizani_notifications_total',
      help: 'Messages to people by channel and outcome: sent; retry (one attempt failed); refused (the channel says no); failed (given up for now); held (comes later as part of a summary); lost (the process ended first). What is refused or failed comes in a summary too.',
      labelNames: ['channel', 'outcome'],
      registers,
    }),
    notificationsPending: new Gauge({
      name: 'mizani_notifications_pending',
      help: 'Messages that nobody has been told yet, those held back for a summary included. Above 0 for long: the channel does not take them.',
      labelNames: ['channel'],
      registers,
    }),
  }
}

/** The metrics of a position's messages, apart from its others: they are counted outside of its thread. */
export function createNotifyMetrics(position: string): NotifyMetrics & { readonly registry: Registry } {
  const registry = new Registry()
  registry.setDefaultLabels({ position })
  return { registry, ...notifyMetrics(registry) }
}
