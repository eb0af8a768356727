import { HOUR_MS, type Ms } from '../../base/time.ts'
import { formatTokens } from '../../base/money/asset.ts'
import type { IntentRule } from '../model/intent.ts'
import type { TreasuryAsset } from '../model/place.ts'
import { unservedUntil, type Need } from './needs.ts'
import type { Direction, PlanInput, RejectedRoute, RouteName } from '../model/plan-types.ts'
import { routeObstacle, type Draft } from './routes/feasibility.ts'
import type { Result } from '../../base/result.ts'
import { inShillings, SHILLING, bpsOfAmount, toUnits } from './units.ts'

/** What a side that is off loses of the value that takers wanted, where the own spread is not known. */
const USUAL_EDGE_BPS = 50
/** A refill is worth what the side earns with it until the week's end at most. */
const WORTH_HOURS = 168

export type Choice = { readonly best: Draft | null; readonly rejected: readonly RejectedRoute[] }

type Wanted = {
  readonly rule: IntentRule
  readonly asset: TreasuryAsset
  readonly direction: Direction
  /** Base units of NTZS that one draft costs beside its fees: a side that is off while it is on its way. */
  readonly delayCost: (draft: Draft) => bigint
}

/** The cheapest draft with what its delay costs; every other way is rejected with the reason. */
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

/** What the side loses until a draft has arrived, and by what the draft leaves short; base units of NTZS. */
export function refillDelayCost(input: PlanInput, need: Need, wanted: bigint): (draft: Draft) => bigint {
  return (draft) => {
    const short = wanted > draft.leastReceived ? wanted - draft.leastReceived : 0n
    const waiting = toUnits(unservedUntil(need, draft.arrivesAt))
    // A refill that comes sooner serves no more than it brings.
    return edgeOf(input, need.asset, (waiting < wanted ? waiting : wanted) + short)
  }
}

/** What the position loses without a refill of so much until the week's end; null = no mid. */
export function refillWorth(input: PlanInput, need: Need, amount: bigint, now: Ms): bigint | null {
  if (need.asset !== 'NTZS' && input.mid === null) return null
  const unserved = toUnits(unservedUntil(need, now + WORTH_HOURS * HOUR_MS))
  return edgeOf(input, need.asset, unserved < amount ? unserved : amount)
}

function edgeOf({ mid, quote }: PlanInput, asset: TreasuryAsset, amount: bigint): bigint {
  // Shillings are what our ask pays out, dollars what our bid does.
  const edge = (asset === 'NTZS' ? quote.askBps : quote.bidBps) ?? USUAL_EDGE_BPS
  return bpsOfAmount(inShillings(amount, asset, mid) ?? 0n, edge)
}

function shillings(amount: bigint): string {
  return formatTokens(amount - (amount % SHILLING), 'NTZS')
}
