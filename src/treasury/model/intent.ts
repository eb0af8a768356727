import type { Ms } from '../../base/time.ts'
import type { TreasuryPlace, TreasuryAsset } from './place.ts'

/**
 * How one leg of an intent moves value: each kind is one money call of the partner API, or an order to the position.
 * `deposit` POST /deposits (bank_transfer), `transfer` POST /transfers, `withdrawal` POST /withdrawals, `swap` POST
 * /swap, `offramp` and `onramp` POST /ramp/*, `spend` POST /spend, `lpWithdrawal` the LP API's POST /withdraw (by the
 * position), `lpActivation` sweeps the LP wallet into the pool (by the position). The core puts an `lpDeactivation` before
 * an `lpWithdrawal`, and an `lpActivation` after it.
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
 * The states of a leg. It is `sending` from before its first byte leaves; after a restart every
 * `sending` is `silent`. `settled` keeps one late edge, to `reversed`. Nothing ends by age.
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

/** Those of the whole intent: its own before the first leg moves, and then the stage of the leg that decides. */
export type IntentStage = LegStage | 'awaiting_approval' | 'approved' | 'held' | 'waiting_for_funds'

/** One sending of a leg's money call. It is sent again, with the same key and bytes, only where a key protects. */
export type Attempt = {
  /** From 1. Attempt n+1 exists only where the first sending of n was refused. */
  readonly n: number
  /** 128 random bits, hexadecimal, and the attempt: never derived from what is sent. */
  readonly key: string
  /** The exact bytes of the body. */
  readonly body: string
  readonly preparedAt: Ms
  /** The chain's height before sending, for finding the transfer in its logs; null = no chain is configured. */
  readonly block: bigint | null
  /** How often it was, or may have been, put on the wire. */
  sendings: number
  firstSentAt: Ms | null
  lastSentAt: Ms | null
  /** `unsent`: it certainly never left. */
  outcome: 'unsent' | 'sending' | 'silent' | 'answered' | 'refused'
  /** What the venue answered or refused with, for people and the evidence of a claim. */
  words: string | null
  /** The two ends of the leg as they were read last before its first sending; absent = the balances were not read. */
  before?: { readonly at: Ms; readonly from: EndBefore; readonly to: EndBefore }
}

/** Base units at one end of a leg, of the token that moves there. */
export type EndBefore = {
  /** Null = it could not be read, or it is outside. */
  readonly held: bigint | null
  /** What the balances held beyond the books then: it is not of the leg. */
  readonly beyondBooks: bigint
}

/** What speaks for an end of a claim. It never is a proof: a person decides, and nothing is sent because of it. */
export type ClaimEvidence = {
  readonly by: 'chain' | 'webhook' | 'list' | 'balances' | 'answer'
  readonly at: Ms
  /** The end in the words of the order that resolves a claim, and base units that arrived or came back. */
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
 * A figure that the venue has not stated: the books have what was quoted, sent or burned, until the balances of its place
 * show what it was. Base units.
 */
export type ProvisionalFigure = {
  readonly what: 'arrived' | 'returned'
  readonly place: TreasuryPlace
  readonly asset: TreasuryAsset
  readonly booked: bigint
  /** What it can have been, both bounds included: a difference beyond them has another reason. */
  readonly least: bigint
  readonly most: bigint
}

/** A figure that the balances have decided, as it is booked since, and by how much it was corrected then. */
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
  /** What arrives, and the least of it that is accepted. */
  readonly receiveAsset: TreasuryAsset
  leastReceived: bigint
  /** The payee of a payout, by name in the configuration; null = one of our own places. */
  readonly payee: string | null
  stage: LegStage
  quote: LegQuote | null
  attempts: Attempt[]
  /** What the finders saw of a claim; absent = nothing. */
  evidence?: readonly ClaimEvidence[]
  /** The venue's id of the deposit, withdrawal, settlement ...; null = not known (yet). */
  resourceId: string | null
  /** What an answer named that decided nothing: followed once a read shows that it is ours. Absent = nothing is to be read. */
  named?: string
  /** A bank reference, a transaction's hash: what finds it outside. */
  reference: string | null
  /** What a person has to do for it, as the venue words it; null = nothing. */
  instructions: string | null
  /** Base units that arrived, and what the way cost, in shillings' base units; null = not settled. */
  received: bigint | null
  fee: bigint | null
  /**
   * Base units of its token that its place has to hold before its price is asked for; absent or null = it waits for none.
   * `isByVenue`: the venue could not pay it, which only a later reading of the balances outweighs.
   */
  waitsFor?: { readonly needs: bigint; readonly isByVenue: boolean; readonly since: Ms } | null
  /** What of its amounts awaits the balances; absent or null = nothing. */
  provisional?: ProvisionalFigure | null
  /** What the balances have corrected of it; absent or null = nothing. */
  decided?: DecidedFigure | null
  /** When its first byte left; null = nothing was sent. */
  sentAt: Ms | null
  endedAt: Ms | null
  /** Why it is where it is, in a sentence. */
  why: string
  /** What the shell was asked to do for it and has not answered; null = nothing. */
  asked: { readonly what: 'quote' | 'prepare' | 'read' | 'find'; readonly at: Ms } | null
  /** Nothing is asked for it before this. */
  dueAt: Ms
  /** Failed tries in a row, from which the pause before the next one follows. */
  failures: number
  /** How often in a row its call could not be built; absent = never. */
  unbuilt?: number
}

/** What an approval binds to: not a quote, which lives minutes, but what may happen at most. */
export type Envelope = {
  readonly intent: string
  /** Payee's name, or a place of our own. */
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

/** Who the venue has registered for an account. */
export type RegisteredName = {
  /** Null = not known, which blocks nothing. */
  readonly name: string | null
  /** Why it is not known, or what is odd about it; null = neither. */
  readonly note: string | null
  readonly at: Ms
}

type Approval = { readonly by: string; readonly at: Ms; readonly envelope: string }

/** Why it exists. At most one active intent for each (rule, token, direction). */
export type IntentRule = 'refill' | 'skim' | 'payout' | 'manual'

export type Intent = {
  /** 128 random bits, hexadecimal. It is also the `endUser.reference` of calls on the platform wallet. */
  readonly id: string
  readonly rule: IntentRule
  readonly asset: TreasuryAsset
  readonly direction: 'in' | 'out'
  /** The route's name: `bank-deposit`, `swap`, `onramp`, `offramp`, `payout`, `rebalance`. */
  readonly route: string
  readonly plannedAt: Ms
  /** Replaced, and approved anew, where a price leaves it. */
  envelope: Envelope
  readonly legs: Leg[]
  stage: IntentStage
  approvals: Approval[]
  /** Whether people have to agree: payouts, and what is more than may move freely. */
  needsApproval: boolean
  /** The envelope under which it began to move, and needs no further consent; null = nothing was sent. */
  agreed: string | null
  /** No leg is sent before this: cool-offs. */
  notBefore: Ms
  /** The token that ordered it; null = the policy. */
  readonly orderedBy: string | null
  /** The look-up of its payee's registered name; `answer` null = it has not come. Absent = no one is looked up. */
  naming?: { askedAt: Ms | null; answer: RegisteredName | null }
  /** A person holds it: nothing of it is sent until someone approves it again. */
  isHeld: boolean
  /** It has not ended by `latestAt`, which was reported. */
  isLate: boolean
  /** What the plan expected: base units of NTZS that it costs, when it arrives, and by when in 95 of 100 cases. */
  readonly expected: { readonly cost: bigint; readonly arrivesAt: Ms; readonly latestAt: Ms }
  /** Who held, cancelled or asked for it, and why. */
  why: string
  endedAt: Ms | null
}

/** Whether anything of the intent may have left. */
export function hasLeft({ legs }: Intent): boolean {
  return legs.some((leg) => leg.sentAt !== null)
}
