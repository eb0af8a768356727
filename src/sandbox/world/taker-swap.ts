import type { Ms } from '../../base/time.ts'
import { DECIMALS, type StableAsset } from '../../money/asset.ts'
import type { Side } from '../../money/side.ts'
import type { WorldStep } from './world.ts'

type Wish = {
  readonly at: Ms
  readonly taker: string
  /** Of our quote: `ask` brings dollars, `bid` brings shillings. */
  readonly side: Side
  readonly stable: StableAsset
  readonly usd: number
  /** TZS per USD, to turn the wish into shillings. */
  readonly mid: number
  readonly maxSpreadBps: number
}

/** A taker's wish as a swap: dollars in whole cents, shillings in whole shillings, at least one. */
export function takerSwap(wish: Wish): WorldStep {
  const { at, taker, side, stable, usd, mid, maxSpreadBps } = wish
  if (side === 'ask') {
    const cents = BigInt(Math.max(1, Math.round(usd * 100)))
    const amountIn = cents * 10n ** BigInt(DECIMALS[stable] - 2)
    return { at, type: 'swap', taker, from: stable, to: 'NTZS', amountIn, maxSpreadBps }
  }
  const amountIn = BigInt(Math.max(1, Math.round(usd * mid))) * 10n ** BigInt(DECIMALS.NTZS)
  return { at, type: 'swap', taker, from: 'NTZS', to: stable, amountIn, maxSpreadBps }
}
