import { BOOKS, BOOKS_STATE, SIDES, SIDES_QUOTED, STATE, STATES } from './answer-panels.ts'
import { BAD, GOOD, WATCH } from './colours.ts'
import { CHOSEN as P, UNITS, type PanelPlan } from './panel-plan.ts'

/** How much a position needs a person: halted before critical alerts of the last hour before reducing. */
const TROUBLE = [
  `4 * sum by (position) (mizani_trading_state{${P}, state="HALTED"})`,
  `clamp_max(sum by (position) (increase(mizani_alerts_total{${P}, severity="critical"}[1h])), 3)`,
  `sum by (position) (mizani_trading_state{${P}, state="REDUCING"})`,
].join(' + ')

/** More lines than these are a list, which the console has, and no picture. */
const MOST_LINES = 20

/** Of the positions in most trouble only: a fleet of hundreds would be hundreds of lines. */
function ofTroubled(expr: string): string {
  return `(${expr}) and on (position) topk(${MOST_LINES}, ${TROUBLE})`
}

const counted = (state: string) => `sum(mizani_trading_state{${P}, state="${state}"})`

/** The fleet in six figures. */
export function fleetTotals(): readonly PanelPlan[] {
  const trouble = (colour: string) => [
    { from: null, colour: GOOD },
    { from: 1, colour },
  ]
  const stat = { kind: 'stat', width: 4, decimals: 0 } as const
  return [
    {
      ...stat,
      title: 'Active',
      description: 'Positions that trade both ways.',
      unit: UNITS.count,
      queries: [{ expr: counted('ACTIVE'), legend: 'active' }],
    },
    {
      ...stat,
      title: 'Reducing',
      description: 'Positions that trade only the side that brings their inventory back.',
      unit: UNITS.count,
      colours: trouble(WATCH),
      queries: [{ expr: counted('REDUCING'), legend: 'reducing' }],
    },
    {
      ...stat,
      title: 'Halted',
      description: 'Positions that stay stopped until an operator resumes them.',
      unit: UNITS.count,
      colours: trouble(BAD),
      queries: [{ expr: counted('HALTED'), legend: 'halted' }],
    },
    {
      ...stat,
      title: 'Missing',
      description:
        'They did not answer the last scrape in time: they hang or restart, and are in none of the sums.',
      unit: UNITS.count,
      colours: trouble(BAD),
      queries: [{ expr: 'sum(mizani_scrape_positions_missing)', legend: 'missing' }],
    },
    {
      ...stat,
      title: 'PnL, USD',
      description:
        'Of all positions together since the opening of each, net of own deposits and withdrawals.',
      unit: UNITS.usd,
      queries: [{ expr: `sum(mizani_pnl_usd{${P}})`, legend: 'PnL' }],
    },
    {
      ...stat,
      title: 'Volume in a day',
      description: 'Dollars that changed hands, of all positions together.',
      unit: UNITS.usd,
      queries: [{ expr: `sum(increase(mizani_fill_volume_usd_total{${P}}[1d]))`, legend: 'volume' }],
    },
  ]
}

/** What concerns the fleet as a whole and no chosen positions. Empty where the daemon runs no fleet. */
export function fleetLimits(): readonly PanelPlan[] {
  return [
    {
      kind: 'stat',
      title: "Share of the fleet's limits",
      description:
        'Of each limit that is set, what all positions together use. Above 100 % all of them stop.',
      unit: 'percentunit',
      decimals: 0,
      width: 16,
      queries: [{ expr: 'mizani_fleet_usd / mizani_fleet_limit_usd', legend: '{{limit}}' }],
      colours: [
        { from: null, colour: GOOD },
        { from: 0.8, colour: WATCH },
        { from: 1, colour: BAD },
      ],
    },
    {
      kind: 'stat',
      title: 'Problems with files',
      description:
        'Why positions are not as the files of the fleet have them. They go on with what they had.',
      unit: UNITS.count,
      decimals: 0,
      width: 8,
      queries: [{ expr: 'sum by (about) (mizani_fleet_problems)', legend: '{{about}}' }],
      colours: [
        { from: null, colour: GOOD },
        { from: 1, colour: WATCH },
      ],
    },
  ]
}

/** The positions in most trouble, a line each. */
export function fleetTable(): readonly PanelPlan[] {
  return [
    {
      kind: 'table',
      title: 'Positions in most trouble',
      description:
        'At most twenty, as they are now; a click on the name leads to its own dashboard. The console lists and searches all.',
      width: 24,
      queries: [
        { expr: ofTroubled(STATE), legend: 'State', words: STATES },
        { expr: ofTroubled(SIDES), legend: 'Quoting', words: SIDES_QUOTED },
        { expr: ofTroubled(BOOKS_STATE), legend: 'Books', words: BOOKS },
        { expr: ofTroubled(`max by (position) (mizani_mid_tzs{${P}})`), legend: 'Mid', decimals: 2 },
        {
          expr: ofTroubled(`max by (position) (mizani_mid_age_seconds{${P}})`),
          legend: 'Age of the mid',
          unit: 's',
          colours: [
            { from: null, colour: GOOD },
            { from: 86_400, colour: WATCH },
            { from: 172_800, colour: BAD },
          ],
        },
        {
          expr: ofTroubled(`max by (position) (mizani_inventory_share{${P}})`),
          legend: 'In dollars',
          unit: 'percentunit',
          decimals: 0,
        },
        {
          expr: ofTroubled(`sum by (position) (increase(mizani_fills_total{${P}}[1d]))`),
          legend: 'Fills in a day',
          decimals: 0,
        },
        {
          expr: ofTroubled(`sum by (position) (increase(mizani_fill_volume_usd_total{${P}}[1d]))`),
          legend: 'Volume in a day',
          unit: UNITS.usd,
          decimals: 0,
        },
        {
          expr: ofTroubled(`sum by (position) (mizani_pnl_usd{${P}})`),
          legend: 'PnL, USD',
          unit: UNITS.usd,
          decimals: 2,
        },
        {
          expr: ofTroubled(`sum by (position) (increase(mizani_alerts_total{${P}}[1d]))`),
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

/** Lines that a chart can show. */
const MOST_CHARTED = 10

export function fleetPanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'timeline',
      title: 'States',
      description:
        'When the positions in most trouble were ACTIVE, REDUCING or HALTED. A hole: it did not answer.',
      width: 12,
      queries: [{ expr: ofTroubled(STATE), legend: '{{position}}' }],
      words: STATES,
    },
    {
      kind: 'chart',
      title: 'PnL, USD',
      description:
        'The ten positions that earned least since their opening, net of own deposits and withdrawals.',
      unit: UNITS.usd,
      width: 12,
      queries: [
        {
          expr: `bottomk(${MOST_CHARTED}, sum by (position) (mizani_pnl_usd{${P}}))`,
          legend: '{{position}}',
        },
      ],
    },
    {
      kind: 'chart',
      title: 'Volume per hour',
      description: 'Dollars that changed hands, both sides together, of the ten positions with most.',
      unit: UNITS.usd,
      width: 12,
      stacked: true,
      queries: [
        {
          expr: `topk(${MOST_CHARTED}, sum by (position) (increase(mizani_fill_volume_usd_total{${P}}[1h])))`,
          legend: '{{position}}',
        },
      ],
    },
    {
      kind: 'chart',
      title: 'Share in dollars',
      description:
        'Of the value at the mid: the ten positions with most and with least. Positions that lean together lean on one view of the market.',
      unit: 'percentunit',
      width: 12,
      queries: [
        { expr: `topk(${MOST_CHARTED}, mizani_inventory_share{${P}})`, legend: '{{position}} most' },
        { expr: `bottomk(${MOST_CHARTED}, mizani_inventory_share{${P}})`, legend: '{{position}} least' },
      ],
    },
  ]
}
