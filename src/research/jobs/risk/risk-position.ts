import { type Asset, type BookAmount, formatAmount, STABLE_ASSETS } from '../../../base/money/asset.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { InventoryLimits } from '../../../core/risk/risk-settings.ts'
import type { RiskMeasured } from '../../../daemon/view/results/risk-view.ts'
import type { PositionView } from '../../../daemon/view/position-view.ts'
import type { Stock } from '../../scenarios/play/account.ts'

/** What a risk is measured of. Dollars count at par, whatever their token. */
export type RiskPosition = RiskMeasured['position'] & {
  /** The venue's mid, from which takers are priced; `tzsPerUsd` is the fair value. */
  readonly mid: number
  /** What takers can take of each side, and what of it is above the minimums of the inventory. */
  readonly payable: Stock
  readonly limited: Stock
  /** The best quote of another provider; null = unknown. */
  readonly otherBps: number | null
  readonly hasLiveFeed: boolean
  /** Null = unknown. */
  readonly pnlTzs: number | null
}

type Held = { readonly [asset in Asset]?: number }
/** Amounts, price and quote that replace those of the running position; a side without one is off. */
export type RiskPlan = Held & { readonly mid?: number; readonly bid?: number; readonly ask?: number }

/** Returns the position of a view, or a plan without one. The error names what is unknown. */
export function riskPosition(
  view: PositionView | null,
  source: RiskPosition['source'],
  limits: InventoryLimits,
  plan: RiskPlan | null,
  now: number,
): Result<RiskPosition, string> {
  const held = plan ?? numbersOf(view?.balances)
  const pool = plan ?? numbersOf(view?.pool)
  const mid = plan?.mid ?? (view?.mid == null ? null : Number(view.mid))
  if (mid === null) return err('no mid is known; give one: --inventory NTZS=AMOUNT,USDC=AMOUNT,mid=RATE')
  if (!(held.NTZS !== undefined || STABLE_ASSETS.some((asset) => held[asset] !== undefined)))
    return err('the balances are not known yet; wait for the daemon, or give a plan: --inventory')
  const above = (asset: Asset) => {
    const min: BookAmount | null = limits[asset]?.min ?? null
    const most = min === null ? Infinity : (held[asset] ?? 0) - Number(formatAmount(min))
    return Math.max(0, Math.min(pool[asset] ?? 0, most))
  }
  const dollars = (of: (asset: Asset) => number) => STABLE_ASSETS.reduce((sum, asset) => sum + of(asset), 0)
  const others = [view?.competition.bid, view?.competition.ask].flatMap((seen) =>
    seen == null || seen.isOwn ? [] : [Math.min(500, Math.max(10, Math.round(seen.bps)))],
  )
  return ok({
    source: plan === null ? source : 'plan',
    at: view?.now ?? now,
    ntzs: held.NTZS ?? 0,
    usd: dollars((asset) => held[asset] ?? 0),
    tzsPerUsd: plan?.mid === undefined && view?.fairValue != null ? Number(view.fairValue) : mid,
    mid,
    ...(plan === null ? quoteOf(view) : { bidBps: plan.bid ?? null, askBps: plan.ask ?? null }),
    payable: { bid: dollars((asset) => pool[asset] ?? 0), ask: (pool.NTZS ?? 0) / mid },
    limited: { bid: dollars(above), ask: above('NTZS') / mid },
    otherBps: others.length === 0 ? null : Math.min(...others),
    hasLiveFeed: view !== null && !view.reference.standsAlone,
    pnlTzs: view?.pnl == null ? null : Number(view.pnl.tzs.total),
  })
}

/** Orders of self-custody are no standing quote. */
function quoteOf(view: PositionView | null): Pick<RiskPosition, 'bidBps' | 'askBps'> {
  if (view === null || view.rfq !== null) return { bidBps: null, askBps: null }
  const { bidBps, askBps, quoteBid, quoteAsk } = view.quote
  return { bidBps: quoteBid === false ? null : bidBps, askBps: quoteAsk === false ? null : askBps }
}

function numbersOf(texts: PositionView['balances'] = {}): Held {
  return Object.fromEntries(Object.entries(texts).map(([asset, text]) => [asset, Number(text)]))
}
