import { ASSETS } from '../../../base/money/asset.ts'
import { SIDES } from '../../../base/money/side.ts'
import type { AmountTexts } from '../../view/fields.ts'
import type { PositionView } from '../../view/position-view.ts'
import { gaugesOf } from './view-gauges.ts'

const { single, labelled } = gaugesOf<PositionView>()

const SCORES = ['both', 'bid', 'ask'] as const
const BOUNDS = ['low', 'value', 'high'] as const

/** Holdings, PnL and orders, and results of calibration and challenger. Floats for charts; the ledger is exact. */
export const BOOK_GAUGES = [
  labelled(
    'mizani_inventory',
    ['token'],
    'Tokens that are ours by the ledger, pool and wallet together, in whole tokens. USDT on bnb is the token USDT.bnb.',
    ({ balances }) => byToken(balances),
  ),
  labelled(
    'mizani_inventory_limit',
    ['token', 'bound'],
    'The limits of inventory.limits, min and max, in whole tokens: at a limit the side that would go beyond it is off. Absent where none is set.',
    ({ bounds: { inventory } }) =>
      ASSETS.flatMap((token) =>
        (['min', 'max'] as const).map((bound) => [token, bound, inventory[token]?.[bound]] as const),
      ),
  ),
  single(
    'mizani_inventory_share',
    'Share of the value held in dollars, 0 to 1, at the mid. Absent when it cannot be valued.',
    ({ inventory }) => inventory.usdShare,
  ),
  single(
    'mizani_reconciled',
    '1 = every fill is seen and the balances equal the ledger to the last unit, 0 = reconciliation break. Absent while the reconciliation is pending.',
    ({ reconciliation: { state } }) => (state === 'pending' ? null : state === 'reconciled'),
  ),
  single(
    'mizani_balances_proven_age_seconds',
    'Age of the latest balances reading that equalled the ledger exactly: an error in the books may have been undetected for this long. Absent before the first one.',
    ({ reconciliation: { provenAgeMs } }) => (provenAgeMs === null ? null : provenAgeMs / 1_000),
  ),
  labelled(
    'mizani_unreconciled',
    ['token'],
    'Venue balance minus ledger, in whole tokens. 0 = reconciled; any other value is an amount that no fill and no transfer explains. Absent while the reconciliation is pending.',
    ({ balances, reconciliation: { state, unreconciled } }) =>
      ASSETS.map((token) => {
        const isUnproven = state === 'pending' || balances[token] === undefined
        return [token, unreconciled[token] ?? (isUnproven ? null : 0)]
      }),
  ),
  labelled(
    'mizani_pnl_tzs',
    ['component'],
    'Profit and loss in TZS since the opening, net of own deposits and withdrawals, by component: spread_capture, stale_mid, inventory, costs, unreconciled. Signed contributions: their sum is the total. Absent when it cannot be valued.',
    ({ pnl }) => byComponent(pnl?.tzs),
  ),
  labelled(
    'mizani_pnl_usd',
    ['component'],
    'The same in USD, by component: edge, inventory, costs, unreconciled. The sum is the total; the terms do not convert to those in TZS one by one.',
    ({ pnl }) => byComponent(pnl?.usd),
  ),
  labelled(
    'mizani_rfq_open',
    ['side'],
    'Outstanding signed orders: a taker may fill them, or their end is not final yet. bid: we buy shillings; ask: we sell them. Absent without self-custody.',
    ({ rfq }) => SIDES.map((side) => [side, rfq?.orders.filter((order) => order.side === side).length]),
  ),
  labelled(
    'mizani_rfq_promised',
    ['token'],
    'Amount that takers may still take through those orders (committed), in whole tokens. Absent without self-custody.',
    ({ rfq }) => byToken(rfq?.promised),
  ),
  labelled(
    'mizani_rfq_free',
    ['token'],
    'Available for new orders: the configured part of balance or allowance, whichever is less, minus what orders commit. Below 0 orders are overcommitted. Absent before the chain was read.',
    ({ rfq }) => byToken(rfq?.free),
  ),
  single(
    'mizani_chain_lag_seconds',
    'Age of the newest block that was read. Beyond rfq.maxChainLagMs no new order is signed. Absent before the first reading.',
    ({ rfq }) => (rfq?.chain ? rfq.chain.ageMs / 1_000 : null),
  ),
  labelled(
    'mizani_scorecard_realised',
    ['side', 'measure', 'horizon'],
    'Results of the last week, by side (bid, ask, both), measure (fills; edge, markout and informedLoss in basis points; edgeUsd and informedLossUsd in dollars) and horizon. Absent without a calibration or without fills.',
    (view) => measuresOf(view).map(({ labels, realised }) => [...labels, realised]),
  ),
  labelled(
    'mizani_scorecard_expected',
    ['side', 'measure', 'horizon', 'bound'],
    'Expected results of the last week under the calibration in force, with the 90 % band, by bound: low, value, high. Absent without a calibration.',
    (view) =>
      measuresOf(view).flatMap(({ labels, expected }) =>
        BOUNDS.map((bound) => [...labels, bound, expected[bound]] as const),
      ),
  ),
  single(
    'mizani_scorecard_outside',
    'Measures of the last week that lie outside their 90 % band; about one in ten does so by chance. Absent without a result of `mizani scorecard --every`.',
    ({ scorecard }) => scorecard?.card?.outside.length,
  ),
  single(
    'mizani_scorecard_age_seconds',
    'Time since `mizani scorecard --every` last compared the last week with the calibration. Absent without a result.',
    ({ scorecard, now }) => {
      const at = scorecard?.at ?? null
      return at === null ? null : (now - at) / 1_000
    },
  ),
  labelled(
    'mizani_challenger_difference_usd',
    ['bound'],
    'PnL less holding of a day, challenger less champion, in dollars, by bound: value is the mean, low and high are one standard error away. Absent before two days.',
    ({ challenger }) => {
      const difference = challenger?.compared?.difference ?? null
      if (difference === null) return []
      const { meanUsd, seUsd } = difference
      return BOUNDS.map((bound, at) => [bound, meanUsd + (at - 1) * seUsd])
    },
  ),
  single(
    'mizani_challenger_days',
    'Days that the paired difference rests on. Absent before two days.',
    ({ challenger }) => challenger?.compared?.difference?.days,
  ),
  single(
    'mizani_challenger_suspended',
    '1 = the challenger is suspended because it threw, looped or returned an impossible target, 0 = it runs. Absent without a result of `mizani challenger`.',
    ({ challenger }) =>
      challenger === null || challenger.since === null ? null : challenger.suspended !== null,
  ),
]

function byToken(amounts: AmountTexts = {}): readonly (readonly [string, string | undefined])[] {
  return ASSETS.map((token) => [token, amounts[token]])
}

/** Returns the terms that sum to the total, under Prometheus names. */
function byComponent(
  terms: Readonly<Record<string, string>> | undefined,
): readonly (readonly [string, string])[] {
  return Object.entries(terms ?? {})
    .filter(([term]) => term !== 'total')
    .map(([term, text]) => [term.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), text])
}

function measuresOf({ scorecard }: PositionView) {
  const card = scorecard?.card ?? null
  return SCORES.flatMap((side) =>
    (card?.[side].measures ?? []).map(({ name, horizon, realised, expected }) => ({
      labels: [side, name, horizon ?? ''] as const,
      realised,
      expected,
    })),
  )
}
