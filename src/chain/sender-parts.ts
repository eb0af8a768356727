import type { LocalAccount } from 'viem'
import type { Ms } from '../base/time.ts'
import type { ChainSettings } from './chain-settings.ts'
import type { EndpointPool } from './endpoint-pool.ts'
import type { TransactionEvent } from './transaction-event.ts'
import type { TransactionStore } from './transaction-store.ts'

/** What sending and following transactions needs. */
export type SenderParts = {
  readonly account: LocalAccount
  readonly settings: ChainSettings
  readonly pool: EndpointPool
  readonly store: TransactionStore
  readonly now: () => Ms
  readonly onGas?: ((wei: bigint, purpose: string) => void) | undefined
  readonly onTransaction?: ((event: TransactionEvent) => void) | undefined
}
