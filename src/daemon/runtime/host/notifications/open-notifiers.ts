import { join } from 'node:path'
import type { LoadedChannels } from '../../../config/load/channels.ts'
import type { LoadedConfig, LoadedNotify } from '../../../config/load/loaded-config.ts'
import { createNotifier, type ChannelPlan, type Notifier } from '../../../notify/delivery/notifier.ts'
import type { Notice } from '../../../notify/notice.ts'
import type { SeenPosition } from '../../../notify/message/compose-message.ts'
import type { Log } from '../../../telemetry/log/log.ts'
import type { NotifyMetrics } from '../../../telemetry/metrics/metrics.ts'
import { type FailingChannels, notificationLog, openChannels, watchChannels } from './channels.ts'
import { openAlerts, type OpenAlerts } from './open-alerts.ts'

type NotifiersParts = {
  readonly config: Pick<LoadedConfig, 'core' | 'store' | 'alert' | 'file'>
  readonly see: () => Promise<SeenPosition>
  readonly notify: LoadedNotify
  readonly log: Log
  /** Notifies the first audience. */
  readonly tell: (notice: Notice) => void
}

/** The notifiers of one position: the first audience, and each escalation step. */
export type Notifiers = {
  readonly notifier: Notifier
  readonly escalation: readonly Notifier[]
  /** Null = critical alerts are sent only once. */
  readonly alerts: OpenAlerts | null
  readonly failing: FailingChannels
}

/** Next to the journal: the open critical alerts and who acknowledged them. */
const FILE = 'alerts.json'

export function openNotifiers(parts: NotifiersParts, metrics: NotifyMetrics): Notifiers {
  const { config, notify, log } = parts
  const { alert: rules, store } = config
  const failing = watchChannels((notice) => {
    parts.tell(notice)
    for (const step of escalation) step.tell(notice)
  })
  const open = notifierOpener(parts, metrics, failing)
  const notifier = open(openChannels(notify))
  const escalation = rules.escalation.map(({ channels }, index) => {
    const plans = openChannels(asStep(notify, channels))
    return open(plans.map((plan) => ({ ...plan, name: `${plan.name}-${index + 1}` })))
  })
  const alerts = isRepeated(parts)
    ? openAlerts({ rules, path: join(store.path, FILE), everybody: notifier, steps: escalation, log })
    : null
  return { notifier, escalation, alerts, failing }
}

function isRepeated({ config: { alert } }: NotifiersParts): boolean {
  return alert.repeatMs !== null || alert.escalation.length > 0
}

/** Returns a function that opens notifiers; the outcome of their messages is logged, and counted by channel. */
function notifierOpener(
  parts: NotifiersParts,
  metrics: NotifyMetrics,
  failing: FailingChannels,
): (channels: readonly ChannelPlan[]) => Notifier {
  const { config, notify, log, see } = parts
  const { name, mode } = config.core
  const logOutcome = notificationLog(log)
  return (channels) => {
    // Start every counter at 0: a counter that appears with its first failure shows an alert rule no increase.
    for (const { name: channel } of channels)
      for (const outcome of ['sent', 'refused', 'failed']) metrics.notifications.inc({ channel, outcome }, 0)
    return createNotifier({
      position: name,
      mode,
      channels,
      configFile: config.file,
      see,
      linksAlerts: isRepeated(parts),
      ...notify,
      onOutcome(channel, outcome, messages, why) {
        metrics.notifications.inc({ channel, outcome }, messages)
        logOutcome(channel, outcome, messages, why)
        failing.record(channel, outcome, messages, why)
      },
    })
  }
}

/** Returns the settings of an escalation step: its channels accept every severity, and no summary. */
export function asStep(notify: LoadedNotify, { telegram, slack, webhook }: LoadedChannels): LoadedNotify {
  const rules = { minSeverity: 'info', maxPerHour: STEP_PER_HOUR, summary: false } as const
  return {
    ...notify,
    telegram: telegram === null ? null : { ...telegram, ...rules },
    slack: slack === null ? null : { ...slack, ...rules },
    webhook: webhook === null ? null : { ...webhook, ...rules },
  }
}

const STEP_PER_HOUR = 60
