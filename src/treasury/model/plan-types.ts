import type { Ms } from '../../base/time.ts'
import type { Rate } from '../../base/money/rate.ts'
import type { TreasuryConfig } from './config.ts'
import type { Envelope, IntentRule, Leg } from './intent.ts'
import type { Holdings, TreasuryAsset } from './place.ts'
import type { FlowHistory } from './flow-history.ts'

/**
 * The ways by which value reaches or leaves the position. `bank-deposit` brings shillings of the LP's bank account,
 * `rebalance` moves a token between the treasury's wallet and the LP's, `swap` turns one token into the other as a taker,
 * `onramp` brings dollars for shillings of the LP's phone, `offramp` pays dollars out as shillings on a phone, `payout`
 * pays shillings to a bank account or a phone, or a token to an address.
 */
export const ROUTES = ['bank-deposit', 'rebalance', 'swap', 'onramp', 'offramp', 'payout'] as const
export type RouteName = (typeof ROUTES)[number]

export type Direction = 'in' | 'out'

/** What the treasury has learned of a route from the intents that went over it. */
export type RailScore = {
  readonly route: string
  /** Intents that ended, and those of them that failed. */
  readonly tries: number
  readonly failures: number
  /** From the first byte to the end; null = nothing has ended yet. */
  readonly medianMs: Ms | null
  readonly p95Ms: Ms | null
  /** What it cost in basis points of what it moved; null = nothing has ended yet. */
  readonly costBps: number | null
  /** A route that failed twice rests until then; null = it may be used. */
  readonly restedUntil: Ms | null
}

/** The position's own quote: what a taker pays away from the mid. Null = that side is off. */
export type OwnQuote = {
  readonly bidBps: number | null
  readonly askBps: number | null
  readonly isActive: boolean
  readonly isHalted: boolean
  /** Whether the venue has confirmed the spread, or that the position is out; absent = it has. */
  readonly isKnown?: boolean
}

/** A (rule, token, direction) that has an active intent, which may have no second one. */
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
  /** Base units on their way to our own places, of the token that will arrive. */
  readonly inTransit: Readonly<Record<TreasuryAsset, bigint>>
  readonly active: readonly ActiveIntent[]
  readonly rails: readonly RailScore[]
  /** Rails (routes or places) whose last reading failed: no new intent on the tokens that they carry. */
  readonly unreadable: readonly { readonly rail: string; readonly words: string }[]
  readonly flow: FlowHistory
  /** Base units of `asset` that may still leave over a route to a destination; null = no cap. */
  readonly capsLeft: (route: RouteName, destination: string, asset: TreasuryAsset) => bigint | null
  /** The venue's caps of transfers of the shilling, and what of the day is left; null or absent = none is known. */
  readonly transferCaps?: { readonly perTransaction: bigint | null; readonly left: bigint | null }
  /**
   * Amounts of legs that are open or were sent within the duplicate window. A new leg differs from all of them: for a
   * user's calls the exact amount is what finds a lost answer.
   */
  readonly openAmounts: readonly { readonly asset: TreasuryAsset; readonly amount: bigint }[]
  /** What the first payout to a payee has to be, base units; null = it has been paid before: any amount. */
  readonly firstPayout: (payee: string, asset: TreasuryAsset) => bigint | null
  /** The cron of the skim fired and its plan has not been made yet. */
  readonly isSkimDue: boolean
}

/** A leg before it moves: the core adds its stage, attempts and outcome. */
export type PlannedLeg = Pick<
  Leg,
  'kind' | 'from' | 'to' | 'asset' | 'amount' | 'receiveAsset' | 'leastReceived' | 'payee'
>

/** An intent as the policy wants it. */
export type PlannedIntent = Pick<Envelope, 'destination' | 'mostSpent' | 'receiveAsset' | 'leastReceived'> & {
  readonly rule: IntentRule
  /** The token whose band, skim or payout asks for it; with `rule` and `direction` it is unique among active intents. */
  readonly asset: TreasuryAsset
  readonly direction: Direction
  readonly route: RouteName
  readonly legs: readonly PlannedLeg[]
  /** The token that leaves. */
  readonly spendAsset: TreasuryAsset
  /** Expected cost in base units of NTZS: fees of the rail, spread of a swap, and what a failure would cost times its odds. */
  readonly cost: bigint
  /** What the position would lose by a side that is off until the next chance, base units of NTZS; null = not estimated. */
  readonly worth: bigint | null
  readonly arrivesAt: Ms
  /** By when it has arrived in 95 of 100 cases. */
  readonly latestAt: Ms
  /** Share of such intents that are expected to fail, 0 to 1. */
  readonly failureOdds: number
  readonly why: string
}

/** A way that was not taken, and why, in a sentence. */
export type RejectedRoute = Pick<PlannedIntent, 'rule' | 'route' | 'asset' | 'direction' | 'why'>

/** What the position will hold at the end of an hour. */
export type ForecastHour = {
  readonly at: Ms
  /** Base units, never below zero: expected, and what it holds at least in 95 of 100 cases. */
  readonly p50: bigint
  readonly p95: bigint
}

/** How the forecasts of a day ahead compared with what came; base units a day. */
export type ForecastError = {
  readonly days: number
  /** Actual less forecast on average: positive = more came than was expected. */
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
  /** What the mean and the spread of the flow come from. */
  readonly basis: 'hour-of-week' | 'hour-of-day' | 'all-hours' | 'none'
  /** Named days within the horizon that take more than others: pay-day, holidays. */
  readonly peaks: readonly { readonly name: string; readonly at: Ms; readonly outflow: bigint }[]
  readonly error: ForecastError | null
}

/** Levels that published rules would keep, beside ours; base units. */
export type TokenBenchmark = {
  readonly asset: TreasuryAsset
  readonly reorderLevel: bigint
  readonly orderUpTo: bigint
  /** Miller-Orr's return point Z, upper limit H and average balance; null = the flow does not vary, or none exists. */
  readonly millerOrr: { readonly target: bigint; readonly upper: bigint; readonly average: bigint } | null
  /** Days that the stock between target and reorder level covers; null = nothing flows out. */
  readonly daysCovered: number | null
}

export type Plan = {
  readonly steps: readonly PlannedIntent[]
  readonly rejected: readonly RejectedRoute[]
  readonly forecast: Readonly<Record<TreasuryAsset, TokenForecast | null>>
  readonly benchmarks: readonly TokenBenchmark[]
  readonly warnings: readonly PlanWarning[]
}

/** What a person should look at: a calendar that ends, a token that no route can refill, a target that is too low. */
export type PlanWarning = {
  readonly code: 'treasury-calendar-ends' | 'treasury-no-route' | 'treasury-target-low'
  /** What it is about; a warning of the same code and subject is one, whatever its figures. */
  readonly subject: string
  readonly message: string
}
