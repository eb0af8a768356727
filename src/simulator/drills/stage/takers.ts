import { TOKEN_DECIMALS } from '../../../base/money/asset.ts'
import { type Rate, rateToNumber } from '../../../base/money/rate.ts'
import type { Side } from '../../../base/money/side.ts'
import type { Injection } from '../../sandbox/inject.ts'
import type { VenueModel } from '../../sandbox/model.ts'
import type { DrillChain } from './chain.ts'

export type DrillTakers = {
  /** Lets a taker take that many dollars on a side. Returns whether it was filled. */
  readonly take: (side: Side, usd: number) => Promise<boolean>
  /** Lets a taker who knows the market's rate take our quote if that pays. */
  readonly exploit: (usd: number) => Promise<void>
  /** Withholds this many basis points of each later fill's proceeds from the position. */
  readonly leak: (bps: number) => Promise<void>
}

/** A taker comes only for at least this gain. */
const LEAST_GAIN = 1e-4

type PoolMarket = {
  readonly inject: (injection: Injection) => Promise<void>
  readonly catchUp: () => Promise<void>
  readonly truth: () => Rate
}

/** Takers of the pool. `catchUp` advances the venue to now; `truth` is the market's own rate. */
export function createDrillTakers(
  model: VenueModel,
  stable: 'USDC' | 'USDT',
  { inject, catchUp, truth }: PoolMarket,
): DrillTakers {
  const { ours } = model.state
  async function take(side: Side, usd: number): Promise<boolean> {
    await catchUp()
    const wish =
      side === 'ask'
        ? { from: stable, to: 'NTZS' as const, amountIn: units(usd, TOKEN_DECIMALS[stable]) }
        : {
            from: 'NTZS' as const,
            to: stable,
            amountIn: units(usd * rateToNumber(model.state.mid), TOKEN_DECIMALS.NTZS),
          }
    return model.swap(wish).ok
  }
  return {
    take,
    leak: (leakBps) => inject({ faults: { leakBps } }),
    async exploit(usd) {
      const ratio = rateToNumber(truth()) / rateToNumber(model.state.mid)
      const kept = 1 - model.options.protocolFeeBps / 10_000
      const [bid, ask] = [ours.bidBps / 10_000, ours.askBps / 10_000]
      const gains = 1 + LEAST_GAIN
      if (ours.isActive && ours.quoteAsk && (1 - ask) * kept > ratio * gains) await take('ask', usd)
      if (ours.isActive && ours.quoteBid && ratio * kept > (1 + bid) * gains) await take('bid', usd)
    },
  }
}

/** Takers of signed orders. An informed taker fills the best order completely, and only if that pays. */
export function createChainTakers({
  paying,
  fillable,
  fill,
  lose,
}: Pick<DrillChain, 'paying' | 'fillable' | 'fill' | 'lose'>): DrillTakers {
  let leakBps = 0
  async function fillOne(hash: string | undefined, usd?: number): Promise<boolean> {
    const received = hash === undefined ? null : await fill(hash, usd)
    if (received === null) return false
    const { asset, amount } = received
    if (leakBps > 0) await lose({ asset, amount: (amount * BigInt(leakBps)) / 10_000n })
    return true
  }
  return {
    async take(side, usd) {
      const [best] = await fillable(side)
      return fillOne(best, usd)
    },
    async exploit() {
      const [best] = await paying()
      await fillOne(best)
    },
    async leak(bps) {
      leakBps = bps
    },
  }
}

/** Returns an amount of whole tokens in base units, to the millionth. */
function units(amount: number, decimals: number): bigint {
  return BigInt(Math.round(amount * 1e6)) * 10n ** BigInt(decimals - 6)
}
