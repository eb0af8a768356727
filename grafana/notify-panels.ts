import { CHOSEN as P, UNITS, type PanelPlan } from './panel-plan.ts'

/** Whether people hear of what happens; empty where nobody is told. */
export function notifyPanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'chart',
      title: 'Messages to people per hour',
      description: 'By channel and outcome. Anything but sent: the channel or the section notify is wrong.',
      unit: UNITS.count,
      width: 12,
      queries: [
        {
          expr: `sum by (position, channel, outcome) (increase(mizani_notifications_total{${P}}[1h])) > 0`,
          legend: '{{position}} {{channel}} {{outcome}}',
        },
      ],
    },
    {
      kind: 'chart',
      title: 'Messages that nobody was told yet',
      description: 'What is held back for a summary included. Above 0 for long: the channel takes nothing.',
      unit: UNITS.count,
      width: 12,
      queries: [{ expr: `mizani_notifications_pending{${P}}`, legend: '{{position}} {{channel}}' }],
    },
  ]
}
