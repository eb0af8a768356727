import type { Ms } from '../../base/time.ts'
import type { Side } from '../../money/side.ts'

/** The scenarios of the simulated market; their parameters stand in `scenarios.ts`. */
export const SCENARIOS = [
  'calm',
  'normal',
  'devaluation',
  'appreciation',
  'stale-jump',
  'toxic-taker',
  'undercut',
  'payroll',
  'weekend',
  'stablecoin-basis',
  'fat-finger-mid',
  'api-outage',
] as const

export type ScenarioName = (typeof SCENARIOS)[number]

/** Bps of the logarithm; S up = the shilling weakens. */
export type TrueRateParams = {
  readonly sdPerDayBps: number
  readonly driftPerDayBps: number
  readonly movesOnWeekends: boolean
  /** One leap, so long after the start. */
  readonly jump: { readonly afterMs: Ms; readonly bps: number } | null
}

export type PublicationParams = {
  /** No print for so long after the start. */
  readonly heldBackForMs: Ms
  /** The n-th print (from 1) is off by so much, until it is corrected. */
  readonly mistyped: { readonly print: number; readonly bps: number; readonly correctedAfterMs: Ms } | null
}

export type TakerParams = {
  /** Arrivals a day on each side if the two were even, before anyone looks at the spread: A of quant.md. */
  readonly perDayPerSide: number
  /** Share of them that bring dollars (our ask). */
  readonly askShare: number
  /** 1/k: the mean of the reservation spreads. */
  readonly reservationBps: number
  readonly medianUsd: number
  readonly capUsd: number
  /** Hours of the UTC day in which one side comes this many times as often. */
  readonly rush: {
    readonly side: Side
    readonly fromHour: number
    readonly toHour: number
    readonly factor: number
  } | null
  readonly usdt: {
    /** Share of the dollars brought that are USDT, and of the dollars wanted. */
    readonly broughtShare: number
    readonly wantedShare: number
    /** How many bps under USDC a USDT trades elsewhere: who brings USDT accepts that much more spread. */
    readonly discountBps: number
  }
}

export type InformedParams = {
  readonly perDay: number
  /** What they want to earn before they move. */
  readonly marginBps: number
  readonly medianUsd: number
  readonly capUsd: number
}

export type CompetitorParams = {
  readonly name: string
  readonly baseBps: number
  readonly minBps: number
  readonly maxBps: number
  readonly requotesPerDay: number
  /** Share of its quotes that leave one side off. */
  readonly oneSidedShare: number
  readonly ntzs: number
  readonly usdc: number
  readonly usdt: number
}

/** Spells of a kind: so many a day, exponential in length. */
export type SpellParams = { readonly perDay: number; readonly meanMs: Ms }

/** What a story is made of. */
export type Scenario = {
  readonly trueRate: TrueRateParams
  readonly publication: PublicationParams
  readonly takers: TakerParams
  readonly informed: InformedParams
  readonly competitors: readonly CompetitorParams[]
  readonly outages: SpellParams
  /** From Sunday 20:00 UTC to Monday's print the venue calls its own figure not quotable. */
  readonly notQuotableOnSundays: boolean
  /**
   * Whether the mid standing at the start is as old as the calendar makes it. Otherwise it is hours old
   * whatever day it is, so that a market can be looked at on a Sunday.
   */
  readonly opensOnTheCalendar: boolean
}
