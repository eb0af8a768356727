import type { Ms } from '../../base/time.ts'
import type { TreasuryPlace, TreasuryAsset } from './place.ts'

/**
 * How one leg of an intent moves value: each kind is one money call of the partner API, or an order to the position.
 * `deposit` POST /deposits (bank_transfer), `transfer` POST /transfers, `withdrawal` POST /withdrawals, `swap` POST
 * /swap, `offramp` and `onramp` POST /ramp/*, `spend` POST /spend, `lpWithdrawal` the LP API's POST /withdraw (by the
 * position), `lpActivation` sweeps the LP wallet into the pool (by the position). The core puts an `lpDeactivation`
 * before an `lpWithdrawal`, and an `lpActivation` after it.
 */
export const LEG_KINDS = [
  'deposit',
  'transfer',
  'withdrawal',
  'swap',
  'offramp',
  'onramp',
  'spend',
  'lpWithdrawal',
  'lpActivation',
  'lpDeactivation',
] as const
export type LegKind = (typeof LEG_KINDS)[number]

/**
 * The stages of a leg. It is `sending` before its first byte is sent; after a restart every `sending` is `silent`.
 * `settled` can still become `reversed`. Nothing ends by age.
 */
export const LEG_STAGES = [
  'planned',
  'quoted',
  'sending',
  'silent',
  'known',
  'in_transit',
  'settled',
  'reverted',
  'refused',
  'claim',
  'cancelled',
  'expired',
  'reversed',
] as const
export type LegStage = (typeof LEG_STAGES)[number]

/** The stages of the whole intent: its own before the first leg moves, then the stage of the deciding leg. */
export type IntentStage = LegStage | 'awaiting_approval' | 'approved' | 'held' | 'waiting_for_funds'

/** One money call of a leg. It is sent again, with the same key and bytes, only if a key protects it. */
export type Attempt = {
  /** From 1. Attempt n+1 exists only if the first sending of n was refused. */
  readonly n: number
  /** 128 random bits in hexadecimal and the attempt number; never derived from the request. */
  readonly key: string
  /** The exact bytes of the body. */
  readonly body: string
  readonly preparedAt: Ms
  /** The chain's height before sending, to find the transfer in its logs; null = no chain is configured. */
  readonly block: bigint | null
  /** How often it was, or may have been, sent. */
  sendings: number
  firstSentAt: Ms | null
  lastSentAt: Ms | null
  /** `unsent`: it certainly never left. */
  outcome: 'unsent' | 'sending' | 'silent' | 'answered' | 'refused'
  /** The venue's answer or refusal, for display and as evidence of a claim. */
  words: string | null
  /** Both ends of the leg at the last reading before its first sending; absent = the balances were not read. */
  before?: { readonly at: Ms; readonly from: EndBefore; readonly to: EndBefore }
}

/** Base units of the moving token at one end of a leg. */
export type EndBefore = {
  /** Null = unreadable or outside. */
  readonly held: bigint | null
  /** What the balances held beyond the books then, which does not belong to the leg. */
  readonly beyondBooks: bigint
}

/** Evidence for an outcome of a claim. It is never proof: a person decides, and nothing is sent because of it. */
export type ClaimEvidence = {
  readonly by: 'chain' | 'webhook' | 'list' | 'balances' | 'answer'
  readonly at: Ms
  /** The outcome, in the words of the order that resolves a claim, and the base units that arrived or came back. */
  readonly suggests: 'arrived' | 'returned'
  readonly amount: bigint
  readonly asset: TreasuryAsset
  /** A transaction's hash, or the venue's id of a resource. */
  readonly reference: string | null
  readonly words: string
}

/** A price that the venue holds for a while. */
export type LegQuote = {
  readonly quoteId: string | null
  readonly expiresAt: Ms
  /** Base units of the leg's asset that leave. */
  readonly spend: bigint
  /** Base units of the asset that arrives. */
  readonly receive: bigint
  readonly feeTzs: bigint
  readonly recipientName: string | null
}

/**
 * A figure that the venue has not stated: the books use the quoted, sent or burned amount until the balances of its
 * place show the real one. Base units.
 */
export type ProvisionalFigure = {
  readonly what: 'arrived' | 'returned'
  readonly place: TreasuryPlace
  readonly asset: TreasuryAsset
  readonly booked: bigint
  /** Its possible range, inclusive: a difference beyond it has another cause. */
  readonly least: bigint
  readonly most: bigint
}

/** A figure that the balances have decided, as booked since then, and the size of the correction. */
type DecidedFigure = { readonly figure: ProvisionalFigure; readonly difference: bigint }

export type Leg = {
  readonly kind: LegKind
  readonly from: TreasuryPlace
  readonly to: TreasuryPlace
  /**
   * What leaves, and how much of it (base units). A deposit, transfer, swap, onramp and an order to the position move
   * exactly this; a withdrawal, spend and offramp ask for exactly `leastReceived`, and this is the most that may leave for
   * it with all fees. A leg that hands on what the leg before it brought moves that, and never more than was planned.
   */
  readonly asset: TreasuryAsset
  amount: bigint
  /** The asset that arrives, and its minimum accepted amount. */
  readonly receiveAsset: TreasuryAsset
  leastReceived: bigint
  /** The payee of a payout, by name in the configuration; null = one of our own places. */
  readonly payee: string | null
  stage: LegStage
  quote: LegQuote | null
  attempts: Attempt[]
  /** The finders' evidence for a claim; absent = no evidence. */
  evidence?: readonly ClaimEvidence[]
  /** The venue's id of the deposit, withdrawal, settlement ...; null = unknown. */
  resourceId: string | null
  /** A resource that an undecided answer named: followed once a read shows that it is ours. Absent = nothing to read. */
  named?: string
  /** A bank reference or transaction hash that identifies it outside. */
  reference: string | null
  /** The venue's instructions for a person; null = no action needed. */
  instructions: string | null
  /** Base units that arrived, and the route's cost in base units of NTZS; null = not settled. */
  received: bigint | null
  fee: bigint | null
  /**
   * Base units of its token that its place must hold before a price is requested; absent or null = it does not wait.
   * `isByVenue`: the venue could not pay it, which only a later reading of the balances overrides.
   */
  waitsFor?: { readonly needs: bigint; readonly isByVenue: boolean; readonly since: Ms } | null
  /** The figure that awaits the balances; absent or null = no figure. */
  provisional?: ProvisionalFigure | null
  /** The figure that the balances have corrected; absent or null = no figure. */
  decided?: DecidedFigure | null
  /** When its first byte was sent; null = nothing was sent. */
  sentAt: Ms | null
  endedAt: Ms | null
  /** Why it is at this stage, in a sentence. */
  why: string
  /** The unanswered request to the shell; null = no request. */
  asked: { readonly what: 'quote' | 'prepare' | 'read' | 'find'; readonly at: Ms } | null
  /** Nothing is requested for it before this time. */
  dueAt: Ms
  /** Failed tries in a row, which determine the pause before the next. */
  failures: number
  /** How often in a row its call could not be built; absent = never. */
  unbuilt?: number
}

/** What an approval binds to: not a quote, which lives minutes, but the limits of the intent. */
export type Envelope = {
  readonly intent: string
  /** The payee's name, or one of our own places. */
  readonly destination: string
  readonly asset: TreasuryAsset
  /** Base units: the most that may leave, and the least that must arrive. */
  readonly mostSpent: bigint
  readonly receiveAsset: TreasuryAsset
  readonly leastReceived: bigint
  readonly expiresAt: Ms
  /** Hash (sha-256, hex) of the policy under which it was planned. */
  readonly policyHash: string
}

/** The name that the venue has registered for an account. */
export type RegisteredName = {
  /** Null = unknown, which blocks nothing. */
  readonly name: string | null
  /** Why it is unknown, or a remark about it; null = neither. */
  readonly note: string | null
  readonly at: Ms
}

type Approval = { readonly by: string; readonly at: Ms; readonly envelope: string }

/** Why the intent exists. At most one is active for each (rule, token, direction). */
export type IntentRule = 'refill' | 'skim' | 'payout' | 'manual'

export type Intent = {
  /** 128 random bits in hexadecimal; also the `endUser.reference` of calls on the platform wallet. */
  readonly id: string
  readonly rule: IntentRule
  readonly asset: TreasuryAsset
  readonly direction: 'in' | 'out'
  /** The route's name: `bank-deposit`, `swap`, `onramp`, `offramp`, `payout`, `rebalance`. */
  readonly route: string
  readonly plannedAt: Ms
  /** Replaced, and approved again, if a price leaves it. */
  envelope: Envelope
  readonly legs: Leg[]
  stage: IntentStage
  approvals: Approval[]
  /** Whether it needs approval: payouts, and movements above the free amount. */
  needsApproval: boolean
  /** The envelope under which it began to move and needs no further approval; null = nothing was sent. */
  agreed: string | null
  /** No leg is sent before this time (cool-offs). */
  notBefore: Ms
  /** The token that ordered it; null = the policy. */
  readonly orderedBy: string | null
  /** The look-up of its payee's registered name; `answer` null = pending. Absent = no look-up. */
  naming?: { askedAt: Ms | null; answer: RegisteredName | null }
  /** A person holds it: nothing is sent until someone approves it again. */
  isHeld: boolean
  /** It has not ended by `latestAt`, and this was reported. */
  isLate: boolean
  /** The plan's expectation: cost in base units of NTZS, arrival, and the arrival in 95 of 100 cases. */
  readonly expected: { readonly cost: bigint; readonly arrivesAt: Ms; readonly latestAt: Ms }
  /** Who held, cancelled or ordered it, and why. */
  why: string
  endedAt: Ms | null
}

/** Returns whether anything of the intent may have left. */
export function hasLeft({ legs }: Intent): boolean {
  return legs.some((leg) => leg.sentAt !== null)
}
