import { CHOSEN as P, UNITS, type PanelPlan } from './panel-plan.ts'

/** Whether people learn of what happens, and of a daemon that is gone; empty where no one is notified. */
export function notifyPanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'chart',
      title: 'Messages to people per hour',
      description: 'By channel and outcome. Anything but sent: the channel or the section notify is wrong.',
      unit: UNITS.count,
      width: 8,
      queries: [
        {
          expr: `sum by (position, channel, outcome) (increase(mizani_notifications_total{${P}}[1h])) > 0`,
          legend: '{{position}} {{channel}} {{outcome}}',
        },
      ],
    },
    {
      kind: 'chart',
      title: 'Messages that no one was notified yet',
      description: 'What is held back for a summary included. Above 0 for long: the channel takes nothing.',
      unit: UNITS.count,
      width: 8,
      queries: [{ expr: `mizani_notifications_pending{${P}}`, legend: '{{position}} {{channel}}' }],
    },
    {
      kind: 'chart',
      title: 'Heartbeats to the outside service per hour',
      description:
        'Of the process (alert.heartbeatUrl). refused: the service took none; withheld: a position journals nothing.',
      unit: UNITS.count,
      width: 8,
      queries: [
        {
          expr: 'sum by (instance, outcome) (increase(mizani_heartbeats_total[1h])) > 0',
          legend: '{{instance}} {{outcome}}',
        },
      ],
    },
  ]
}
