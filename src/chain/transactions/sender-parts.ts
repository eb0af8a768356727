import type { LocalAccount } from 'viem'
import type { Ms } from '../../base/time.ts'
import type { ChainSettings } from '../chain.ts'
import type { EndpointPool } from '../rpc/endpoint-pool.ts'
import type { TransactionStore } from './transaction-store.ts'
import type { Hex } from '../../rfq/rfq-order.ts'

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

/** What happened to a transaction of ours, for the log. */
export type TransactionEvent = {
  readonly kind:
    | 'sent'
    /** Again with the same nonce and higher fees: it was not in a block for too long. */
    | 'replaced'
    /** As it was: after a restart, or after a reorganisation took its block away. */
    | 'sent-again'
    | 'mined'
    /** In a block, but the contract refused; its gas is spent. */
    | 'reverted'
    | 'undone'
    /** Deep enough; nothing more will be heard of it. */
    | 'final'
    /** Its nonce was used by a transaction that is not ours; it will never be in a block. */
    | 'superseded'
    /** It waits, and a higher fee is not allowed. */
    | 'fee-capped'
    /** The file, the signer or the network failed; it is tried again. */
    | 'trouble'
  readonly nonce: number
  readonly txHash: Hex
  readonly purpose: string
  /** More about it; empty where there is nothing more to say. */
  readonly words: string
}
