import type { Ms } from '../../../base/time.ts'
import type { ChainReading } from '../../rfq/chain-reading.ts'
import type { Reservation } from '../../rfq/open-order.ts'
import type { Hex } from '../../rfq/rfq-order.ts'
import type { Answered, AnswerEvent, VenueFailure } from './venue-answer.ts'

/** Events about signed orders and the chain on which they are filled. */
export type OrderEvent =
  | SolverEvent
  | ChainReadEvent
  | OrderReservedEvent
  | OrderWithheldEvent
  | OrderPlacedEvent
  | OrderFailedEvent
  | CancelSentEvent

/** GET /rfq/info: the wallet that orders must name; null = not stated. */
export type SolverEvent = AnswerEvent<'solver'> &
  Answered & {
    readonly solverWallet: string | null
    readonly chainId: number | null
    readonly exchange: string | null
    /**
     * The solver that the signer is pinned to; null = not pinned. Absent (an older journal) = the solver that the venue names.
     */
    readonly pinnedSolver?: Hex | null
  }

/** The chain was read, whole, at one block. */
export type ChainReadEvent = AnswerEvent<'chainRead'> & {
  readonly sentAt: Ms
  readonly reading: ChainReading
  /**
   * Open orders without fills, which the reading omits to keep the journal small: a reading is journalled every two seconds.
   * Absent = no such orders.
   */
  readonly untouched?: readonly bigint[]
}

/**
 * An order is about to be signed. This follows from the decision, but it is journalled because a replay with other strategy
 * code decides differently and must still know the orders that the old code signed.
 */
export type OrderReservedEvent = AnswerEvent<'orderReserved'> & {
  readonly reservation: Reservation
}

/** A reserved order was not signed and never will be, because circumstances changed first. */
export type OrderWithheldEvent = AnswerEvent<'orderWithheld'> & {
  readonly salt: bigint
  readonly why: string
}

/** An order was signed and the venue accepted it. */
export type OrderPlacedEvent = AnswerEvent<'orderPlaced'> & {
  readonly salt: bigint
  readonly hash: Hex
}

/**
 * An order was not signed, or the venue did not accept it. `isVoid`: it has no signature outside this process, so it
 * cannot be filled. Otherwise it is outstanding, whatever the answer was.
 */
export type OrderFailedEvent = AnswerEvent<'orderFailed'> & {
  readonly salt: bigint
  readonly hash: Hex | null
  readonly stage: 'sign' | 'submit'
  readonly isVoid: boolean
  readonly failure: VenueFailure
}

/** A cancellation was submitted. A later reading shows whether it took effect. */
export type CancelSentEvent = AnswerEvent<'cancelSent'> & {
  readonly txHash: Hex
}
