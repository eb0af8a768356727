import { BAD, GOOD, WATCH } from './colours.ts'
import { CHOSEN as P, UNITS, type PanelPlan } from './panel-plan.ts'

const SENDING = { '0': ['sends', GOOD], '1': ['stopped', BAD] } as const
const BACKING = { '0': ['as reported', GOOD], '1': ['in doubt', BAD] } as const
const RESTS = { '0': ['in use', GOOD], '1': ['rests', WATCH] } as const

const from = (value: number, colour: string) => [
  { from: null, colour: GOOD },
  { from: value, colour },
]

/** Empty without a treasury: its metrics have no series then. */
export function treasuryAnswers(): readonly PanelPlan[] {
  const stat = { kind: 'stat', width: 4, decimals: 0 } as const
  const one = (name: string) => [{ expr: `mizani_treasury_${name}{${P}}`, legend: '{{position}}' }]
  return [
    {
      ...stat,
      title: 'Does the treasury send?',
      description: 'Stopped: by a person, or because balances have to be confirmed after a restore.',
      queries: one('stopped'),
      words: SENDING,
    },
    {
      ...stat,
      title: 'Runs dry in',
      description: 'The first token to run out, by the forecast. Empty: none within it.',
      unit: UNITS.seconds,
      queries: [
        {
          expr: `min by (position) (mizani_treasury_runs_dry_seconds{${P}})`,
          legend: '{{position}}',
        },
      ],
      colours: [
        { from: null, colour: BAD },
        { from: 7_200, colour: WATCH },
        { from: 86_400, colour: GOOD },
      ],
    },
    {
      ...stat,
      title: 'Claims',
      description:
        'Intents whose money was sent and is not found. An operator of the venue has to look for it.',
      queries: one('claims_open'),
      colours: from(1, BAD),
    },
    {
      ...stat,
      title: 'Approvals that people owe',
      description: 'Intents that wait until enough people have agreed.',
      queries: one('approvals_waiting'),
      colours: from(1, WATCH),
    },
    {
      ...stat,
      title: 'Late intents',
      description: 'They take longer than 95 of 100 of their kind were expected to take.',
      queries: one('intents_late'),
      colours: from(1, WATCH),
    },
    {
      kind: 'stat',
      width: 4,
      title: 'Residual of the desk',
      description: 'TZS that no term explains. Anything but 0 is a fault of the books.',
      unit: UNITS.tzs,
      queries: one('residual_tzs'),
    },
  ]
}

/** Every unit at its place. */
export function treasuryPlaces(): readonly PanelPlan[] {
  const chart = { kind: 'chart', unit: UNITS.count } as const
  const ofToken = (name: string, what: string) => ({
    expr: `mizani_treasury_${name}{${P}}`,
    legend: `{{position}} ${what} {{token}}`,
  })
  return [
    {
      ...chart,
      title: 'On hand by place',
      description: 'Whole tokens as they were read. A gap is a place that could not be read.',
      width: 12,
      queries: [{ expr: `mizani_treasury_on_hand{${P}}`, legend: '{{position}} {{place}} {{token}}' }],
    },
    {
      ...chart,
      title: 'Held against the band',
      description: 'Pool, LP wallet and treasury together. Below refill_below a refill starts at the latest.',
      width: 12,
      queries: [
        ofToken('counted', 'held'),
        { expr: `mizani_treasury_band{${P}}`, legend: '{{position}} {{bound}} {{token}}' },
      ],
    },
    {
      ...chart,
      title: 'Under way',
      description: 'In transit: it left and has not arrived. Reserved: an open intent will take it.',
      width: 12,
      queries: [ofToken('in_transit', 'in transit'), ofToken('reserved', 'reserved')],
    },
    {
      ...chart,
      title: 'Claimed',
      description: 'What no one can tell the place of, whole tokens. 0 is the only good figure.',
      width: 12,
      queries: [ofToken('claimed', '')],
    },
  ]
}

/** What moves, and over which routes. */
export function treasuryFlow(): readonly PanelPlan[] {
  return [
    {
      kind: 'chart',
      title: 'Open intents by stage',
      description: 'silent: the answer was lost, and it is being looked for; awaiting_approval: people are.',
      unit: UNITS.count,
      width: 12,
      stacked: true,
      queries: [{ expr: `mizani_treasury_intents{${P}}`, legend: '{{position}} {{stage}}' }],
    },
    {
      kind: 'chart',
      title: 'Oldest approval',
      description:
        'How long the oldest intent has waited for people. Where it ends, they decided or time ran out.',
      unit: UNITS.seconds,
      width: 12,
      queries: [{ expr: `mizani_treasury_approval_age_seconds{${P}}`, legend: '{{position}}' }],
    },
    {
      kind: 'timeline',
      title: 'Routes that rest',
      description: 'A route rests after two failures in a row, and longer with each more.',
      width: 12,
      queries: [{ expr: `mizani_treasury_rail_rested{${P}}`, legend: '{{position}} {{route}}' }],
      words: RESTS,
    },
    {
      kind: 'chart',
      title: 'Failures by route',
      description: 'Of all intents that the store remembers.',
      unit: UNITS.count,
      width: 12,
      queries: [{ expr: `mizani_treasury_rail_failures{${P}}`, legend: '{{position}} {{route}}' }],
    },
  ]
}

/** Whether what it rests on is sound: the token, the way home, the venue's messages, the readings. */
export function treasuryTrust(): readonly PanelPlan[] {
  const stat = { kind: 'stat', width: 6 } as const
  return [
    {
      ...stat,
      title: 'Backing of the token',
      description: 'In doubt: two daily reconciliations were negative, or the chain has another supply.',
      queries: [{ expr: `mizani_treasury_supply_alarm{${P}}`, legend: '{{position}}' }],
      words: BACKING,
    },
    {
      ...stat,
      title: 'Could come home now',
      description:
        'Share of the desk at hand, or that a deactivation brings back. Below 80 % a person should know.',
      unit: 'percentunit',
      decimals: 0,
      queries: [{ expr: `mizani_treasury_exit_share{${P}}`, legend: '{{position}}' }],
      colours: [
        { from: null, colour: BAD },
        { from: 0.8, colour: GOOD },
      ],
    },
    {
      ...stat,
      title: 'Left of the bank calendar',
      description:
        'Until then the list of bank holidays is confirmed; below 30 days compare it with the published one.',
      unit: UNITS.seconds,
      decimals: 0,
      queries: [{ expr: `mizani_treasury_calendar_left_seconds{${P}}`, legend: '{{position}}' }],
      colours: [
        { from: null, colour: BAD },
        { from: 7 * 86_400, colour: WATCH },
        { from: 30 * 86_400, colour: GOOD },
      ],
    },
    {
      ...stat,
      title: 'Last reading of balances',
      description: 'Its age. Minutes and more: a place cannot be read, and nothing is planned.',
      unit: UNITS.seconds,
      decimals: 0,
      queries: [{ expr: `mizani_treasury_reading_age_seconds{${P}}`, legend: '{{position}}' }],
      colours: from(600, WATCH),
    },
    ...trustCharts(),
  ]
}

function trustCharts(): readonly PanelPlan[] {
  const chart = { kind: 'chart', width: 6 } as const
  return [
    {
      ...chart,
      title: 'Supply difference',
      description: "Of the venue's last reconciliation. Below 0: tokens without backing.",
      unit: UNITS.tzs,
      queries: [{ expr: `mizani_treasury_supply_difference_tzs{${P}}`, legend: '{{position}}' }],
    },
    {
      ...chart,
      title: 'Age of the supply',
      description: 'Since the supply was read, and since the last reconciliation, which is daily.',
      unit: UNITS.seconds,
      queries: [
        { expr: `mizani_treasury_supply_age_seconds{${P}}`, legend: '{{position}} reading' },
        {
          expr: `mizani_treasury_supply_difference_age_seconds{${P}}`,
          legend: '{{position}} reconciliation',
        },
      ],
    },
    {
      ...chart,
      title: 'The way home',
      description: 'TZS at hand, from the pool by a deactivation, and waiting in transit or as a claim.',
      unit: UNITS.tzs,
      stacked: true,
      queries: [{ expr: `mizani_treasury_exit_tzs{${P}}`, legend: '{{position}} {{part}}' }],
    },
    {
      ...chart,
      title: 'Webhooks per hour',
      description:
        'By outcome. forged: no secret of ours signed it; stale: it is a replay, or a clock is wrong.',
      unit: UNITS.count,
      queries: [
        {
          expr: `sum by (position, outcome) (increase(mizani_treasury_webhooks_total{${P}}[1h])) > 0`,
          legend: '{{position}} {{outcome}}',
        },
      ],
    },
  ]
}
