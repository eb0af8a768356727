import { BAD, GOOD, WATCH } from './colours.ts'
import { CHOSEN as P, UNITS, type PanelPlan } from './panel-plan.ts'

const FAILED = 'outcome=~"auth|rate-limit|server|timeout|network|malformed|unknown"'

/** Does the venue answer? */
export function venueAnswers(): readonly PanelPlan[] {
  return [
    {
      kind: 'stat',
      title: 'Requests without a proper answer',
      description: 'Of the last five minutes. Above a quarter the venue or the way to it is failing.',
      unit: 'percentunit',
      decimals: 1,
      width: 6,
      queries: [
        {
          expr: `(sum by (position) (rate(mizani_venue_requests_total{${P}, ${FAILED}}[5m])) or sum by (position) (mizani_build_info{${P}}) * 0) / sum by (position) (rate(mizani_venue_requests_total{${P}}[5m]))`,
          legend: '{{position}}',
        },
      ],
      colours: [
        { from: null, colour: GOOD },
        { from: 0.05, colour: WATCH },
        { from: 0.25, colour: BAD },
      ],
    },
    {
      kind: 'stat',
      title: 'Budget left',
      description: 'Requests that the sliding minute still allows. Small by design, not 0 for long.',
      unit: UNITS.count,
      width: 6,
      queries: [{ expr: `mizani_request_budget_remaining{${P}}`, legend: '{{position}}' }],
      colours: [
        { from: null, colour: BAD },
        { from: 1, colour: GOOD },
      ],
    },
    {
      kind: 'stat',
      title: 'In the market',
      description:
        'Whether the venue has the position active. In self-custody the capital stays in the wallet.',
      width: 6,
      queries: [{ expr: `mizani_active{${P}}`, legend: '{{position}}' }],
      words: { '0': ['in the wallet', WATCH], '1': ['active', GOOD] },
    },
    {
      kind: 'stat',
      title: 'Clocks apart',
      description: "The venue's and the chain's clock against this machine's.",
      unit: 's',
      width: 6,
      queries: [{ expr: `mizani_clock_offset_seconds{${P}}`, legend: '{{position}} {{clock}}' }],
      colours: [
        { from: null, colour: GOOD },
        { from: 2, colour: WATCH },
        { from: 5, colour: BAD },
      ],
    },
  ]
}

export function venuePanels(): readonly PanelPlan[] {
  const seconds = `sum by (position, le) (rate(mizani_venue_request_seconds_bucket{${P}}[$__rate_interval]))`
  return [
    {
      kind: 'stat',
      title: 'How this venue does things',
      description: 'What its answers have shown; `mizani conformance` has the answers.',
      width: 24,
      queries: [{ expr: `mizani_venue_capability{${P}}`, legend: '{{position}} {{capability}}: {{value}}' }],
      showName: true,
    },
    {
      kind: 'chart',
      title: 'Requests per minute by route',
      description: 'Together with the public rate, which costs nothing of the budget.',
      unit: UNITS.count,
      width: 12,
      stacked: true,
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
      description:
        'unknown: a change that may or may not have happened; it is read back first of all. Rows of fills that were set aside are beside them.',
      unit: UNITS.count,
      width: 12,
      queries: [
        {
          expr: `60 * sum by (position, outcome) (rate(mizani_venue_requests_total{${P}, outcome!="ok"}[$__rate_interval]))`,
          legend: '{{position}} {{outcome}}',
        },
        {
          expr: `60 * sum by (position) (rate(mizani_fill_rows_quarantined_total{${P}}[$__rate_interval]))`,
          legend: '{{position}} fill rows set aside',
        },
      ],
    },
    {
      kind: 'chart',
      title: 'Time to answer',
      description: 'Of all routes; activations take long by nature.',
      unit: 's',
      width: 12,
      queries: [
        { expr: `histogram_quantile(0.5, ${seconds})`, legend: '{{position}} half of them' },
        { expr: `histogram_quantile(0.99, ${seconds})`, legend: '{{position}} 99 of 100' },
      ],
    },
    {
      kind: 'chart',
      title: 'Budget over time',
      description: 'At 0 for long: a change that makes the position safer has to wait.',
      unit: UNITS.count,
      width: 12,
      queries: [{ expr: `mizani_request_budget_remaining{${P}}`, legend: '{{position}}' }],
    },
    {
      kind: 'chart',
      title: 'Age of the mid over time',
      description:
        'A saw: each publication brings it back to 0. A long flank is a publication that was missed.',
      unit: 's',
      width: 12,
      queries: [{ expr: `mizani_mid_age_seconds{${P}}`, legend: '{{position}} mid' }],
    },
    {
      kind: 'chart',
      title: 'Clocks apart over time',
      description: 'A slope is a clock that drifts; a step is one that was set.',
      unit: 's',
      width: 12,
      queries: [{ expr: `mizani_clock_offset_seconds{${P}}`, legend: '{{position}} {{clock}}' }],
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
      title: 'Room for the store',
      description: 'Of the file system. Without room nothing can be journalled, and nothing is decided.',
      unit: 'bytes',
      width: 6,
      queries: [{ expr: `mizani_store_free_bytes{${P}}`, legend: '{{position}}' }],
    },
    {
      kind: 'chart',
      title: 'Memory of the process',
      description:
        'All positions of the process together; flat after the first hour. Growth: the slope of four hours.',
      unit: 'bytes',
      width: 6,
      queries: [
        { expr: 'process_resident_memory_bytes', legend: '{{instance}}' },
        { expr: 'mizani_memory_growth_bytes_per_hour', legend: '{{instance}} growth an hour' },
      ],
    },
    {
      kind: 'chart',
      title: 'Tape',
      description:
        'Rows per minute where record.path is set. Recording: 1, or 0 after a failure; trading continues without.',
      unit: UNITS.count,
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
