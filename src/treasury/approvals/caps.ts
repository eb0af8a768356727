import { DAY_MS, type Ms } from '../../base/time.ts'
import type { CapUse, TreasuryState } from '../state.ts'
import type { Cap } from '../model/config.ts'
import type { Intent } from '../model/intent.ts'
import type { TreasuryAsset } from '../model/place.ts'

export const MONTH_MS = 30 * DAY_MS

/**
 * Base units of a token that may still leave over a route to a destination; null = no cap. Rolling: 24 hours and 30 days. An
 * intent counts with the most that its envelope lets leave, from its plan on, until it is certain that nothing left.
 * `except` leaves one intent out.
 */
export function capLeft(
  state: TreasuryState,
  route: string,
  destination: string,
  asset: TreasuryAsset,
  except: string | null = null,
): bigint | null {
  let left: bigint | null = null
  for (const cap of state.config.policy.caps) {
    if (!covers(cap, { route, destination, asset })) continue
    for (const [limit, spanMs] of [
      [cap.perDay, DAY_MS],
      [cap.perMonth, MONTH_MS],
    ] as const) {
      if (limit === null) continue
      const allowed = allowedOf(state, limit)
      const used = capUsed(state, cap, spanMs, except)
      const rest = allowed > used ? allowed - used : 0n
      left = left === null || rest < left ? rest : left
    }
  }
  return left
}

function covers(cap: Cap, use: Pick<CapUse, 'route' | 'destination' | 'asset'>): boolean {
  return (
    cap.asset === use.asset &&
    (cap.route === null || cap.route === use.route) &&
    (cap.destination === null || cap.destination === use.destination)
  )
}

/** Base units that count against a cap within the time up to now. */
export function capUsed(state: TreasuryState, cap: Cap, spanMs: Ms, except: string | null = null): bigint {
  return state.capUses
    .filter((use) => use.intent !== except && covers(cap, use) && state.now - use.at < spanMs)
    .reduce((sum, { amount }) => sum + amount, 0n)
}

/** What a cap allows: one person alone decides over half of what two may. */
export function allowedOf({ config }: TreasuryState, limit: bigint): bigint {
  return config.approval.people === 1 ? limit / 2n : limit
}

/** An intent uses the caps from its plan on; what is older than any cap looks back is dropped. */
export function useCap(state: TreasuryState, { id, route, envelope }: Intent): void {
  const { destination, asset, mostSpent } = envelope
  state.capUses = [
    ...state.capUses.filter(({ intent, at }) => intent !== id && state.now - at < MONTH_MS),
    { intent: id, route, destination, asset, amount: mostSpent, at: state.now },
  ]
}

/** Nothing of the intent has left, for certain. */
export function freeCap(state: TreasuryState, id: string): void {
  state.capUses = state.capUses.filter(({ intent }) => intent !== id)
}

/** Whether the caps allow that a leg of the intent is sent now; its day begins anew with each sending. */
export function isWithinCaps(state: TreasuryState, { id, route, envelope }: Intent): boolean {
  const { destination, asset, mostSpent } = envelope
  const left = capLeft(state, route, destination, asset, id)
  return left === null || mostSpent <= left
}
