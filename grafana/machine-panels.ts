import { CHOSEN as P, type PanelPlan } from './panel-plan.ts'

export function venuePanels(): readonly PanelPlan[] {
  const seconds = `sum by (position, le) (rate(mizani_venue_request_seconds_bucket{${P}}[$__rate_interval]))`
  return [
    {
      kind: 'chart',
      title: 'Requests per minute by route',
      description: 'Together with the public rate, which costs nothing of the budget.',
      unit: 'none',
      width: 6,
      queries: [
        {
          expr: `60 * sum by (position, route) (rate(mizani_venue_requests_total{${P}}[$__rate_interval]))`,
          legend: '{{position}} {{route}}',
        },
      ],
    },
    {
      kind: 'chart',
      title: 'Requests that did not succeed, per minute',
      description: 'unknown: a change that may or may not have happened; it is read back first of all.',
      unit: 'none',
      width: 6,
      queries: [
        {
          expr: `60 * sum by (position, outcome) (rate(mizani_venue_requests_total{${P}, outcome!="ok"}[$__rate_interval]))`,
          legend: '{{position}} {{outcome}}',
        },
      ],
    },
    {
      kind: 'chart',
      title: 'Time to answer',
      description: 'Of all routes; activations take long by nature.',
      unit: 's',
      width: 6,
      queries: [
        { expr: `histogram_quantile(0.5, ${seconds})`, legend: '{{position}} half of them' },
        { expr: `histogram_quantile(0.99, ${seconds})`, legend: '{{position}} 99 of 100' },
      ],
    },
    {
      kind: 'chart',
      title: 'Budget left',
      description:
        'Requests that the sliding minute still allows. At 0 for long: safety writes have to wait.',
      unit: 'none',
      width: 6,
      queries: [{ expr: `mizani_request_budget_remaining{${P}}`, legend: '{{position}}' }],
    },
  ]
}

export function corePanels(): readonly PanelPlan[] {
  const seconds = `sum by (position, le) (rate(mizani_decision_seconds_bucket{${P}}[$__rate_interval]))`
  return [
    {
      kind: 'chart',
      title: 'Time to decide',
      description:
        'From an event to its effects. Microseconds; milliseconds mean a strategy that computes too much.',
      unit: 's',
      width: 6,
      queries: [
        { expr: `histogram_quantile(0.5, ${seconds})`, legend: '{{position}} half of them' },
        { expr: `histogram_quantile(0.99, ${seconds})`, legend: '{{position}} 99 of 100' },
      ],
    },
    {
      kind: 'chart',
      title: 'Refusals of risk per hour',
      description: 'By rule: what the strategy or a person wanted and did not get.',
      unit: 'none',
      width: 6,
      queries: [
        {
          expr: `3600 * sum by (position, rule) (rate(mizani_risk_refusals_total{${P}}[$__rate_interval])) > 0`,
          legend: '{{position}} {{rule}}',
        },
      ],
    },
    {
      kind: 'chart',
      title: 'Memory of the process',
      description: 'All positions of the process together; flat after the first hour.',
      unit: 'bytes',
      width: 6,
      queries: [{ expr: 'process_resident_memory_bytes', legend: '{{instance}}' }],
    },
    {
      kind: 'chart',
      title: 'Tape',
      description:
        'Rows per minute where record.path is set. Recording: 1, or 0 after a failure; trading goes on without.',
      unit: 'none',
      width: 6,
      queries: [
        {
          expr: `60 * rate(mizani_tape_rows_total{${P}}[$__rate_interval]) and on (position) mizani_tape_recording{${P}}`,
          legend: '{{position}} rows',
        },
        { expr: `mizani_tape_recording{${P}}`, legend: '{{position}} recording' },
      ],
    },
  ]
}
