import type { Ms } from '../base/time.ts'
import type { Fill, QuarantinedRow } from '../ledger/fill.ts'
import type { Amounts, Asset } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { ChainReading } from '../rfq/chain-reading.ts'
import type { Reservation } from '../rfq/owed-order.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import type { Side } from '../money/side.ts'
import type { CoreConfig } from './core-config.ts'
import type { Spread } from './effect.ts'
import type { VenueFailure } from './venue-failure.ts'

/**
 * Everything the core ever learns, in the order it learned it. `t` is the shell's clock when the event
 * was made and never goes backwards within a journal. `request` names the effect an answer belongs to.
 * Events are plain data: `encodeJson` writes them and `decodeJson` reads them back equal.
 */
export type Event =
  | StartedEvent
  | TickEvent
  | AccountEvent
  | RateEvent
  | PublicRateEvent
  | ReferenceEvent
  | BalancesEvent
  | FillsEvent
  | QuoteReadEvent
  | SpreadSetEvent
  | ActivationEvent
  | WithdrawnEvent
  | RfqInfoEvent
  | ChainReadEvent
  | OrderReservedEvent
  | OrderWithheldEvent
  | OrderPlacedEvent
  | OrderFailedEvent
  | CancelSentEvent
  | RequestFailedEvent
  | OperatorEvent
  | ReloadedEvent

/** A process took over this position. Requests in flight before it have an unknown outcome. */
export type StartedEvent = {
  readonly type: 'started'
  readonly t: Ms
  readonly version: string
  readonly config: CoreConfig
}

/** The time the core asked to be woken at has come. */
export type TickEvent = { readonly type: 'tick'; readonly t: Ms }

/** What every answer of the venue may carry into the journal. Nobody decides anything from it. */
export type Answered = {
  /** Fields that the contract does not name, as JSON text; absent where there are none. */
  readonly unknownFields?: string
}

export type AccountEvent = Answered & {
  readonly type: 'account'
  readonly t: Ms
  readonly request: number
  readonly isActive: boolean
  readonly walletAddress: string | null
}

/** GET /rate. `mid` is null where the figure was no rate (zero, negative, not a number); `problem` says why. */
export type RateEvent = Answered & {
  readonly type: 'rate'
  readonly t: Ms
  readonly request: number
  readonly mid: Rate | null
  readonly problem: string | null
  /** Null where the venue does not say: the age is then unknown and is not guessed. */
  readonly rateUpdatedAt: Ms | null
  /** Null where the venue does not say. */
  readonly quotable: boolean | null
  /** The venue's clock in this answer (Date header), so that ages are taken on one clock; null if absent. */
  readonly venueTime: Ms | null
}

/** GET /swap/rate for a probe of our own choosing: the bps of the provider that would be picked. */
export type PublicRateEvent = Answered & {
  readonly type: 'publicRate'
  readonly t: Ms
  readonly request: number
  readonly side: Side
  readonly probe: bigint
  readonly mid: Rate | null
  /** Best spread on `side` for that size; null when nobody quotes it. */
  readonly bestBps: number | null
  readonly protocolFeeBps: number | null
  readonly lowLiquidity: boolean
}

/** A fair value from elsewhere than the venue. */
export type ReferenceEvent = {
  readonly type: 'reference'
  readonly t: Ms
  readonly source: string
  readonly mid: Rate
}

/** GET /balances. Assets the venue does not mention are absent: unknown, not zero. */
export type BalancesEvent = Answered & {
  readonly type: 'balances'
  readonly t: Ms
  readonly request: number
  /** When the request was sent: everything the answer shows happened before `t` and may be as old as this. */
  readonly sentAt: Ms
  readonly amounts: Partial<Amounts>
  /** Where the figures come from where the venue says so; null = judge by isActive. */
  readonly source: 'pool' | 'wallet' | null
}

/** GET /fills, reduced to what is new against the previous poll of this process. */
export type FillsEvent = {
  readonly type: 'fills'
  readonly t: Ms
  readonly request: number
  readonly sentAt: Ms
  /** Rows not in the previous poll, or changed since, oldest first. */
  readonly fills: readonly Fill[]
  readonly quarantined: readonly QuarantinedRow[]
  /** Rows of this answer that the previous poll had too. */
  readonly repeated: number
  /** True when the answer had as many rows as the venue's window (100), so that older ones may be hidden. */
  readonly windowFull: boolean
}

/** GET /quote for one side: what the venue quotes a taker for us. */
export type QuoteReadEvent = Answered & {
  readonly type: 'quoteRead'
  readonly t: Ms
  readonly request: number
  readonly side: Side
  readonly spreadBps: number
  readonly mid: Rate | null
  readonly protocolFeeBps: number | null
  /** Which formula explains expectedOutput; null when none does. */
  readonly formula: 'divide' | 'multiply' | null
}

/** PATCH /spread was accepted; `spread` is what the venue says it now holds. */
export type SpreadSetEvent = Answered & {
  readonly type: 'spreadSet'
  readonly t: Ms
  readonly request: number
  readonly spread: Spread
}

/** POST /activate was answered with 200, or 207 when only part of the tokens came back. */
export type ActivationEvent = Answered & {
  readonly type: 'activation'
  readonly t: Ms
  readonly request: number
  readonly isActive: boolean
  readonly partial: boolean
  /** With `partial`: the assets that were returned to the wallet. */
  readonly returned: readonly Asset[]
}

export type WithdrawnEvent = Answered & {
  readonly type: 'withdrawn'
  readonly t: Ms
  readonly request: number
  readonly asset: Asset
  readonly amount: bigint
  readonly txHash: string | null
}

/** GET /rfq/info: whom orders must name; null = the answer does not say. */
export type RfqInfoEvent = Answered & {
  readonly type: 'rfqInfo'
  readonly t: Ms
  readonly request: number
  readonly solverWallet: string | null
  readonly chainId: number | null
  readonly exchange: string | null
}

/** The chain was read, whole, at one block. */
export type ChainReadEvent = {
  readonly type: 'chainRead'
  readonly t: Ms
  readonly request: number
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
export type OrderReservedEvent = {
  readonly type: 'orderReserved'
  readonly t: Ms
  readonly request: number
  readonly reservation: Reservation
}

/** A reserved order was not signed, and never will be: news came before its turn. */
export type OrderWithheldEvent = {
  readonly type: 'orderWithheld'
  readonly t: Ms
  readonly request: number
  readonly salt: bigint
  readonly why: string
}

/** An order was signed and the venue took it. */
export type OrderPlacedEvent = {
  readonly type: 'orderPlaced'
  readonly t: Ms
  readonly request: number
  readonly salt: bigint
  readonly hash: Hex
}

/**
 * An order was not signed, or the venue did not take it. `isVoid`: no signature of it exists outside this
 * process, so nobody can fill it. Otherwise it is owed, whatever was answered.
 */
export type OrderFailedEvent = {
  readonly type: 'orderFailed'
  readonly t: Ms
  readonly request: number
  readonly salt: bigint
  readonly hash: Hex | null
  readonly stage: 'sign' | 'submit'
  readonly isVoid: boolean
  readonly failure: VenueFailure
}

/** A cancellation is in the network. Whether it took effect a reading tells. */
export type CancelSentEvent = {
  readonly type: 'cancelSent'
  readonly t: Ms
  readonly request: number
  readonly txHash: Hex
}

export type RequestFailedEvent = {
  readonly type: 'requestFailed'
  readonly t: Ms
  readonly request: number
  readonly failure: VenueFailure
}

/** A person's word. It passes through risk like everything else, and is journalled with who and why. */
export type OperatorEvent = {
  readonly type: 'operator'
  readonly t: Ms
  readonly who: string
  readonly why: string
  readonly command: OperatorCommand
}

export type OperatorCommand =
  | { readonly name: 'pause' }
  | { readonly name: 'resume' }
  /** Resume, and book what could not be explained as what the operator says it was. */
  | { readonly name: 'resume'; readonly book: 'adjustment' | 'deposit' | 'withdrawal' }
  | { readonly name: 'halt' }
  /** Take orders back on chain, whatever it costs; null = all that stand. */
  | { readonly name: 'cancelOrders'; readonly salts: readonly bigint[] | null }
  | { readonly name: 'activate' }
  | { readonly name: 'deactivate' }
  /** The process is about to end: leave the position as `quote.onExit` says. */
  | { readonly name: 'shutdown' }
  | {
      readonly name: 'withdraw'
      readonly asset: Asset
      readonly amount: bigint
      readonly toAddress: string
    }

/** New parameters or new strategy code, already validated as a whole; takes effect between two steps. */
export type ReloadedEvent = {
  readonly type: 'reloaded'
  readonly t: Ms
  readonly config: CoreConfig
  /** The person who set something, why, and what; absent where a file changed by itself. */
  readonly by?: { readonly who: string; readonly why: string; readonly what: string }
}
