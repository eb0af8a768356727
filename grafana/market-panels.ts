import { CHOSEN as P, type PanelPlan } from './panel-plan.ts'

const GOOD = 'green'
const WATCH = 'orange'
const BAD = 'red'

export function nowPanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'stat',
      title: 'Trading state',
      description:
        'ACTIVE, REDUCING (only the side that brings the inventory back) or HALTED (until resume).',
      unit: 'none',
      width: 6,
      queries: [{ expr: `mizani_trading_state{${P}} == 1`, legend: '{{position}} {{state}}' }],
      showName: true,
    },
    {
      kind: 'stat',
      title: 'Mid',
      description: 'TZS per USD at the venue.',
      unit: 'none',
      decimals: 2,
      width: 3,
      queries: [{ expr: `mizani_mid_tzs{${P}}`, legend: '{{position}}' }],
    },
    {
      kind: 'stat',
      title: 'Age of the mid',
      description:
        'Grows over a weekend by design; two days and more on a working day is a venue in trouble.',
      unit: 's',
      width: 3,
      queries: [{ expr: `mizani_mid_age_seconds{${P}}`, legend: '{{position}}' }],
      colours: [
        { from: null, colour: GOOD },
        { from: 86_400, colour: WATCH },
        { from: 172_800, colour: BAD },
      ],
    },
    {
      kind: 'stat',
      title: 'Books complete',
      description: '1 = every fill seen and every unit accounted for; 0 = GAP; nothing = being checked.',
      unit: 'none',
      width: 3,
      queries: [{ expr: `mizani_fills_complete{${P}}`, legend: '{{position}}' }],
      colours: [
        { from: null, colour: BAD },
        { from: 1, colour: GOOD },
      ],
    },
    {
      kind: 'stat',
      title: 'PnL, TZS',
      description: 'Since the opening, net of own deposits and withdrawals: the sum of all components.',
      unit: 'none',
      decimals: 0,
      width: 3,
      queries: [{ expr: `sum by (position) (mizani_pnl_tzs{${P}})`, legend: '{{position}}' }],
    },
    {
      kind: 'stat',
      title: 'PnL, USD',
      description:
        'The same in dollars; not the TZS figure converted, because what is held is worth other things in each.',
      unit: 'currencyUSD',
      decimals: 2,
      width: 3,
      queries: [{ expr: `sum by (position) (mizani_pnl_usd{${P}})`, legend: '{{position}}' }],
    },
    {
      kind: 'stat',
      title: 'Version',
      description: 'What runs.',
      unit: 'none',
      width: 3,
      queries: [{ expr: `mizani_build_info{${P}}`, legend: '{{version}}' }],
      showName: true,
    },
  ]
}

export function quotePanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'chart',
      title: 'Our spread and the best one',
      description: 'A hole in our line: we did not know what the venue quoted for us.',
      unit: 'none',
      width: 12,
      queries: [
        { expr: `mizani_quote_bps{${P}}`, legend: '{{position}} {{side}}' },
        { expr: `mizani_best_competitor_bps{${P}}`, legend: '{{position}} best {{side}}' },
      ],
    },
    {
      kind: 'chart',
      title: 'Sides quoted',
      description: '1 = on. Both off for long means no market at all.',
      unit: 'none',
      width: 6,
      queries: [{ expr: `mizani_quote_on{${P}}`, legend: '{{position}} {{side}}' }],
    },
    {
      kind: 'chart',
      title: 'Requotes per minute',
      description: 'By reason. Many repairs: the venue forgets or loses what we send.',
      unit: 'none',
      width: 6,
      queries: [
        {
          expr: `60 * sum by (position, reason) (rate(mizani_requotes_total{${P}}[$__rate_interval]))`,
          legend: '{{position}} {{reason}}',
        },
      ],
    },
  ]
}

export function flowPanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'chart',
      title: 'Fills per hour',
      description: 'One side alone for long: our quote or the mid leans, or somebody knows more than we do.',
      unit: 'none',
      width: 8,
      queries: [
        {
          expr: `3600 * sum by (position, side) (rate(mizani_fills_total{${P}}[$__rate_interval]))`,
          legend: '{{position}} {{side}}',
        },
      ],
    },
    {
      kind: 'chart',
      title: 'Volume per hour',
      description: 'Dollars that changed hands.',
      unit: 'currencyUSD',
      width: 8,
      queries: [
        {
          expr: `sum by (position, side) (increase(mizani_fill_volume_usd_total{${P}}[1h]))`,
          legend: '{{position}} {{side}}',
        },
      ],
    },
    {
      kind: 'chart',
      title: 'Share in dollars',
      description: 'Of the value at the mid; the target is in the configuration.',
      unit: 'percentunit',
      width: 8,
      queries: [{ expr: `mizani_inventory_share{${P}}`, legend: '{{position}}' }],
    },
    {
      kind: 'chart',
      title: 'Shillings held',
      description: 'Pool and wallet, whole tokens.',
      unit: 'none',
      width: 8,
      queries: [{ expr: `mizani_inventory{${P}, token="NTZS"}`, legend: '{{position}} {{token}}' }],
    },
    {
      kind: 'chart',
      title: 'Dollars held',
      description: 'Pool and wallet, whole tokens.',
      unit: 'currencyUSD',
      width: 8,
      queries: [{ expr: `mizani_inventory{${P}, token!="NTZS"}`, legend: '{{position}} {{token}}' }],
    },
    {
      kind: 'chart',
      title: 'Unexplained',
      description: 'Venue minus ledger. Anything but a flat 0 is money whose way nobody knows.',
      unit: 'none',
      width: 8,
      queries: [{ expr: `mizani_unexplained{${P}}`, legend: '{{position}} {{token}}' }],
    },
  ]
}

export function resultPanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'chart',
      title: 'PnL by component, TZS',
      description:
        'What the spread earned, what a stale mid cost, what holding dollars brought, costs, unexplained.',
      unit: 'none',
      width: 12,
      queries: [{ expr: `mizani_pnl_tzs{${P}}`, legend: '{{position}} {{component}}' }],
    },
    {
      kind: 'chart',
      title: 'PnL by component, USD',
      description: 'Edge of the fills, what holding shillings brought, costs, unexplained.',
      unit: 'currencyUSD',
      width: 12,
      queries: [{ expr: `mizani_pnl_usd{${P}}`, legend: '{{position}} {{component}}' }],
    },
  ]
}
