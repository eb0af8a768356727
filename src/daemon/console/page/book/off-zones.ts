import type { PositionView } from '../../../view/position-view.ts'
import { shownDecimal } from '../text.ts'

/** A range of the share of dollars, 0..1, in which a side is off, and the limit that turns it off. */
export type OffZone = {
  readonly from: number
  readonly to: number
  readonly side: 'bid' | 'ask'
  readonly why: string
}

const STABLES = ['USDC', 'USDT', 'USDT.bnb'] as const

/**
 * Returns the ranges in which a side is off: by the inventory limits, at the current value and mid, and by the strategy's
 * `offBeyond` if it has one. For the picture only; risk counts tokens.
 */
export function offZones(view: PositionView): readonly OffZone[] {
  return [...byStrategy(view), ...byLimits(view)]
}

function byStrategy({ strategy, inventory: { target } }: PositionView): readonly OffZone[] {
  const offBeyond = numberIn(strategy.params, 'offBeyond')
  if (offBeyond === null || offBeyond < 0 || offBeyond >= 1) return []
  const why = 'the strategy’s own limit'
  return [
    { from: target + offBeyond * (1 - target), to: 1, side: 'ask', why },
    { from: 0, to: target - offBeyond * target, side: 'bid', why },
  ]
}

function byLimits({ balances, bounds, mid }: PositionView): readonly OffZone[] {
  const rate = Number(mid)
  const ntzs = Number(balances.NTZS ?? 0)
  const usd = STABLES.reduce((sum, asset) => sum + Number(balances[asset] ?? 0), 0)
  const total = ntzs + usd * rate
  if (mid === null || !(total > 0)) return []
  const zones: OffZone[] = []
  const above = (share: number, why: string) => zones.push({ from: clamp(share), to: 1, side: 'ask', why })
  const below = (share: number, why: string) => zones.push({ from: 0, to: clamp(share), side: 'bid', why })
  const { NTZS } = bounds.inventory
  if (NTZS?.min != null) above(1 - Number(NTZS.min) / total, leastText(NTZS.min, 'NTZS'))
  if (NTZS?.max != null) below(1 - Number(NTZS.max) / total, mostText(NTZS.max, 'NTZS'))
  for (const asset of STABLES) {
    const limit = bounds.inventory[asset]
    if (limit === undefined) continue
    const others = usd - Number(balances[asset] ?? 0)
    const shareAt = (text: string) => ((Number(text) + others) * rate) / total
    if (limit.max !== null) above(shareAt(limit.max), mostText(limit.max, asset))
    if (limit.min !== null) below(shareAt(limit.min), leastText(limit.min, asset))
  }
  return zones.filter(({ from, to }) => to > from)
}

const leastText = (amount: string, asset: string) => `at least ${shownDecimal(amount, 0)} ${asset}`
const mostText = (amount: string, asset: string) => `at most ${shownDecimal(amount, 0)} ${asset}`

function numberIn(params: unknown, name: string): number | null {
  if (typeof params !== 'object' || params === null) return null
  const value = (params as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share))
}
