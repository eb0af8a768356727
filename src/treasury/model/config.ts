import type { Ms } from '../../base/time.ts'
import type { TreasuryAsset } from './place.ts'

/**
 * The band of a token in base units, over pool, LP wallet and treasury including amounts in transit to them.
 * `refillBelow` 0 = never refill.
 */
export type Band = { readonly target: bigint; readonly refillBelow: bigint; readonly skimAbove: bigint }

export type Payee = {
  readonly name: string
  /** A bank account, a phone, or an address on the venue's chain. */
  readonly to:
    | { readonly kind: 'bank'; readonly bankCode: string; readonly accountNumber: string }
    | { readonly kind: 'phone'; readonly phoneNumber: string }
    | { readonly kind: 'address'; readonly address: string }
  /** Admitted from the start (for demonstrations), without the 24 h wait and the small first payout. */
  readonly isAdmitted: boolean
}

/** Rolling caps on outflows in base units, inclusive; null = no cap. */
export type Cap = {
  readonly route: string | null
  readonly destination: string | null
  readonly asset: TreasuryAsset
  readonly perDay: bigint | null
  readonly perMonth: bigint | null
}

/** The venue's caps on one user's shilling transfers, in base units; null = unknown. */
export type VenueCaps = { readonly perTransaction: bigint | null; readonly perDay: bigint | null }

type TreasuryPolicy = {
  readonly bands: Readonly<Partial<Record<TreasuryAsset, Band>>>
  /** Names of the permitted routes. */
  readonly routes: readonly string[]
  readonly caps: readonly Cap[]
  /** Assumed time from the decision to usable tokens, until outcomes are known. */
  readonly leadTimeMs: Ms
  /** Service level of refills: 0.95 = a refill starts while the side lasts through the lead time in 95 of 100 cases. */
  readonly serviceLevel: number
  /** Smallest movement worth its cost, in base units. */
  readonly smallest: Readonly<Record<TreasuryAsset, bigint>>
  readonly profitsTo: string | null
  /** Cron of the skim of profits; null = never. The shell fires it. */
  readonly skimCron: string | null
}

export type TreasuryConfig = {
  /** plan: shows decisions and sends nothing. */
  readonly mode: 'live' | 'plan'
  readonly userId: string
  readonly policy: TreasuryPolicy
  readonly payees: readonly Payee[]
  readonly approval: {
    /** Number of tokens that must approve: 2, or 1 with a cool-off and half of each cap. An order counts as one. */
    readonly people: 1 | 2
    /** From one person's approval to the first sending. */
    readonly coolOffMs: Ms
    readonly withinMs: Ms
    /** Refills between our own places up to this (base units of the token) need no approval; 0 = all do. */
    readonly freeRefill: Readonly<Record<TreasuryAsset, bigint>>
  }
  /** How long a request without a clear answer is searched for, or repeated if a key protects it. */
  readonly replayWindowMs: Ms
  /** Routes for which a person vouches that keys are honoured; absent = no route. */
  readonly keysHonoured?: readonly string[]
  /** The venue's configured caps on transfers; absent = learned from refusals. */
  readonly transferCaps?: VenueCaps
  readonly pollEveryMs: Ms
  readonly supply: { readonly everyMs: Ms; readonly reconcileEveryMs: Ms; readonly exit: 'alert' | 'lower' }
  readonly calendar: BankCalendar
}

/** When the rails' banks work. Days are YYYY-MM-DD and minutes count from midnight, both in East Africa Time. */
export type BankCalendar = {
  /** Bank holidays besides weekends, including tentative lunar ones. */
  readonly holidays: readonly string[]
  /** The last day for which a person has checked the list against the published one. */
  readonly confirmedUntil: string
  /** Bank transfers before the cut-off arrive the same day; `mostALot` in base units of NTZS. */
  readonly eft: {
    readonly opensMinute: number
    readonly cutOffMinute: number
    readonly mostALot: bigint
  }
  /** Days of the month with a higher outflow; -1 is the last day. */
  readonly peaks: readonly { readonly name: string; readonly daysOfMonth: readonly number[] }[]
}
