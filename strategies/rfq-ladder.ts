/**
 * Signed orders in steps: the further from the fair value, the larger. For capital in self-custody.
 *
 * Idea: level 0 is at the half-spread. Each deeper level is sizePremiumBps further out and sizeGrowth times as large,
 * on both sides and for each dollar token of the wallet. The whole ladder is skewed against the imbalance d:
 *   bid of level i = baseHalfSpreadBps + i * sizePremiumBps - maxSkewBps * d    at fair * (1 + bps / 10^4)
 *   ask of level i = baseHalfSpreadBps + i * sizePremiumBps + maxSkewBps * d    at fair * (1 - bps / 10^4)
 * All sizes shrink together if the levels of a token would commit more than `share` of it. The rest covers the next ladder until
 * this one has expired. With pooled capital it quotes level 0 as a spread.
 * Parameters:
 *   levels             orders per side and dollar, 1..20
 *   baseHalfSpreadBps  half-spread of level 0 on target, 10..500
 *   sizePremiumBps     added per level, 0..100
 *   levelUsd           size of level 0, dollars
 *   sizeGrowth         size of each level relative to the previous one, 1..10
 *   maxSkewBps         skew at |d| = 1, 0..490; risk moves orders that are too good for the taker to its bound
 *   stables            dollar tokens to quote; by default all available
 *   share              share of a token available for new orders, above 0 up to 1
 * WHEN IT LOSES: when the fair value jumps. An order can be filled until it expires. The first taker who learns of the jump takes
 * every level of the wrong side. In a trend the skew repeatedly gives up bps. Takers who split a trade into small fills pay only
 * the spread of level 0.
 */
import { defineStrategy, z, type TargetOrder, type StrategyContext } from '#kit'

type Stable = TargetOrder['stable']
type Params = {
  levels: number
  baseHalfSpreadBps: number
  sizePremiumBps: number
  levelUsd: number
  sizeGrowth: number
  maxSkewBps: number
  stables?: Stable[] | undefined
  share: number
}
type Level = { readonly bidBps: number; readonly askBps: number; readonly usd: number }

/** Smallest order: a millionth of a dollar. */
const LEAST_USD = 1e-6

export default defineStrategy<Params, object>({
  name: 'rfq-ladder',
  params: z.strictObject({
    levels: z.int().min(1).max(20).default(3),
    baseHalfSpreadBps: z.number().min(10).max(500).default(60),
    sizePremiumBps: z.number().min(0).max(100).default(15),
    levelUsd: z.number().positive().max(1_000_000).default(500),
    sizeGrowth: z.number().min(1).max(10).default(1.5),
    maxSkewBps: z.number().min(0).max(490).default(40),
    stables: z
      .array(z.enum(['USDC', 'USDT', 'USDT.bnb']))
      .min(1)
      .optional(),
    share: z.number().positive().max(1).default(0.5),
  }),
  init: () => ({}),
  quote(context, _state, params) {
    const d = Math.min(1, Math.max(-1, context.inventory.imbalance))
    const skew = params.maxSkewBps * d
    const reasons = [`${describe(d)}: ${skewed(params.baseHalfSpreadBps, skew)}`]
    const orders = ladder(context, params, skew, reasons)
    return {
      bidBps: params.baseHalfSpreadBps - skew,
      askBps: params.baseHalfSpreadBps + skew,
      orders,
      reasons,
      terms: [
        { name: 'half-spread', bidBps: params.baseHalfSpreadBps, askBps: params.baseHalfSpreadBps },
        { name: 'inventory', bidBps: -skew, askBps: skew },
      ],
    }
  },
})

function ladder(context: StrategyContext, params: Params, skew: number, reasons: string[]): TargetOrder[] {
  const { available, fairValue } = context
  if (available === null) {
    reasons.push('no orders: the capital is in the pool, or the chain has not been read yet')
    return []
  }
  const wanted = [...new Set(params.stables ?? (Object.keys(available.stables) as Stable[]))]
  const stables = wanted.filter((stable) => available.stables[stable] !== undefined)
  const absent = wanted.filter((stable) => !stables.includes(stable))
  if (absent.length > 0) reasons.push(`the wallet has no ${absent.join(' and no ')} on this chain`)
  const levels = levelsOf(params, skew)
  const orders: TargetOrder[] = []
  const perAsk = levels.reduce((sum, level) => sum + level.usd * askPrice(fairValue, level), 0)
  const askScale = scaleTo(params.share * available.ntzs, perAsk * stables.length)
  for (const stable of stables) {
    const perBid = levels.reduce((sum, level) => sum + level.usd, 0)
    const bidScale = scaleTo(params.share * (available.stables[stable] ?? 0), perBid)
    for (const level of levels) {
      const [bidUsd, askUsd] = [level.usd * bidScale, level.usd * askScale]
      if (bidUsd >= LEAST_USD)
        orders.push({ side: 'bid', stable, usd: bidUsd, tzsPerUsd: bidPrice(fairValue, level) })
      if (askUsd >= LEAST_USD)
        orders.push({ side: 'ask', stable, usd: askUsd, tzsPerUsd: askPrice(fairValue, level) })
    }
    if (bidScale < 1)
      reasons.push(`bids for ${stable} at ${percent(bidScale)} of their size: ${stable} is short`)
  }
  if (askScale < 1 && stables.length > 0)
    reasons.push(`asks at ${percent(askScale)} of their size: shillings are short`)
  reasons.push(`${orders.length} orders for ${stables.join(', ') || 'no dollar'}`)
  return orders
}

function levelsOf(params: Params, skew: number): Level[] {
  return Array.from({ length: params.levels }, (_, i) => {
    const bps = params.baseHalfSpreadBps + i * params.sizePremiumBps
    return { bidBps: bps - skew, askBps: bps + skew, usd: params.levelUsd * params.sizeGrowth ** i }
  })
}

type FairValue = StrategyContext['fairValue']

/** Shillings that a taker pays per dollar. */
function bidPrice({ tzsPerUsd }: FairValue, { bidBps }: Level): number {
  return tzsPerUsd * (1 + bidBps / 10_000)
}

/** Shillings that a taker receives per dollar. */
function askPrice({ tzsPerUsd }: FairValue, { askBps }: Level): number {
  return tzsPerUsd * (1 - askBps / 10_000)
}

/** Returns the factor, at most 1, that keeps `needed` within `available`. */
function scaleTo(available: number, needed: number): number {
  return needed <= available ? 1 : Math.max(0, available) / needed
}

function percent(part: number): string {
  return `${(part * 100).toFixed(0)} %`
}

/** The two spreads as the sums that they are. */
function skewed(half: number, skew: number): string {
  const size = Math.abs(skew).toFixed(1)
  return skew < 0
    ? `bid ${half} + ${size}, ask ${half} - ${size}`
    : `bid ${half} - ${size}, ask ${half} + ${size}`
}

function describe(d: number): string {
  if (d === 0) return 'on target'
  return `${(Math.abs(d) * 100).toFixed(0)} % of the way to all ${d > 0 ? 'dollars' : 'shillings'}`
}
