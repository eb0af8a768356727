import type { Asset } from '../../../base/money/asset.ts'
import type { Elsewhere, PostedFill } from './fees.ts'
import type { Fill, FillLegs } from './fill.ts'

/** Assets with the same symbol on two chains: a row that does not name the chain may mean either. */
export const CHAIN_ASSETS = ['USDT', 'USDT.bnb'] as const satisfies readonly Asset[]
export type ChainAsset = (typeof CHAIN_ASSETS)[number]

export function isChainAsset(asset: Asset): asset is ChainAsset {
  return asset === 'USDT' || asset === 'USDT.bnb'
}

/** The same trade with the dollars on the other chain. */
export function legsElsewhere({ inAsset, amountIn, outAsset, amountOut }: FillLegs): FillLegs {
  return { inAsset: otherOf(inAsset), amountIn, outAsset: otherOf(outAsset), amountOut }
}

/** Returns a fill whose row names no chain as it would be on the other chain. */
export function fillElsewhere(fill: Fill): Fill {
  return { ...fill, ...legsElsewhere(fill) }
}

/** A fill whose row names no chain, with its dollars on the chain where such fills were last seen. */
export function fillAsLastSeen(fill: Fill, chain: ChainAsset | null): Fill {
  if (fill.chainNamed !== false || chain === null) return fill
  return fill.inAsset === chain || fill.outAsset === chain ? fill : fillElsewhere(fill)
}

/** Returns the same posting on the other chain; applying it twice restores the original. */
export function postedElsewhere(fill: PostedFill & { readonly elsewhere: Elsewhere }): PostedFill {
  const { id, fee, word, mid } = fill.elsewhere
  const elsewhere = { id, fee: fill.fee, word: fill.word, mid }
  return { ...fill, ...legsElsewhere(fill), fee, word, elsewhere }
}

function otherOf(asset: Asset): Asset {
  if (!isChainAsset(asset)) return asset
  return asset === 'USDT' ? 'USDT.bnb' : 'USDT'
}
