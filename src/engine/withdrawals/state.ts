import type { Ms } from '../../base/time.ts'
import type { WithdrawConfig } from '../model/config.ts'
import type { Asset } from '../../money/asset.ts'

/** A withdrawal that somebody asked for, and how far it is. */
export type WithdrawalRequest = {
  readonly key: string
  readonly asset: Asset
  readonly amount: bigint
  readonly toAddress: string
  readonly who: string
  /** The token that requested it; null = none, so that nobody can approve it. */
  readonly by: string | null
  readonly requestedAt: Ms
  stage: 'waiting' | 'approved' | 'sent' | 'done' | 'failed' | 'unknown' | 'cancelled' | 'expired'
  approvedBy: string | null
  /** When it leaves, once it is approved. */
  sendAt: Ms | null
}

export type WithdrawalState = {
  /** Sent within the last day, whatever came of them: an unknown outcome counts as spent. */
  sent: { at: Ms; asset: Asset; amount: bigint }[]
  /** Without a clear answer: the balances will tell; those that they did not tell of in a day are dropped. */
  unknown: { at: Ms; asset: Asset; amount: bigint }[]
  /** By their keys, oldest first. */
  requests: WithdrawalRequest[]
  /** Since when each destination is listed, in lower case; 0 = since the first configuration. */
  destinations: Record<string, Ms>
}

export function createWithdrawals(config: WithdrawConfig): WithdrawalState {
  return { sent: [], unknown: [], requests: [], destinations: listed(config.destinations, {}, 0) }
}

/** Since when each address is listed, in lower case. */
export function listed(
  destinations: readonly string[],
  before: Readonly<Record<string, Ms>>,
  now: Ms,
): Record<string, Ms> {
  return Object.fromEntries(
    destinations.map((address) => {
      const name = address.toLowerCase()
      return [name, before[name] ?? now]
    }),
  )
}
