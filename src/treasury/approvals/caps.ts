import { DAY_MS, type Ms } from '../../base/time.ts'
import type { CapUse, TreasuryState } from '../state.ts'
import type { Cap } from '../model/config.ts'
import type { Intent } from '../model/intent.ts'
import type { TreasuryAsset } from '../model/place.ts'

export const MONTH_MS = 30 * DAY_MS

/**
 * Returns the base units of a token that may still leave over a route to a destination, within rolling 24 hours and 30
 * days; null = no cap applies. An intent counts with its envelope's maximum from its plan until it is certain that
 * nothing left. `except` excludes one intent.
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

/** Returns the base units that count against a cap within the last `spanMs`. */
export function capUsed(state: TreasuryState, cap: Cap, spanMs: Ms, except: string | null = null): bigint {
  return state.capUses
    .filter((use) => use.intent !== except && covers(cap, use) && state.now - use.at < spanMs)
    .reduce((sum, { amount }) => sum + amount, 0n)
}

/** Returns the allowed part of a cap: all of it with two people, half with one. */
export function allowedOf({ config }: TreasuryState, limit: bigint): bigint {
  return config.approval.people === 1 ? limit / 2n : limit
}

/** Counts an intent against the caps from its plan on, and drops uses that are older than every cap. */
export function useCap(state: TreasuryState, { id, route, envelope }: Intent): void {
  const { destination, asset, mostSpent } = envelope
  state.capUses = [
    ...state.capUses.filter(({ intent, at }) => intent !== id && state.now - at < MONTH_MS),
    { intent: id, route, destination, asset, amount: mostSpent, at: state.now },
  ]
}

/** Stops counting an intent of which certainly nothing has left. */
export function freeCap(state: TreasuryState, id: string): void {
  state.capUses = state.capUses.filter(({ intent }) => intent !== id)
}

/** Returns whether the caps allow the intent's next sending now; each sending restarts its day. */
export function isWithinCaps(state: TreasuryState, { id, route, envelope }: Intent): boolean {
  const { destination, asset, mostSpent } = envelope
  const left = capLeft(state, route, destination, asset, id)
  return left === null || mostSpent <= left
}
