import type { Ms } from '../../../base/time.ts'
import type { TokenFinder } from '../../../custody/chain/token-finder.ts'
import type { LoadedTreasury } from '../../config/load/treasury.ts'
import type { PartnerClient } from '../../../treasury/api/client.ts'
import type { TreasuryState } from '../../../treasury/state.ts'
import type { TreasuryEvent } from '../../../treasury/model/event.ts'
import type { Clock } from '../position/clock.ts'
import type { RunningPosition } from '../position/run-position.ts'
import type { FlowMeter } from './flow-meter.ts'

/** What the effects of a treasury are performed with. */
export type PerformTreasuryParts = {
  readonly client: PartnerClient
  readonly config: () => LoadedTreasury
  readonly state: () => Readonly<TreasuryState> | null
  readonly position: Pick<RunningPosition, 'state' | 'command'>
  readonly flow: FlowMeter
  readonly clock: Pick<Clock, 'now'>
  /** Webhooks of the last days, oldest first: one of the finders. */
  readonly webhooks: () => readonly Extract<TreasuryEvent, { readonly type: 'webhookSeen' }>[]
  /** Null where no chain is configured: then its log is no finder, and the supply has one source. */
  readonly chain: TokenFinder | null
  /** Ends every wait. */
  readonly signal: AbortSignal
  /** What the policy makes of balances that were asked for at `readAt`; null = nothing is to be done. */
  readonly plan: (readAt: Ms) => TreasuryEvent | null
  readonly log: (words: string) => void
}

/** The parts, with what the reads have brought. */
export type Performing = PerformTreasuryParts & {
  /** The wallet of our own partner user; null = it was not read yet. */
  readonly treasuryAddress: () => string | null
  /** When the latest balances were asked for. */
  readonly readAt: () => Ms
}
