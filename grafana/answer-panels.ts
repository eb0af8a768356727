import { BAD, GOOD, WATCH } from './colours.ts'
import { CHOSEN as P, UNITS, type PanelPlan } from './panel-plan.ts'

export const STATES = {
  '0': ['ACTIVE', GOOD],
  '1': ['REDUCING', WATCH],
  '2': ['HALTED', BAD],
} as const

export const BOOKS = { '0': ['break', BAD], '1': ['reconciled', GOOD] } as const

export const SIDES_QUOTED = { '0': ['no', BAD], '1': ['one side', WATCH], '2': ['both sides', GOOD] } as const

/** 0 ACTIVE, 1 REDUCING, 2 HALTED; nothing where the position does not answer. */
export const STATE = `sum by (position) (mizani_trading_state{${P}, state="REDUCING"} or mizani_trading_state{${P}, state="ACTIVE"} * 0 or mizani_trading_state{${P}, state="HALTED"} * 2)`

/** How many sides takers can trade with: pooled and in the market, or by signed orders. */
export const SIDES = `sum by (position) (mizani_rfq_open{${P}} > bool 0) or sum by (position) (mizani_quote_on{${P}}) * on (position) max by (position) (mizani_active{${P}})`

export const BOOKS_STATE = `min by (position) (mizani_reconciled{${P}})`

/** Am I quoting? */
export function quotingAnswers(): readonly PanelPlan[] {
  return [
    {
      kind: 'stat',
      title: 'Am I quoting?',
      description:
        'Sides that takers can trade with now. Beside a state that is not ACTIVE it may be the safe quote, which hardly anybody takes.',
      width: 4,
      queries: [{ expr: SIDES, legend: '{{position}}' }],
      words: SIDES_QUOTED,
    },
    {
      kind: 'stat',
      title: 'Trading state',
      description:
        'ACTIVE, REDUCING (only the side that brings the inventory back, or the safe quote) or HALTED (until resume).',
      width: 4,
      queries: [{ expr: STATE, legend: '{{position}}' }],
      words: STATES,
    },
    {
      kind: 'stat',
      title: 'Alerts that fire',
      description: 'Of the shipped rules. Each has its entry in docs/runbook.md.',
      width: 4,
      queries: [
        {
          expr: `count(ALERTS{alertname=~"Mizani.*", alertstate="firing", position=~"$position|"}) or vector(0)`,
          legend: 'now',
        },
      ],
      colours: [
        { from: null, colour: GOOD },
        { from: 1, colour: BAD },
      ],
    },
    {
      kind: 'stat',
      title: 'Mid',
      description: 'TZS per USD at the venue.',
      unit: UNITS.count,
      decimals: 2,
      width: 4,
      queries: [{ expr: `mizani_mid_tzs{${P}}`, legend: '{{position}}' }],
    },
    {
      kind: 'stat',
      title: 'Age of the mid',
      description:
        'Grows over a weekend by design; two days and more on a working day is a venue in trouble.',
      unit: 's',
      width: 4,
      queries: [{ expr: `mizani_mid_age_seconds{${P}}`, legend: '{{position}}' }],
      colours: [
        { from: null, colour: GOOD },
        { from: 86_400, colour: WATCH },
        { from: 172_800, colour: BAD },
      ],
    },
    {
      kind: 'stat',
      title: 'Version',
      description: 'What runs.',
      width: 4,
      queries: [{ expr: `mizani_build_info{${P}}`, legend: '{{version}}' }],
      showName: true,
    },
  ]
}

/** Is anything unreconciled? */
export function provenAnswers(): readonly PanelPlan[] {
  return [
    {
      kind: 'stat',
      title: 'Books',
      description:
        'reconciled: every fill seen and every unit accounted for. break: not so. unknown: pending.',
      width: 6,
      queries: [{ expr: BOOKS_STATE, legend: '{{position}}' }],
      words: BOOKS,
    },
    {
      kind: 'stat',
      title: 'Tokens that no one can explain',
      description: 'How many tokens differ between the venue and the ledger, by however little.',
      width: 6,
      queries: [{ expr: `sum by (position) (mizani_unreconciled{${P}} != bool 0)`, legend: '{{position}}' }],
      colours: [
        { from: null, colour: GOOD },
        { from: 1, colour: BAD },
      ],
    },
    {
      kind: 'stat',
      title: 'Answers that never came',
      description:
        'Changes within the last hour that may or may not have happened; they are read back first.',
      width: 6,
      queries: [
        {
          expr: `sum by (position) (increase(mizani_venue_requests_total{${P}, outcome="unknown"}[1h])) or sum by (position) (mizani_build_info{${P}}) * 0`,
          legend: '{{position}}',
        },
      ],
      decimals: 0,
      colours: [
        { from: null, colour: GOOD },
        { from: 1, colour: WATCH },
        { from: 10, colour: BAD },
      ],
    },
    {
      kind: 'stat',
      title: 'Alerts that it raised',
      description: 'By the position itself, within the last day. docs/runbook.md has every code.',
      width: 6,
      queries: [
        { expr: `sum by (position) (increase(mizani_alerts_total{${P}}[1d]))`, legend: '{{position}}' },
      ],
      decimals: 0,
      colours: [
        { from: null, colour: GOOD },
        { from: 1, colour: WATCH },
      ],
    },
  ]
}

/** What did it earn? */
export function earnedAnswers(): readonly PanelPlan[] {
  return [
    {
      kind: 'stat',
      title: 'PnL, TZS',
      description: 'Since the opening, net of own deposits and withdrawals: the sum of all components.',
      unit: UNITS.tzs,
      decimals: 0,
      width: 6,
      queries: [{ expr: `sum by (position) (mizani_pnl_tzs{${P}})`, legend: '{{position}}' }],
    },
    {
      kind: 'stat',
      title: 'PnL, USD',
      description:
        'The same in dollars; not the TZS figure converted, because what is held is worth other things in each.',
      unit: UNITS.usd,
      decimals: 2,
      width: 6,
      queries: [{ expr: `sum by (position) (mizani_pnl_usd{${P}})`, legend: '{{position}}' }],
    },
    {
      kind: 'stat',
      title: 'Edge per dollar traded',
      description:
        'Over the chosen time. Well under the spread posted: takers know the market better than the mid does.',
      unit: UNITS.bps,
      decimals: 1,
      width: 6,
      queries: [
        {
          expr: `1e4 * sum by (position) (delta(mizani_pnl_usd{${P}, component="edge"}[$__range])) / (sum by (position) (increase(mizani_fill_volume_usd_total{${P}}[$__range])) > 0)`,
          legend: '{{position}}',
        },
      ],
      colours: [
        { from: null, colour: BAD },
        { from: 0, colour: GOOD },
      ],
    },
    {
      kind: 'stat',
      title: 'Drawdown within a day',
      description:
        'PnL below its highest of the last 24 hours; risk.maxDrawdownTzs halts by the whole history.',
      unit: UNITS.tzs,
      decimals: 0,
      width: 6,
      queries: [
        {
          expr: `max_over_time(sum by (position) (mizani_pnl_tzs{${P}})[1d:5m]) - sum by (position) (mizani_pnl_tzs{${P}})`,
          legend: '{{position}}',
        },
      ],
    },
  ]
}
