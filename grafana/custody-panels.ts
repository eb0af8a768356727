import { BAD, GOOD, WATCH } from './colours.ts'
import { CHOSEN as P, UNITS, type PanelPlan } from './panel-plan.ts'

/** Empty without self-custody: its metrics have no series then. */
export function custodyAnswers(): readonly PanelPlan[] {
  return [
    {
      kind: 'stat',
      title: 'Orders that takers can fill',
      description: 'By side. 0 on both: nothing is quoted; `mizani rfq list` says why.',
      unit: UNITS.count,
      width: 6,
      queries: [{ expr: `mizani_rfq_open{${P}}`, legend: '{{position}} {{side}}' }],
      colours: [
        { from: null, colour: WATCH },
        { from: 1, colour: GOOD },
      ],
    },
    {
      kind: 'stat',
      title: 'Are orders overcommitted?',
      description: 'The least that is free of any token. Below 0: a fill may meet an empty wallet.',
      unit: UNITS.count,
      width: 6,
      queries: [{ expr: `min by (position) (mizani_rfq_free{${P}})`, legend: '{{position}}' }],
      colours: [
        { from: null, colour: BAD },
        { from: 0, colour: GOOD },
      ],
    },
    {
      kind: 'stat',
      title: 'Age of the newest block',
      description: 'Beyond rfq.maxChainLagMs, 30 s unless configured, no new order is signed.',
      unit: 's',
      width: 6,
      queries: [{ expr: `mizani_chain_lag_seconds{${P}}`, legend: '{{position}}' }],
      colours: [
        { from: null, colour: GOOD },
        { from: 15, colour: WATCH },
        { from: 30, colour: BAD },
      ],
    },
    {
      kind: 'stat',
      title: 'Rejected within a day',
      description:
        'Orders that were not signed or not taken. Any of them is a setting or a clock that is wrong.',
      unit: UNITS.count,
      decimals: 0,
      width: 6,
      queries: [
        {
          expr: `sum by (position) (increase(mizani_rfq_rejected_total{${P}}[1d]))`,
          legend: '{{position}}',
        },
      ],
      colours: [
        { from: null, colour: GOOD },
        { from: 1, colour: WATCH },
      ],
    },
  ]
}

/** Empty without self-custody, like the answers: its gauges have no series then. */
export function custodyPanels(): readonly PanelPlan[] {
  return [...promisePanels(), ...orderPanels(), ...costPanels()]
}

function promisePanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'chart',
      title: 'Open orders',
      description: 'Signed, and not yet filled, cancelled or expired for good.',
      unit: UNITS.count,
      width: 8,
      queries: [{ expr: `mizani_rfq_open{${P}}`, legend: '{{position}} {{side}}' }],
    },
    {
      kind: 'chart',
      title: 'Promised to takers',
      description: 'Whole tokens that may still be taken through these orders.',
      unit: UNITS.count,
      width: 8,
      queries: [{ expr: `mizani_rfq_promised{${P}}`, legend: '{{position}} {{token}}' }],
    },
    {
      kind: 'chart',
      title: 'Available for orders',
      description: 'On top of what orders commit. Below 0 orders commit more than is there and allowed.',
      unit: UNITS.count,
      width: 8,
      queries: [{ expr: `mizani_rfq_free{${P}}`, legend: '{{position}} {{token}}' }],
    },
  ]
}

function orderPanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'chart',
      title: 'Orders signed and filled per minute',
      description: 'Many signed and few filled: the ladder follows a price that no one takes.',
      unit: UNITS.count,
      width: 8,
      queries: [
        { expr: `60 * rate(mizani_rfq_signed_total{${P}}[$__rate_interval])`, legend: '{{position}} signed' },
        { expr: `60 * rate(mizani_rfq_fills_total{${P}}[$__rate_interval])`, legend: '{{position}} fills' },
      ],
    },
    {
      kind: 'chart',
      title: 'Orders rejected per hour',
      description: "By the venue's or the signer's code; any of them is a setting or a clock that is wrong.",
      unit: UNITS.count,
      width: 8,
      queries: [
        {
          expr: `3600 * sum by (position, code) (rate(mizani_rfq_rejected_total{${P}}[$__rate_interval])) > 0`,
          legend: '{{position}} {{code}}',
        },
      ],
    },
    {
      kind: 'chart',
      title: 'Time to sign',
      description: 'Hash, checks and signature of one order; a remote signer is waited for.',
      unit: 's',
      width: 8,
      queries: [0.5, 0.99].map((share) => ({
        expr: `histogram_quantile(${share}, sum by (position, le) (rate(mizani_rfq_sign_seconds_bucket{${P}}[$__rate_interval])))`,
        legend: `{{position}} ${share === 0.5 ? 'half of them' : '99 of 100'}`,
      })),
    },
  ]
}

function costPanels(): readonly PanelPlan[] {
  return [
    {
      kind: 'chart',
      title: 'Age of the chain',
      description: 'Of the newest block that was read. Beyond rfq.maxChainLagMs no new order is signed.',
      unit: 's',
      width: 12,
      queries: [{ expr: `mizani_chain_lag_seconds{${P}}`, legend: '{{position}}' }],
    },
    {
      kind: 'chart',
      title: 'Gas spent per day, ETH',
      description: 'On cancellations and approvals; fills are paid by the taker.',
      unit: UNITS.count,
      decimals: 6,
      width: 12,
      queries: [{ expr: `increase(mizani_gas_spent_eth_total{${P}}[1d])`, legend: '{{position}}' }],
    },
  ]
}
