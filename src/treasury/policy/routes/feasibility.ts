import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { formatTokens } from '../../../base/money/asset.ts'
import { TREASURY_ASSETS, type ReadPlace, type TreasuryAsset } from '../../model/place.ts'
import type { PlanInput, PlannedIntent, RouteName } from '../../model/plan-types.ts'
import { wholeUnits } from '../units.ts'

/** A possible intent of one route. */
export type Draft = Pick<
  PlannedIntent,
  | 'route'
  | 'destination'
  | 'legs'
  | 'spendAsset'
  | 'mostSpent'
  | 'receiveAsset'
  | 'leastReceived'
  | 'cost'
  | 'arrivesAt'
  | 'latestAt'
  | 'failureOdds'
>

/** Tokens that a route or a place carries; an unknown rail counts as carrying all. */
const CARRIES: Readonly<Record<string, readonly TreasuryAsset[]>> = {
  'bank-deposit': ['NTZS'],
  payout: ['NTZS'],
  onramp: ['NTZS', 'USDC'],
  offramp: ['NTZS', 'USDC'],
  float: ['USDC'],
  // No route uses the platform wallet.
  platform: [],
}

/** Returns why no new intent may move the token; null = all its rails were read. */
export function unreadRail({ unreadable, holdings }: PlanInput, asset: TreasuryAsset): string | null {
  const failed = unreadable.find(({ rail }) => {
    const carried = Object.hasOwn(CARRIES, rail) ? CARRIES[rail] : TREASURY_ASSETS
    return carried?.includes(asset) === true
  })
  if (failed !== undefined) return `${failed.rail} could not be read (${failed.words})`
  const place = (['pool', 'lpWallet', 'treasury'] as const).find((each) => holdings[each] === null)
  return place === undefined ? null : `the balance of ${place} could not be read`
}

/** Returns why a route may not be used now; null = it may. */
export function routeObstacle({ config, rails, now }: PlanInput, route: RouteName): string | null {
  if (!config.policy.routes.includes(route)) return 'it is not among treasury.policy.routes'
  const restedUntil: Ms | null = rails.find((rail) => rail.route === route)?.restedUntil ?? null
  if (restedUntil === null || restedUntil <= now) return null
  return `it failed twice and pauses for another ${Math.ceil((restedUntil - now) / 60_000)} min`
}

/** Returns the base units at a place; 0 = not read, which `unreadRail` has refused before. */
export function heldAt({ holdings }: PlanInput, place: ReadPlace, asset: TreasuryAsset): bigint {
  return holdings[place]?.[asset] ?? 0n
}

/** Returns the position's holding, which is in the LP wallet after a deactivation. */
export function inPosition(input: PlanInput, asset: TreasuryAsset): bigint {
  return heldAt(input, 'pool', asset) + heldAt(input, 'lpWallet', asset)
}

/** Returns the part of `wanted` that may leave: whole units, within the cap, at least the smallest movement. */
export function withinCap(
  { capsLeft, config }: PlanInput,
  route: RouteName,
  destination: string,
  asset: TreasuryAsset,
  wanted: bigint,
): Result<bigint, string> {
  const cap = capsLeft(route, destination, asset)
  const amount = wholeUnits(cap !== null && cap < wanted ? cap : wanted, asset)
  const smallest = config.policy.smallest[asset]
  if (amount >= smallest && amount > 0n) return ok(amount)
  const least = `${formatTokens(smallest, asset)} ${asset}, the smallest movement`
  if (cap !== null && cap < wanted)
    return err(`its cap leaves ${formatTokens(cap, asset)} ${asset}, less than ${least}`)
  return err(`${formatTokens(amount, asset)} ${asset} are less than ${least}`)
}

/** Amounts of open legs of a token. */
export function takenAmounts({ openAmounts }: PlanInput, asset: TreasuryAsset): readonly bigint[] {
  return openAmounts.flatMap((open) => (open.asset === asset ? [open.amount] : []))
}
