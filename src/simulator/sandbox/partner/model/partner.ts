import type { Random } from '../../../../base/random.ts'
import type { Ms } from '../../../../base/time.ts'
import type { RateLimit } from '../../api/rate-limit.ts'
import type { Answer } from '../../api/request.ts'
import type { VenueState } from '../../state.ts'
import type { PartnerCode } from './codes.ts'
import type { SimulatedPartnerOptions, SimulatedPartnerSettings } from '../options.ts'
import type { Commerce } from './commerce.ts'
import type {
  PartnerPayments,
  PartnerDeposit,
  PartnerUser,
  PartnerWithdrawal,
  WithdrawalQuote,
} from './payments.ts'

/** Everything of the partner API that is shared by its keys. Changed in place, only by the functions of this folder. */
export type PartnerWorld = {
  readonly venue: VenueState
  readonly options: SimulatedPartnerOptions
  settings: SimulatedPartnerSettings
  /** By key. */
  readonly partners: Map<string, Partner>
  /** A separate stream, so that the draws of the LP side do not change. */
  readonly random: Random
  /** Whole shillings that payments turned into tokens, and tokens into payments, ever. */
  readonly supply: { mintedTzs: bigint; burnedTzs: bigint }
  readonly commerce: Commerce
  readonly nextAnswers: NextAnswer[]
  /** Emitted events, in order; the server takes and posts them. */
  outbox: WebhookEvent[]
}

/** What the control API makes of the next requests on a route. */
export type NextAnswer = {
  readonly route: string
  readonly count: number
} & (
  | {
      readonly kind: 'refuse'
      readonly code: PartnerCode
      readonly details: Readonly<Record<string, unknown>>
      /** Executed nevertheless: only the answer is wrong. */
      readonly isTaken: boolean
    }
  /** Executed at once and answered later. */
  | { readonly kind: 'late'; readonly ms: Ms }
  /** Executed; its answer has this status and a sentence, with the id of the result. */
  | { readonly kind: 'status'; readonly status: number }
  /** Executed twice, as by a proxy that repeats requests; the second answer is returned. */
  | { readonly kind: 'doubled' }
)

/** One key with all of its data: a test key and a live key share nothing. */
export type Partner = {
  readonly world: PartnerWorld
  readonly key: string
  readonly name: string
  readonly email: string
  readonly isLive: boolean
  readonly webhookSecret: string
  webhookUrl: string | null
  /** The platform wallet (treasury). */
  readonly platformAddress: string
  /** The address of the ramp's float. */
  readonly settlementAddress: string
  readonly users: Map<string, PartnerUser>
  readonly payments: PartnerPayments
  readonly deposits: Map<string, PartnerDeposit>
  readonly withdrawals: Map<string, PartnerWithdrawal>
  readonly withdrawalQuotes: Map<string, WithdrawalQuote>
  /** The user whose wallet is the liquidity provider's treasury; null for keys that signed up. */
  ownerId: string | null
  readonly keptOutcomes: Map<string, KeptOutcome>
  /** Pending work, by the id of its resource: runs at its virtual time, or by `advance`. */
  readonly pending: Map<string, () => void>
  readonly requestLimit: RateLimit
}

/** The result of a request with an Idempotency-Key. */
export type KeptOutcome = {
  readonly at: Ms
  /** Route and body, as text that is equal for equal requests. */
  readonly request: string
  readonly answer: Answer
}

/** The events that the partner API posts. Source: contract, events. */
export type WebhookType =
  | 'deposit.completed'
  | 'withdrawal.updated'
  | 'merchant.sale.completed'
  | 'kyc.updated'
  | 'spend.updated'
  | 'ramp.settlement.completed'
  | 'ramp.settlement.failed'

/** One posting of an event; a duplicate is another posting of the same event. */
export type WebhookEvent = {
  readonly type: WebhookType
  readonly url: string | null
  readonly secret: string
  /** When it leaves the venue, in virtual time; also its timestamp. */
  readonly at: Ms
  /** The JSON text, as signed. */
  readonly text: string
}
