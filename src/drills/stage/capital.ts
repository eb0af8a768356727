import { type Amounts, formatAmount, type StableAsset, TO_18_DECIMALS } from '../../money/asset.ts'
import { RATE_ONE, type Rate, type RateBand } from '../../money/rate.ts'
import type { ConfigFile } from '../../config/schema/schema.ts'

/** For a desk whose configuration bounds no dollars. */
const DEFAULT_USD = { USDC: 12_000n * 10n ** 6n, USDT: 4_000n * 10n ** 6n, 'USDT.bnb': 0n } as const
const SCALE = 1_000_000

/** The middle of the corridor, in whole shillings: a mid that the desk quotes from. */
export function middleOf({ min, max }: RateBand): Rate {
  const middle = (min + max) / 2n
  const whole = (middle / RATE_ONE) * RATE_ONE
  return whole >= min && whole > 0n ? whole : middle
}

/** Capital that is inside of the desk's inventory limits and, where these leave room, at its target. */
export function openingCapital(
  { inventory }: ConfigFile,
  mid: Rate,
): Readonly<Record<keyof Amounts, string>> {
  const { limits, target } = inventory
  const dollars = (asset: StableAsset) => between(limits[asset], DEFAULT_USD[asset])
  const usdc = dollars('USDC')
  const usdt = dollars('USDT')
  const usd18 = usdc * TO_18_DECIMALS.USDC + usdt * TO_18_DECIMALS.USDT
  const share = BigInt(Math.round(Math.min(0.95, Math.max(0.05, target)) * SCALE))
  const wanted = (((usd18 * (BigInt(SCALE) - share)) / share) * mid) / RATE_ONE
  return {
    NTZS: formatAmount(between(limits.NTZS, wanted), 'NTZS'),
    USDC: formatAmount(usdc, 'USDC'),
    USDT: formatAmount(usdt, 'USDT'),
    'USDT.bnb': '0',
  }
}

type Limits = { readonly min: bigint | null; readonly max: bigint | null }

function between(limits: Limits | undefined, wanted: bigint): bigint {
  const { min = null, max = null } = limits ?? {}
  if (min !== null && max !== null) return wanted > min && wanted < max ? wanted : (min + max) / 2n
  if (min !== null && wanted <= min) return 2n * min
  if (max !== null && wanted >= max) return max / 2n
  return wanted
}
