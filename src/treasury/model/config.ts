import type { Ms } from '../../base/time.ts'
import type { TreasuryAsset } from './place.ts'

/**
 * A token's band. Base units, counted over pool, LP wallet and treasury, with what is in transit to them. `refillBelow` 0 =
 * the token is never refilled, whatever the forecast.
 */
export type Band = { readonly target: bigint; readonly refillBelow: bigint; readonly skimAbove: bigint }

export type Payee = {
  readonly name: string
  /** A bank account, a phone, or an address on the chain of the venue. */
  readonly to:
    | { readonly kind: 'bank'; readonly bankCode: string; readonly accountNumber: string }
    | { readonly kind: 'phone'; readonly phoneNumber: string }
    | { readonly kind: 'address'; readonly address: string }
  /** Already admitted (demonstrations): no 24 h and no small first payout. */
  readonly isAdmitted: boolean
}

/** Caps on what leaves, base units, rolling; null = none. Inclusive: exactly the cap may leave. */
export type Cap = {
  readonly route: string | null
  readonly destination: string | null
  readonly asset: TreasuryAsset
  readonly perDay: bigint | null
  readonly perMonth: bigint | null
}

/** What the venue takes of the shilling by transfers of one user, base units; null = no cap is known. */
export type VenueCaps = { readonly perTransaction: bigint | null; readonly perDay: bigint | null }

type TreasuryPolicy = {
  readonly bands: Readonly<Partial<Record<TreasuryAsset, Band>>>
  /** Names of routes that may be used. */
  readonly routes: readonly string[]
  readonly caps: readonly Cap[]
  /** Time from the decision to usable tokens that a refill plans with until outcomes say otherwise. */
  readonly leadTimeMs: Ms
  /** What the forecast's band covers: 0.95 = a refill starts while the side lasts through the lead time in 95 of 100 cases. */
  readonly serviceLevel: number
  /** Smallest movement that is worth its cost, base units. */
  readonly smallest: Readonly<Record<TreasuryAsset, bigint>>
  readonly profitsTo: string | null
  /** Cron of the skim of profits; null = never. The shell fires it. */
  readonly skimCron: string | null
}

export type TreasuryConfig = {
  /** plan: decides, shows what it would do, and sends nothing. */
  readonly mode: 'live' | 'plan'
  readonly userId: string
  readonly policy: TreasuryPolicy
  readonly payees: readonly Payee[]
  readonly approval: {
    /** Tokens that have to agree beside the daemon: 2, or 1 with a cool-off and half of each cap. Anyone who orders a payout agrees to it. */
    readonly people: 1 | 2
    /** From the approval of one person to the first sending. */
    readonly coolOffMs: Ms
    readonly withinMs: Ms
    /** Refills between our own places up to this (base units of the token) need no person; 0 = all do. */
    readonly freeRefill: Readonly<Record<TreasuryAsset, bigint>>
  }
  /** How long a sending without a clear answer is looked for, or repeated where a key protects. */
  readonly replayWindowMs: Ms
  /** Routes on which a person vouches that keys are honoured; absent = none. */
  readonly keysHonoured?: readonly string[]
  /** The venue's caps of transfers as a person states them; absent = they are learned from its refusals. */
  readonly transferCaps?: VenueCaps
  readonly pollEveryMs: Ms
  readonly supply: { readonly everyMs: Ms; readonly reconcileEveryMs: Ms; readonly exit: 'alert' | 'lower' }
  readonly calendar: BankCalendar
}

/** When the banks of the rails work. Days are YYYY-MM-DD and minutes count from midnight, both in East Africa Time. */
export type BankCalendar = {
  /** Days other than Saturday and Sunday on which banks do not work, the tentative ones of the moon among them. */
  readonly holidays: readonly string[]
  /** Up to and including this day a person has compared the list with the published one. */
  readonly confirmedUntil: string
  /** A transfer between banks arrives on the same day if it is sent before the cut-off; base units of NTZS a transfer. */
  readonly eft: {
    readonly opensMinute: number
    readonly cutOffMinute: number
    readonly mostALot: bigint
  }
  /** Days of the month that take more than others; -1 is the last one. */
  readonly peaks: readonly { readonly name: string; readonly daysOfMonth: readonly number[] }[]
}
