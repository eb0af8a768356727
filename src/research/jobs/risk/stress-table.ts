import { floatText } from '../../../base/text/numbers.ts'
import { normalQuantile } from '../../../core/models/distributions.ts'
import type { RiskSettings } from '../../../core/risk/risk-settings.ts'
import type { RiskStress } from '../../../daemon/view/results/risk-view.ts'
import { lossAfter } from './measure-risk.ts'
import type { Stock } from '../../scenarios/play/account.ts'
import type { RiskPosition } from './risk-position.ts'

const DEVALUATIONS = [0.03, 0.05, 0.1]
const WORST = normalQuantile(0.99)

type Shock = {
  readonly name: string
  /** Log moves of the true rate from the fair value while the mid is held; of several the worst counts for each currency. */
  readonly moves: readonly number[]
  /** Takers of one side come for this many days, whatever they gain; absent = only where the move pays, at once. */
  readonly flowDays?: number
  /** What the daemon can still do: everything, close the losing side at once, or nothing. */
  readonly control?: 'closes' | 'none'
  readonly limits: readonly string[]
}

/**
 * Returns the loss in each stress: without trades, with the losing side taken whole at the standing quote, and as much of it
 * as the limits allow. `gapBps`: the usual gap between true rate and mid.
 */
export function stressTable(
  position: RiskPosition,
  sigmaBps: number,
  gapBps: number,
  risk: RiskSettings,
): readonly RiskStress[] {
  const bothWays = (bps: number, from = 0) => [from + (WORST * bps) / 1e4, from - (WORST * bps) / 1e4]
  const shocks: readonly Shock[] = [
    ...DEVALUATIONS.map((share): Shock => {
      const name = `devaluation of ${floatText(100 * share, 0)} %, the mid held`
      return { name, moves: [Math.log1p(share)], ...feedLimit(share, position.hasLiveFeed, risk) }
    }),
    {
      name: `feed gone, a gap of ${floatText(WORST * gapBps, 0)} bps`,
      moves: bothWays(gapBps, Math.log(position.mid / position.tzsPerUsd)),
      limits: ['reference-deviation cannot act'],
    },
    {
      name: 'venue down for two days',
      moves: bothWays(Math.hypot(gapBps, sigmaBps * Math.SQRT2)),
      control: 'none',
      limits: ['no request reaches the venue: the quote stays at the old mid, and no limit can close it'],
    },
    { name: 'one-sided flow for a week', moves: bothWays(sigmaBps * Math.sqrt(5)), flowDays: 7, limits: [] },
  ]
  return shocks.map((shock) => stressOf(position, shock, risk))
}

function stressOf(position: RiskPosition, shock: Shock, risk: RiskSettings): RiskStress {
  const { name, moves, flowDays = 1, control, limits } = shock
  const cap = risk.maxVolumePerDayUsd === null ? Infinity : Number(risk.maxVolumePerDayUsd) / 1e18
  const worst = (stock: Stock, mostUsd = Infinity) => {
    const all = moves.map((move) => afterTaking(position, move, stock, mostUsd, shock.flowDays !== undefined))
    return { usd: Math.max(...all.map(({ usd }) => usd)), tzs: Math.max(...all.map(({ tzs }) => tzs)) }
  }
  const taken = worst(position.payable)
  const held = worst({ bid: 0, ask: 0 })
  const allowed = worst(position.limited, cap * flowDays)
  const limited = control === 'none' ? taken : control === 'closes' ? held : allowed
  const volume =
    control === undefined && cap < Infinity
      ? [`volume-per-day closes a side at ${floatText(cap, 0)} USD`]
      : []
  return { name, held, taken, limited, limits: [...limits, ...volume, haltText(position, limited.tzs, risk)] }
}

/** Takers bring the currency that falls, at the mid before the move. */
function afterTaking(position: RiskPosition, move: number, stock: Stock, mostUsd: number, isFlow: boolean) {
  const { tzsPerUsd, mid, bidBps, askBps } = position
  const after = tzsPerUsd * Math.exp(move)
  const [side, sign] = after > mid ? (['bid', 1] as const) : (['ask', -1] as const)
  const bps = side === 'bid' ? bidBps : askBps
  const price = mid * (1 + (sign * (bps ?? 0)) / 1e4)
  const doesPay = isFlow || sign * (after - price) > 0
  // Shillings are in dollars of the mid; at the price of the ask they buy more.
  const taken = Math.min(mostUsd, side === 'bid' ? stock.bid : (stock.ask * mid) / price)
  const gainUsd = bps === null || !doesPay ? 0 : sign * taken * (price / after - 1)
  return lossAfter(position, move, gainUsd)
}

function feedLimit(
  share: number,
  hasLiveFeed: boolean,
  risk: RiskSettings,
): Pick<Shock, 'control' | 'limits'> {
  const { maxReferenceDeviationBps: limit, maxMidStepBps: step } = risk
  // The rule measures from the feed, and the mid is below it.
  const apart = 1e4 * (share / (1 + share))
  const bps = (value: number | null) => (value === null ? 'off' : `${floatText(value, 0)} bps`)
  const waits = step !== null && 1e4 * share > step ? 'waits' : 'is adopted'
  const later = `a mid that follows at once ${waits} (risk.maxMidStepBps ${bps(step)})`
  if (!hasLiveFeed) return { limits: ['no feed is live: reference-deviation cannot act', later] }
  const doesClose = limit !== null && apart > limit
  const acts = `reference-deviation ${doesClose ? 'closes the losing side' : 'does not act'}: ${bps(apart)}, limit ${bps(limit)}`
  return { ...(doesClose && { control: 'closes' as const }), limits: [acts, later] }
}

/** The loss limit counts shillings since the start of the ledger. */
function haltText({ pnlTzs }: RiskPosition, lossTzs: number, { maxLossTzs }: RiskSettings): string {
  if (maxLossTzs === null) return 'risk.maxLossTzs is off'
  const limit = `risk.maxLossTzs ${floatText(Number(maxLossTzs) / 1e36, 0)}`
  if (pnlTzs === null) return `the PnL so far is unknown (${limit})`
  return `${lossTzs - pnlTzs > Number(maxLossTzs) / 1e36 ? 'loss halts' : 'loss does not halt'} (${limit})`
}
