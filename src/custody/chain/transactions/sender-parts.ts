import type { LocalAccount } from 'viem'
import type { Ms } from '../../../base/time.ts'
import type { ChainSettings } from '../chain.ts'
import type { EndpointPool } from '../rpc/endpoint-pool.ts'
import type { TransactionStore } from './transaction-store.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'

/** The dependencies of sending and following transactions. */
export type SenderParts = {
  readonly account: LocalAccount
  readonly settings: ChainSettings
  readonly pool: EndpointPool
  readonly store: TransactionStore
  readonly now: () => Ms
  readonly onGas?: ((wei: bigint, purpose: string) => void) | undefined
  readonly onTransaction?: ((event: TransactionEvent) => void) | undefined
}

/** An event of one of our transactions, for the log. */
export type TransactionEvent = {
  readonly kind:
    | 'sent'
    /** Sent again with the same nonce and higher fees, because it was not mined in time. */
    | 'replaced'
    /** Sent again unchanged: after a restart, or after a reorganisation removed its block. */
    | 'sent-again'
    | 'mined'
    /** Mined, but the contract reverted; its gas is spent. */
    | 'reverted'
    | 'undone'
    /** Deep enough in the chain; no more events follow. */
    | 'final'
    /** Another program's transaction used its nonce, so it will never be mined. */
    | 'superseded'
    /** It waits, but the settings allow no higher fee. */
    | 'fee-capped'
    /** The file, the signer or the network failed; the sender retries. */
    | 'trouble'
  readonly nonce: number
  readonly txHash: Hex
  readonly purpose: string
  /** Details; may be empty. */
  readonly words: string
}
