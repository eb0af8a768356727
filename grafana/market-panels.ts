import { BAD, GOOD, WATCH } from './colours.ts'
import { STATE, STATES } from './answer-panels.ts'
import { CHOSEN as P, UNITS, type PanelPlan } from './panel-plan.ts'

/** What stands at the venue, and what stood when. */
export function quotePanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'chart',
      title: 'Our spread and the best one',
      description: 'A hole in our line: we did not know what the venue quoted for us.',
      unit: UNITS.bps,
      width: 12,
      queries: [
        { expr: `mizani_quote_bps{${P}}`, legend: '{{position}} {{side}}' },
        { expr: `mizani_best_competitor_bps{${P}}`, legend: '{{position}} best {{side}}' },
      ],
    },
    {
      kind: 'timeline',
      title: 'State and sides',
      description: 'When the position was ACTIVE, REDUCING or HALTED, and which sides were quoted.',
      width: 12,
      queries: [
        { expr: STATE, legend: '{{position}} state' },
        { expr: `mizani_quote_on{${P}} * 4 + 3`, legend: '{{position}} {{side}}' },
      ],
      words: { ...STATES, '3': ['off', WATCH], '7': ['on', GOOD] },
    },
  ]
}

/** Why the quote moves, and why it does not. */
export function whyPanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'chart',
      title: 'Mid',
      description: 'TZS per USD at the venue, and each reference feed. Steps are publications.',
      unit: UNITS.tzs,
      decimals: 2,
      width: 8,
      queries: [
        { expr: `mizani_mid_tzs{${P}}`, legend: '{{position}} mid' },
        { expr: `mizani_feed_tzs{${P}}`, legend: '{{position}} {{feed}}' },
      ],
    },
    {
      kind: 'chart',
      title: 'Requotes per minute',
      description: 'By reason. Many repairs: the venue forgets or loses what we send.',
      unit: UNITS.count,
      width: 8,
      queries: [
        {
          expr: `60 * sum by (position, reason) (rate(mizani_requotes_total{${P}}[$__rate_interval]))`,
          legend: '{{position}} {{reason}}',
        },
      ],
    },
    {
      kind: 'chart',
      title: 'Refusals of risk per hour',
      description:
        'By rule: what the strategy or a person wanted and did not get; and how often a default or a simpler model began to stand in for what the strategy goes by.',
      unit: UNITS.count,
      width: 8,
      queries: [
        {
          expr: `3600 * sum by (position, rule) (rate(mizani_risk_refusals_total{${P}}[$__rate_interval])) > 0`,
          legend: '{{position}} {{rule}}',
        },
        {
          expr: `3600 * sum by (position) (rate(mizani_strategy_fallbacks_total{${P}}[$__rate_interval])) > 0`,
          legend: '{{position}} strategy fell back',
        },
      ],
    },
    ...feedPanels(),
  ]
}

/** Whether another source than the venue speaks, and what it makes of the mid. */
function feedPanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'chart',
      title: 'Mid against the feeds',
      description: "How far the venue's mid is above the median of the live feeds. Gaps: no feed is live.",
      unit: UNITS.bps,
      width: 8,
      queries: [{ expr: `mizani_reference_deviation_bps{${P}}`, legend: '{{position}}' }],
    },
    {
      kind: 'chart',
      title: 'Live feeds',
      description: "0: the venue's word stands alone.",
      unit: UNITS.count,
      width: 8,
      queries: [
        { expr: `mizani_feeds_live{${P}}`, legend: '{{position}} all' },
        { expr: `mizani_feed_live{${P}}`, legend: '{{position}} {{feed}}' },
        { expr: `mizani_feed_left_out{${P}}`, legend: '{{position}} {{feed}} left out' },
      ],
    },
    {
      kind: 'chart',
      title: 'Age of the feeds',
      description: 'Since the last good reading. An unchanged figure is written down once a minute.',
      unit: 's',
      width: 8,
      queries: [{ expr: `mizani_feed_age_seconds{${P}}`, legend: '{{position}} {{feed}}' }],
    },
    {
      kind: 'chart',
      title: 'Offset and error of the feeds',
      description:
        'In bps, as later updates of the mid showed them, with 90 % intervals; the delay in working days.',
      unit: UNITS.bps,
      width: 24,
      queries: [
        { expr: `mizani_feed_offset_bps{${P}}`, legend: '{{position}} {{feed}} offset, {{bound}}' },
        { expr: `mizani_feed_error_bps{${P}}`, legend: '{{position}} {{feed}} error, {{bound}}' },
        { expr: `mizani_feed_delay_days{${P}}`, legend: '{{position}} {{feed}} delay, {{bound}}' },
      ],
    },
  ]
}

/** Who trades with us. */
export function flowPanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'chart',
      title: 'Fills per hour',
      description: 'One side alone for long: our quote or the mid leans, or someone knows more than we do.',
      unit: UNITS.count,
      width: 12,
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
      unit: UNITS.usd,
      width: 12,
      queries: [
        {
          expr: `sum by (position, side) (increase(mizani_fill_volume_usd_total{${P}}[1h]))`,
          legend: '{{position}} {{side}}',
        },
      ],
    },
  ]
}

/** What we hold. */
export function inventoryPanels(): readonly PanelPlan[] {
  return [
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
      description: 'Pool and wallet, whole tokens, and the limits at which a side goes off.',
      unit: UNITS.tzs,
      width: 8,
      queries: [
        { expr: `mizani_inventory{${P}, token="NTZS"}`, legend: '{{position}} {{token}}' },
        {
          expr: `mizani_inventory_limit{${P}, token="NTZS"}`,
          legend: '{{position}} {{token}} {{bound}} limit',
        },
      ],
    },
    {
      kind: 'chart',
      title: 'Dollars held',
      description: 'Pool and wallet, whole tokens, and the limits at which a side goes off.',
      unit: UNITS.usd,
      width: 8,
      queries: [
        { expr: `mizani_inventory{${P}, token!="NTZS"}`, legend: '{{position}} {{token}}' },
        {
          expr: `mizani_inventory_limit{${P}, token!="NTZS"}`,
          legend: '{{position}} {{token}} {{bound}} limit',
        },
      ],
    },
  ]
}

/** Whether the books are whole. */
export function bookPanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'chart',
      title: 'Unreconciled',
      description: 'Venue minus ledger. Anything but a flat 0 is money whose way no one knows.',
      unit: UNITS.count,
      width: 12,
      queries: [{ expr: `mizani_unreconciled{${P}}`, legend: '{{position}} {{token}}' }],
    },
    {
      kind: 'chart',
      title: 'Alerts that it raised, per hour',
      description: 'By code. docs/runbook.md says of each what it means and what to do.',
      unit: UNITS.count,
      width: 12,
      queries: [
        {
          expr: `sum by (position, severity, code) (increase(mizani_alerts_total{${P}}[1h])) > 0`,
          legend: '{{position}} {{severity}} {{code}}',
        },
      ],
      colours: [{ from: null, colour: BAD }],
    },
    {
      kind: 'chart',
      title: 'Age of the last proof',
      description:
        'How long ago the balances last equalled the ledger: a wrong balance may go unnoticed for that long.',
      unit: UNITS.seconds,
      width: 24,
      queries: [{ expr: `mizani_balances_proven_age_seconds{${P}}`, legend: '{{position}}' }],
    },
    {
      kind: 'chart',
      title: 'Stopped, and still quoted',
      description:
        '1 while the position is halted or paused and the venue has not confirmed that quoting stopped: takers may trade at the old quote.',
      unit: UNITS.count,
      width: 24,
      queries: [{ expr: `mizani_still_quoted{${P}}`, legend: '{{position}}' }],
    },
    {
      kind: 'chart',
      title: 'No one watches',
      description:
        'For how long no guard has watched the position: what it quotes would stand if the daemon died now. 0 while one does.',
      unit: UNITS.seconds,
      width: 24,
      queries: [{ expr: `mizani_guard_absent_seconds{${P}}`, legend: '{{position}}' }],
    },
    {
      kind: 'chart',
      title: 'Standing by',
      description:
        'Which daemons wait to take a position over: 1 = another daemon holds it, 0 = it runs here. A position without a 1 has no standby.',
      unit: UNITS.count,
      width: 24,
      queries: [{ expr: `mizani_standby{${P}}`, legend: '{{position}} on {{instance}}' }],
    },
  ]
}

/** Why it earned what it earned. */
export function resultPanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'chart',
      title: 'PnL by component, TZS',
      description:
        'What the spread earned, what a stale mid cost, what holding dollars brought, costs, unreconciled.',
      unit: UNITS.tzs,
      width: 12,
      queries: [{ expr: `mizani_pnl_tzs{${P}}`, legend: '{{position}} {{component}}' }],
    },
    {
      kind: 'chart',
      title: 'PnL by component, USD',
      description: 'Edge of the fills, what holding shillings brought, costs, unreconciled.',
      unit: UNITS.usd,
      width: 12,
      queries: [{ expr: `mizani_pnl_usd{${P}}`, legend: '{{position}} {{component}}' }],
    },
  ]
}
