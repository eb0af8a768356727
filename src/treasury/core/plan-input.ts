import { HOUR_MS, MINUTE_MS } from '../../base/time.ts'
import { capLeft } from '../approvals/caps.ts'
import { transferCaps, transfersLeft } from '../approvals/venue-caps.ts'
import { firstPayout } from '../approvals/payees.ts'
import { asksForReceived, namedAmount } from '../intents/amounts.ts'
import { isByPosition, isEnded, workingIndexes } from '../intents/legs.ts'
import { legAt } from '../intents/moves.ts'
import { activeIntents } from '../intents/plan-intent.ts'
import type { TreasuryConfig } from '../model/config.ts'
import type { Intent } from '../model/intent.ts'
import type { TreasuryPlace, TreasuryAsset } from '../model/place.ts'
import type { PlanInput } from '../model/plan-types.ts'
import { railScores } from '../rails.ts'
import type { TreasuryState } from '../state.ts'

/** The venue refuses an identical payout within this time. Source: partner-api.md, limits. */
const DUPLICATE_WINDOW_MS = 5 * MINUTE_MS

/** Returns the input of a plan; null = no balances have been read yet. */
export function planInputOf(state: TreasuryState, now: number): PlanInput | null {
  const { holdings, mid, quote, flow, skimDueAt, unreadable } = state
  if (holdings === null) return null
  const active = activeIntents(state)
  return {
    now: Math.max(now, state.now),
    config: deployed(state),
    holdings,
    mid,
    quote,
    inTransit: inTransitOf(active),
    active: active.map(({ rule, asset, direction }) => ({ rule, asset, direction })),
    rails: railScores(state),
    unreadable: unreadable.map(({ rail, words }) => ({ rail, words })),
    flow,
    transferCaps: { perTransaction: transferCaps(state).perTransaction, left: transfersLeft(state) },
    capsLeft: (route, destination, asset) => capLeft(state, route, destination, asset),
    openAmounts: Object.values(state.intents).flatMap(({ legs }) =>
      legs
        .filter((leg) => {
          const isRecent = leg.sentAt !== null && now - leg.sentAt < DUPLICATE_WINDOW_MS
          return !isByPosition(leg.kind) && (!isEnded(leg) || leg.stage === 'claim' || isRecent)
        })
        .map(namedAmount),
    ),
    firstPayout: (payee, asset) => firstPayout(state, payee, asset),
    isSkimDue: skimDueAt !== null && now - skimDueAt < HOUR_MS,
  }
}

/**
 * Returns the configuration to plan with. While the shilling's backing is in doubt and `treasury.supply.exit` is lower,
 * the plan buys no shillings and sells those above half of the target.
 */
function deployed({ config, supply }: TreasuryState): TreasuryConfig {
  const band = config.policy.bands.NTZS
  if (supply.alarm === null || config.supply.exit !== 'lower' || band === undefined) return config
  const half = { target: band.target / 2n, refillBelow: 0n, skimAbove: band.target / 2n }
  return { ...config, policy: { ...config.policy, bands: { ...config.policy.bands, NTZS: half } } }
}

const COUNTED: readonly TreasuryPlace[] = ['pool', 'lpWallet', 'treasury']

/**
 * Returns the base units in transit to pool, LP wallet and treasury: what each intent's moving legs will bring there
 * from elsewhere, or after it has left.
 */
function inTransitOf(active: readonly Intent[]): Record<TreasuryAsset, bigint> {
  const sums: Record<TreasuryAsset, bigint> = { NTZS: 0n, USDC: 0n, USDT: 0n }
  for (const leg of active.flatMap((intent) => workingIndexes(intent).map((index) => legAt(intent, index)))) {
    if (!COUNTED.includes(leg.to)) continue
    const isPlanned = leg.stage === 'planned' || leg.stage === 'quoted'
    if (isPlanned && COUNTED.includes(leg.from) && leg.asset === leg.receiveAsset) continue
    const isSame = leg.asset === leg.receiveAsset && !asksForReceived(leg.kind)
    sums[leg.receiveAsset] += leg.quote?.receive ?? (isSame ? leg.amount : leg.leastReceived)
    if (isPlanned && COUNTED.includes(leg.from)) sums[leg.asset] -= leg.amount
  }
  return sums
}
