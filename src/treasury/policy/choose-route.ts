import { HOUR_MS, type Ms } from '../../base/time.ts'
import { formatTokens } from '../../base/money/asset.ts'
import type { IntentRule } from '../model/intent.ts'
import type { TreasuryAsset } from '../model/place.ts'
import { unservedUntil, type Need } from './needs.ts'
import type { Direction, PlanInput, RejectedRoute, RouteName } from '../model/plan-types.ts'
import { routeObstacle, type Draft } from './routes/feasibility.ts'
import type { Result } from '../../base/result.ts'
import { inShillings, SHILLING, bpsOfAmount, toUnits } from './units.ts'

/** Assumed loss of a side that is off, in bps of the demanded value, if the own spread is unknown. */
const USUAL_EDGE_BPS = 50
/** A refill is worth at most what the side earns with it within a week. */
const WORTH_HOURS = 168

export type Choice = { readonly best: Draft | null; readonly rejected: readonly RejectedRoute[] }

type Wanted = {
  readonly rule: IntentRule
  readonly asset: TreasuryAsset
  readonly direction: Direction
  /** A draft with its cost of delay in base units of NTZS: the side is off while the refill is in transit. */
  readonly delayCost: (draft: Draft) => bigint
}

/** Returns the draft with the lowest cost including its delay; every other route is rejected with the reason. */
export function chooseRoute<Wish>(
  input: PlanInput,
  routes: readonly (readonly [RouteName, (input: PlanInput, wish: Wish) => Result<Draft, string>])[],
  wish: Wish,
  { rule, asset, direction, delayCost }: Wanted,
): Choice {
  const rejected: RejectedRoute[] = []
  const reject = (route: RouteName, why: string) => void rejected.push({ rule, route, asset, direction, why })
  const drafts: { readonly draft: Draft; readonly price: bigint }[] = []
  for (const [route, draftOf] of routes) {
    const obstacle = routeObstacle(input, route)
    if (obstacle !== null) {
      reject(route, obstacle)
      continue
    }
    const draft = draftOf(input, wish)
    if (!draft.ok) reject(route, draft.error)
    else drafts.push({ draft: draft.value, price: draft.value.cost + delayCost(draft.value) })
  }
  const best = drafts.reduce<(typeof drafts)[number] | null>(
    (least, each) => (least === null || each.price < least.price ? each : least),
    null,
  )
  for (const { draft, price } of drafts) {
    if (draft === best?.draft) continue
    reject(
      draft.route,
      `it costs ${shillings(price)} TZS with its delay; ${best?.draft.route ?? ''} costs ${shillings(best?.price ?? 0n)} TZS`,
    )
  }
  return { best: best?.draft ?? null, rejected }
}

/** Returns the loss of the side until a draft has arrived, plus the loss from its shortfall, in base units of NTZS. */
export function refillDelayCost(input: PlanInput, need: Need, wanted: bigint): (draft: Draft) => bigint {
  return (draft) => {
    const short = wanted > draft.leastReceived ? wanted - draft.leastReceived : 0n
    const waiting = toUnits(unservedUntil(need, draft.arrivesAt))
    // An earlier refill serves at most what it brings.
    return edgeOf(input, need.asset, (waiting < wanted ? waiting : wanted) + short)
  }
}

/** Returns the position's loss without a refill of this size until the end of the week; null = no mid. */
export function refillWorth(input: PlanInput, need: Need, amount: bigint, now: Ms): bigint | null {
  if (need.asset !== 'NTZS' && input.mid === null) return null
  const unserved = toUnits(unservedUntil(need, now + WORTH_HOURS * HOUR_MS))
  return edgeOf(input, need.asset, unserved < amount ? unserved : amount)
}

function edgeOf({ mid, quote }: PlanInput, asset: TreasuryAsset, amount: bigint): bigint {
  // Our ask pays out shillings, our bid dollars.
  const edge = (asset === 'NTZS' ? quote.askBps : quote.bidBps) ?? USUAL_EDGE_BPS
  return bpsOfAmount(inShillings(amount, asset, mid) ?? 0n, edge)
}

function shillings(amount: bigint): string {
  return formatTokens(amount - (amount % SHILLING), 'NTZS')
}
