import type { Ms } from '../../base/time.ts'
import type { Rate } from '../../base/money/rate.ts'
import type { TreasuryConfig } from './config.ts'
import type { Envelope, IntentRule, Leg } from './intent.ts'
import type { Holdings, TreasuryAsset } from './place.ts'
import type { FlowHistory } from './flow-history.ts'

/**
 * The routes by which value reaches or leaves the position. `bank-deposit` brings shillings from the LP's bank account,
 * `rebalance` moves a token between the treasury's wallet and the LP's, `swap` exchanges one token for the other as a
 * taker, `onramp` brings dollars for shillings from the LP's phone, `offramp` pays dollars out as shillings to a phone,
 * `payout` pays shillings to a bank account or a phone, or a token to an address.
 */
export const ROUTES = ['bank-deposit', 'rebalance', 'swap', 'onramp', 'offramp', 'payout'] as const
export type RouteName = (typeof ROUTES)[number]

export type Direction = 'in' | 'out'

/** What the treasury has learned about a route from its intents. */
export type RailScore = {
  readonly route: string
  /** Intents that ended, and the failed ones among them. */
  readonly tries: number
  readonly failures: number
  /** From the first byte to the end; null = no intent has ended yet. */
  readonly medianMs: Ms | null
  readonly p95Ms: Ms | null
  /** Cost in bps of the moved value; null = no intent has ended yet. */
  readonly costBps: number | null
  /** A route that failed twice pauses until this time; null = it may be used. */
  readonly restedUntil: Ms | null
}

/** The position's own quote: a taker's price away from the mid. Null = that side is off. */
export type OwnQuote = {
  readonly bidBps: number | null
  readonly askBps: number | null
  readonly isActive: boolean
  readonly isHalted: boolean
  /** Whether the venue has confirmed the spread, or that the position is inactive; absent = it has. */
  readonly isKnown?: boolean
}

/** A (rule, token, direction) with an active intent; a second one is not allowed. */
type ActiveIntent = {
  readonly rule: IntentRule
  readonly asset: TreasuryAsset
  readonly direction: Direction
}

export type PlanInput = {
  readonly now: Ms
  readonly config: TreasuryConfig
  readonly holdings: Holdings
  readonly mid: Rate | null
  readonly quote: OwnQuote
  /** Base units in transit to our own places, of the token that will arrive. */
  readonly inTransit: Readonly<Record<TreasuryAsset, bigint>>
  readonly active: readonly ActiveIntent[]
  readonly rails: readonly RailScore[]
  /** Rails (routes or places) whose last reading failed: no new intent may move the tokens that they carry. */
  readonly unreadable: readonly { readonly rail: string; readonly words: string }[]
  readonly flow: FlowHistory
  /** Base units of `asset` that may still leave over a route to a destination; null = no cap. */
  readonly capsLeft: (route: RouteName, destination: string, asset: TreasuryAsset) => bigint | null
  /** The venue's caps on shilling transfers, and the rest of the day's; null or absent = unknown. */
  readonly transferCaps?: { readonly perTransaction: bigint | null; readonly left: bigint | null }
  /**
   * Amounts of legs that are open or were sent within the duplicate window. A new leg must differ from all of them,
   * because the exact amount identifies a lost answer to a user's call.
   */
  readonly openAmounts: readonly { readonly asset: TreasuryAsset; readonly amount: bigint }[]
  /** The required first payout to a payee in base units; null = already paid, so any amount is allowed. */
  readonly firstPayout: (payee: string, asset: TreasuryAsset) => bigint | null
  /** The skim's cron fired and its plan has not been made yet. */
  readonly isSkimDue: boolean
}

/** A leg before it moves; the core adds its stage, attempts and outcome. */
export type PlannedLeg = Pick<
  Leg,
  'kind' | 'from' | 'to' | 'asset' | 'amount' | 'receiveAsset' | 'leastReceived' | 'payee'
>

/** A planned intent of the policy. */
export type PlannedIntent = Pick<Envelope, 'destination' | 'mostSpent' | 'receiveAsset' | 'leastReceived'> & {
  readonly rule: IntentRule
  /** The token whose band, skim or payout requires it; with `rule` and `direction` it is unique among active intents. */
  readonly asset: TreasuryAsset
  readonly direction: Direction
  readonly route: RouteName
  readonly legs: readonly PlannedLeg[]
  /** The token that leaves. */
  readonly spendAsset: TreasuryAsset
  /** Expected cost in base units of NTZS: fees, a swap's spread, and the cost of a failure times its odds. */
  readonly cost: bigint
  /** What the position would lose with that side off until the next chance, in base units of NTZS; null = not estimated. */
  readonly worth: bigint | null
  readonly arrivesAt: Ms
  /** By when it will have arrived in 95 of 100 cases. */
  readonly latestAt: Ms
  /** Share of such intents expected to fail, 0 to 1. */
  readonly failureOdds: number
  readonly why: string
}

/** A rejected route, and why, in a sentence. */
export type RejectedRoute = Pick<PlannedIntent, 'rule' | 'route' | 'asset' | 'direction' | 'why'>

/** The position's forecast holding at the end of an hour. */
export type ForecastHour = {
  readonly at: Ms
  /** Base units, never below zero: expected, and the lower bound in 95 of 100 cases. */
  readonly p50: bigint
  readonly p95: bigint
}

/** The error of day-ahead forecasts; base units a day. */
export type ForecastError = {
  readonly days: number
  /** Mean of actual minus forecast: positive = more arrived than expected. */
  readonly bias: bigint
  readonly meanAbsolute: bigint
  /** Share of the days whose net flow was not below the 95 % bound. */
  readonly covered: number
}

export type TokenForecast = {
  readonly asset: TreasuryAsset
  readonly hours: readonly ForecastHour[]
  /** The first hour at whose end the expected holding is used up; null = not within the horizon. */
  readonly runsDryAt: Ms | null
  /** The same in the worst of 20 cases. */
  readonly mayRunDryAt: Ms | null
  /** When a refill should start, so that the side lasts through its lead time at the service level; null = no band or not needed. */
  readonly refillAt: Ms | null
  readonly reorderLevel: bigint
  readonly orderUpTo: bigint
  /** The basis of the flow's mean and spread. */
  readonly basis: 'hour-of-week' | 'hour-of-day' | 'all-hours' | 'none'
  /** Named days within the horizon with a higher outflow: pay-day, holidays. */
  readonly peaks: readonly { readonly name: string; readonly at: Ms; readonly outflow: bigint }[]
  readonly error: ForecastError | null
}

/** Levels that published rules would keep, for comparison; base units. */
export type TokenBenchmark = {
  readonly asset: TreasuryAsset
  readonly reorderLevel: bigint
  readonly orderUpTo: bigint
  /** Miller-Orr's return point Z, upper limit H and average balance; null = the flow does not vary, or they do not exist. */
  readonly millerOrr: { readonly target: bigint; readonly upper: bigint; readonly average: bigint } | null
  /** Days that the stock between target and reorder level covers; null = no outflow. */
  readonly daysCovered: number | null
}

export type Plan = {
  readonly steps: readonly PlannedIntent[]
  readonly rejected: readonly RejectedRoute[]
  readonly forecast: Readonly<Record<TreasuryAsset, TokenForecast | null>>
  readonly benchmarks: readonly TokenBenchmark[]
  readonly warnings: readonly PlanWarning[]
}

/** A problem for a person: a calendar that ends, a token that no route can refill, a target that is too low. */
export type PlanWarning = {
  readonly code: 'treasury-calendar-ends' | 'treasury-no-route' | 'treasury-target-low'
  /** Its subject; warnings with the same code and subject are one, whatever their figures. */
  readonly subject: string
  readonly message: string
}
