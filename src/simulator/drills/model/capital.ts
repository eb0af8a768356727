import {
  type Amounts,
  type Asset,
  type BookAmount,
  formatTokens,
  parseAmount,
  type StableAsset,
  toBook,
  toTokens,
} from '../../../base/money/asset.ts'
import { RATE_ONE, type Rate, type RateBand } from '../../../base/money/rate.ts'
import type { ConfigFile } from '../../../daemon/config/schema/schema.ts'

/** Used if the desk's configuration does not bound dollars. */
const DEFAULT_USD = { USDC: 12_000n * 10n ** 18n, USDT: 4_000n * 10n ** 18n, 'USDT.bnb': 0n } as const
const SCALE = 1_000_000

/** Returns the middle of the corridor in whole shillings, a mid at which the desk quotes. */
export function middleOf({ min, max }: RateBand): Rate {
  const middle = (min + max) / 2n
  const whole = (middle / RATE_ONE) * RATE_ONE
  return whole >= min && whole > 0n ? whole : middle
}

/** Returns capital within the desk's inventory limits and, if these allow it, at its target. */
export function openingCapital(
  { inventory }: ConfigFile,
  mid: Rate,
): Readonly<Record<keyof Amounts, string>> {
  const { limits, target } = inventory
  const dollars = (asset: StableAsset) => between(limits[asset], DEFAULT_USD[asset])
  const usdc = dollars('USDC')
  const usdt = dollars('USDT')
  const usd18 = usdc + usdt
  const share = BigInt(Math.round(Math.min(0.95, Math.max(0.05, target)) * SCALE))
  const wanted = (((usd18 * (BigInt(SCALE) - share)) / share) * mid) / RATE_ONE
  return {
    NTZS: wholeUnits(between(limits.NTZS, wanted), 'NTZS'),
    USDC: wholeUnits(usdc, 'USDC'),
    USDT: wholeUnits(usdt, 'USDT'),
    'USDT.bnb': '0',
  }
}

/**
 * Returns the same, but with so little of a token that the treasury refills it, and with at most the band's target of
 * every token, so that no swap can refill it.
 */
export function capitalToRefill(
  config: ConfigFile,
  mid: Rate,
  asset: 'NTZS' | 'USDC',
): Readonly<Record<keyof Amounts, string>> {
  const bands = config.treasury?.policy.bands
  const { min = null } = config.inventory.limits[asset] ?? {}
  const opening = { ...openingCapital(config, mid) }
  for (const token of ['NTZS', 'USDC', 'USDT'] as const) {
    const band = bands?.[token]
    if (band === undefined) continue
    const [low, target] = [toBook(band.refillBelow, token), toBook(band.target, token)]
    const least = min !== null && min < low ? min : 0n
    const held = parseAmount(opening[token])
    if (token === asset) opening[token] = wholeUnits((least + low) / 2n, token)
    else if (held.ok && held.value > target) opening[token] = formatTokens(band.target, token)
  }
  return opening
}

/** The sandbox's world holds whole units of each token. */
function wholeUnits(amount: BookAmount, asset: Asset): string {
  return formatTokens(toTokens(amount, asset), asset)
}

type Limits = { readonly min: bigint | null; readonly max: bigint | null }

function between(limits: Limits | undefined, wanted: bigint): bigint {
  const { min = null, max = null } = limits ?? {}
  if (min !== null && max !== null) return wanted > min && wanted < max ? wanted : (min + max) / 2n
  if (min !== null && wanted <= min) return 2n * min
  if (max !== null && wanted >= max) return max / 2n
  return wanted
}
