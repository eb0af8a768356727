import type { Ms } from '../../../base/time.ts'
import type { TokenFinder } from '../../../custody/chain/token-finder.ts'
import type { LoadedTreasury } from '../../config/load/treasury.ts'
import type { PartnerClient } from '../../../treasury/api/client.ts'
import type { TreasuryState } from '../../../treasury/state.ts'
import type { TreasuryEvent } from '../../../treasury/model/event.ts'
import type { Clock } from '../position/clock.ts'
import type { RunningPosition } from '../position/run-position.ts'
import type { FlowMeter } from './flow-meter.ts'

/** The parts with which the effects of a treasury are performed. */
export type PerformTreasuryParts = {
  readonly client: PartnerClient
  readonly config: () => LoadedTreasury
  readonly state: () => Readonly<TreasuryState> | null
  readonly position: Pick<RunningPosition, 'state' | 'command'>
  readonly flow: FlowMeter
  readonly clock: Pick<Clock, 'now'>
  /** Returns the webhooks of the last days, oldest first; lost answers are searched in them. */
  readonly webhooks: () => readonly Extract<TreasuryEvent, { readonly type: 'webhookSeen' }>[]
  /** Null = no chain is configured: transfers are not searched on it, and the supply has a single source. */
  readonly chain: TokenFinder | null
  /** Ends every wait. */
  readonly signal: AbortSignal
  /** Returns the plan for balances that were requested at `readAt`; null = nothing to do. */
  readonly plan: (readAt: Ms) => TreasuryEvent | null
  readonly log: (words: string) => void
}

/** The parts, with the results of reads. */
export type Performing = PerformTreasuryParts & {
  /** Returns the wallet of our own partner user; null = not read yet. */
  readonly treasuryAddress: () => string | null
  /** Returns when the latest balances were requested. */
  readonly readAt: () => Ms
}
