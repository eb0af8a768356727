import { BOOKS, BOOKS_STATE, SIDES, SIDES_QUOTED, STATE, STATES } from './answer-panels.ts'
import { BAD, GOOD, WATCH } from './colours.ts'
import { CHOSEN as P, UNITS, type PanelPlan } from './panel-plan.ts'

/** Every position as a line. */
export function fleetTable(): readonly PanelPlan[] {
  return [
    {
      kind: 'table',
      title: 'Positions',
      description: 'As they are now; a click on the name leads to its own dashboard.',
      width: 24,
      queries: [
        { expr: STATE, legend: 'State', words: STATES },
        { expr: SIDES, legend: 'Quoting', words: SIDES_QUOTED },
        { expr: BOOKS_STATE, legend: 'Books', words: BOOKS },
        { expr: `max by (position) (mizani_mid_tzs{${P}})`, legend: 'Mid', decimals: 2 },
        {
          expr: `max by (position) (mizani_mid_age_seconds{${P}})`,
          legend: 'Age of the mid',
          unit: 's',
          colours: [
            { from: null, colour: GOOD },
            { from: 86_400, colour: WATCH },
            { from: 172_800, colour: BAD },
          ],
        },
        {
          expr: `max by (position) (mizani_inventory_share{${P}})`,
          legend: 'In dollars',
          unit: 'percentunit',
          decimals: 0,
        },
        {
          expr: `sum by (position) (increase(mizani_fills_total{${P}}[1d]))`,
          legend: 'Fills in a day',
          decimals: 0,
        },
        {
          expr: `sum by (position) (increase(mizani_fill_volume_usd_total{${P}}[1d]))`,
          legend: 'Volume in a day',
          unit: UNITS.usd,
          decimals: 0,
        },
        {
          expr: `sum by (position) (mizani_pnl_usd{${P}})`,
          legend: 'PnL, USD',
          unit: UNITS.usd,
          decimals: 2,
        },
        {
          expr: `sum by (position) (increase(mizani_alerts_total{${P}}[1d]))`,
          legend: 'Alerts in a day',
          decimals: 0,
          colours: [
            { from: null, colour: GOOD },
            { from: 1, colour: WATCH },
          ],
        },
      ],
    },
  ]
}

/** Whether the figures below are of the whole fleet. */
export function fleetCompleteness(): readonly PanelPlan[] {
  return [
    {
      kind: 'stat',
      title: 'Positions missing in the last scrape',
      description: 'They did not answer in time: they hang or restart, and are in none of the sums.',
      unit: UNITS.count,
      decimals: 0,
      width: 24,
      queries: [{ expr: 'sum(mizani_scrape_positions_missing)', legend: 'missing' }],
      colours: [
        { from: null, colour: GOOD },
        { from: 1, colour: BAD },
      ],
    },
  ]
}

export function fleetPanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'timeline',
      title: 'States',
      description: 'When each position was ACTIVE, REDUCING or HALTED. A hole: it did not answer.',
      width: 12,
      queries: [{ expr: STATE, legend: '{{position}}' }],
      words: STATES,
    },
    {
      kind: 'chart',
      title: 'PnL, USD',
      description: 'Since the opening of each, net of own deposits and withdrawals.',
      unit: UNITS.usd,
      width: 12,
      queries: [{ expr: `sum by (position) (mizani_pnl_usd{${P}})`, legend: '{{position}}' }],
    },
    {
      kind: 'chart',
      title: 'Volume per hour',
      description: 'Dollars that changed hands, both sides together.',
      unit: UNITS.usd,
      width: 12,
      stacked: true,
      queries: [
        {
          expr: `sum by (position) (increase(mizani_fill_volume_usd_total{${P}}[1h]))`,
          legend: '{{position}}',
        },
      ],
    },
    {
      kind: 'chart',
      title: 'Share in dollars',
      description: 'Of the value at the mid. Positions that lean together lean on one view of the market.',
      unit: 'percentunit',
      width: 12,
      queries: [{ expr: `mizani_inventory_share{${P}}`, legend: '{{position}}' }],
    },
  ]
}
