import type { Ms } from '../../../base/time.ts'
import type { ChainReading } from '../../rfq/chain-reading.ts'
import type { Reservation } from '../../rfq/open-order.ts'
import type { Hex } from '../../rfq/rfq-order.ts'
import type { Answered, AnswerEvent, VenueFailure } from './venue-answer.ts'

/** What the core learns of signed orders and of the chain that they are filled on. */
export type OrderEvent =
  | SolverEvent
  | ChainReadEvent
  | OrderReservedEvent
  | OrderWithheldEvent
  | OrderPlacedEvent
  | OrderFailedEvent
  | CancelSentEvent

/** GET /rfq/info: whom orders must name; null = the answer does not say. */
export type SolverEvent = AnswerEvent<'solver'> &
  Answered & {
    readonly solverWallet: string | null
    readonly chainId: number | null
    readonly exchange: string | null
    /** Whom the signer signs for; null = no one is pinned. Absent (an older journal) = whom the venue names. */
    readonly pinnedSolver?: Hex | null
  }

/** The chain was read, whole, at one block. */
export type ChainReadEvent = AnswerEvent<'chainRead'> & {
  readonly sentAt: Ms
  readonly reading: ChainReading
  /**
   * Orders that can be filled and of which nothing is: left out of the reading, since a journal has one every
   * other second. Absent = none.
   */
  readonly untouched?: readonly bigint[]
}

/**
 * An order is about to be signed. It follows from what was decided, and yet it is journalled: a replay with
 * other strategy code decides otherwise, and must not forget what the old code promised.
 */
export type OrderReservedEvent = AnswerEvent<'orderReserved'> & {
  readonly reservation: Reservation
}

/** A reserved order was not signed, and never will be: news came before its turn. */
export type OrderWithheldEvent = AnswerEvent<'orderWithheld'> & {
  readonly salt: bigint
  readonly why: string
}

/** An order was signed and the venue took it. */
export type OrderPlacedEvent = AnswerEvent<'orderPlaced'> & {
  readonly salt: bigint
  readonly hash: Hex
}

/**
 * An order was not signed, or the venue did not take it. `isVoid`: no signature of it exists outside this
 * process, so no one can fill it. Otherwise it is outstanding, whatever was answered.
 */
export type OrderFailedEvent = AnswerEvent<'orderFailed'> & {
  readonly salt: bigint
  readonly hash: Hex | null
  readonly stage: 'sign' | 'submit'
  readonly isVoid: boolean
  readonly failure: VenueFailure
}

/** A cancellation is in the network. Whether it took effect a reading tells. */
export type CancelSentEvent = AnswerEvent<'cancelSent'> & {
  readonly txHash: Hex
}
