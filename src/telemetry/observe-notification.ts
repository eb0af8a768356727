import type { NotifyMetrics } from './notify-metrics.ts'

/** Messages to one channel that met one outcome. */
export function observeNotification(
  metrics: NotifyMetrics,
  channel: string,
  outcome: string,
  messages: number,
): void {
  metrics.notifications.inc({ channel, outcome }, messages)
}
