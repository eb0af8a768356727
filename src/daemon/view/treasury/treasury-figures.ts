import { SECOND_MS, type Ms } from '../../../base/time.ts'
import { formatTokens } from '../../../base/money/asset.ts'
import { formatDecimalText } from '../../../base/money/decimal-text.ts'
import { wholeIdentity } from '../../../treasury/books/identity.ts'
import { exitLiquidity, type ExitLiquidity } from '../../../treasury/core/exit-liquidity.ts'
import { railScores } from '../../../treasury/rails.ts'
import type { TreasuryState } from '../../../treasury/state.ts'
import { activeIntents } from '../../../treasury/intents/plan-intent.ts'
import type { ReadPlace, TreasuryAsset } from '../../../treasury/model/place.ts'
import { civilDayOf, parseDay } from '../../../treasury/policy/calendar/civil-day.ts'
import type { TreasuryReading } from '../treasury-reading.ts'
import { type HoldingsView, holdingsView } from './holdings-view.ts'

/** A treasury in figures for charts and alert rules: floats of whole tokens and seconds; the books are exact. Null = not known. */
export type TreasuryFigures = {
  /** A person stopped it, or balances have to be confirmed after a restore. */
  readonly isStopped: boolean
  readonly readingAgeSeconds: number | null
  /** A place that could not be read is left out. */
  readonly onHand: readonly {
    readonly place: ReadPlace
    readonly token: TreasuryAsset
    readonly held: number
  }[]
  readonly tokens: readonly TokenFigures[]
  readonly openByStage: Readonly<Record<OpenStage, number>>
  readonly late: number
  readonly claims: number
  readonly approvals: { readonly waiting: number; readonly oldestSeconds: number | null }
  readonly residualTzs: number | null
  readonly supply: {
    readonly isAlarm: boolean
    readonly differenceTzs: number | null
    readonly reconciledAgeSeconds: number | null
    readonly ageSeconds: number | null
  }
  readonly exit: { readonly share: number; readonly tzs: Readonly<Record<ExitPart, number>> } | null
  /** Null = no listener runs. */
  readonly webhooks: TreasuryReading['webhooks']
  readonly rails: readonly { readonly route: string; readonly failures: number; readonly isRested: boolean }[]
  readonly calendarDaysLeft: number
}

type TokenFigures = {
  readonly token: TreasuryAsset
  readonly inTransit: number
  readonly reserved: number
  readonly claimed: number
  readonly dryInSeconds: number | null
  /** Null = the policy has no band for it. */
  readonly band: { readonly refillBelow: number; readonly target: number; readonly skimAbove: number } | null
  /** What the band is about; null = no band, or one of its places could not be read. */
  readonly counted: number | null
}

const OPEN_STAGES = [
  'awaiting_approval',
  'approved',
  'held',
  'waiting_for_funds',
  'planned',
  'quoted',
  'sending',
  'silent',
  'known',
  'in_transit',
] as const
type OpenStage = (typeof OPEN_STAGES)[number]
type ExitPart = Exclude<keyof ExitLiquidity, 'ours' | 'homeBps'>

/** Decimals of a value in shillings. */
const TZS36 = 36
const COUNTED = ['pool', 'lpWallet', 'treasury'] as const

/** The figures of a treasury at the moment of its reading. */
export function treasuryFigures({ now, state, plan, webhooks }: TreasuryReading): TreasuryFigures {
  const { stop, unconfirmed, config } = state
  const age = (at: Ms | null) => (at === null ? null : Math.max(0, now - at) / SECOND_MS)
  const { places, tokens } = holdingsView(state)
  const open = activeIntents(state)
  return {
    isStopped: stop !== null || unconfirmed !== null,
    readingAgeSeconds: age(state.holdingsAt),
    onHand: places.flatMap(({ place, onHand }) =>
      onHand === null
        ? []
        : tokens.map(({ asset: token }) => ({ place, token, held: Number(onHand[token]) })),
    ),
    tokens: tokens.map((one) => tokenFigures(one, state, plan?.forecast[one.asset]?.runsDryAt ?? null, now)),
    openByStage: Object.fromEntries(
      OPEN_STAGES.map((stage) => [stage, open.filter((intent) => intent.stage === stage).length]),
    ) as Record<OpenStage, number>,
    late: open.filter(({ expected }) => now > expected.latestAt).length,
    claims: Object.values(state.intents).filter(({ stage }) => stage === 'claim').length,
    approvals: approvalsOf(state, now),
    residualTzs: residualOf(state),
    supply: supplyOf(state, age),
    exit: exitOf(state),
    webhooks,
    rails: railScores(state).map(({ route, failures, restedUntil }) => ({
      route,
      failures,
      isRested: restedUntil !== null && restedUntil > now,
    })),
    calendarDaysLeft: (parseDay(config.calendar.confirmedUntil) ?? 0) - civilDayOf(now),
  }
}

function tokenFigures(
  { asset: token, inTransit, reserved, claims, band }: HoldingsView['tokens'][number],
  { holdings }: TreasuryState,
  runsDryAt: Ms | null,
  now: Ms,
): TokenFigures {
  const isRead = holdings !== null && COUNTED.every((place) => holdings[place] !== null)
  return {
    token,
    inTransit: Number(inTransit),
    reserved: Number(reserved),
    claimed: Number(claims),
    dryInSeconds: runsDryAt === null ? null : Math.max(0, runsDryAt - now) / SECOND_MS,
    band:
      band === null
        ? null
        : {
            refillBelow: Number(band.refillBelow),
            target: Number(band.target),
            skimAbove: Number(band.skimAbove),
          },
    counted: band === null || !isRead ? null : Number(band.counted),
  }
}

function approvalsOf(state: TreasuryState, now: Ms): TreasuryFigures['approvals'] {
  const waiting = activeIntents(state).filter(({ stage }) => stage === 'awaiting_approval')
  const since = Math.min(...waiting.map(({ plannedAt }) => plannedAt))
  return {
    waiting: waiting.length,
    oldestSeconds: waiting.length === 0 ? null : Math.max(0, now - since) / SECOND_MS,
  }
}

/** By way of the text: the smallest residual stays one in a float. */
function residualOf({ books, mid }: TreasuryState): number | null {
  const identity = wholeIdentity(books, mid)
  return identity === null ? null : Number(formatDecimalText(identity.tzs.residual, TZS36))
}

function supplyOf(
  { supply }: TreasuryState,
  age: (at: Ms | null) => number | null,
): TreasuryFigures['supply'] {
  const { alarm, difference, reconciledAt, at } = supply
  return {
    isAlarm: alarm !== null,
    differenceTzs: difference === null ? null : Number(formatTokens(difference, 'NTZS')),
    reconciledAgeSeconds: age(reconciledAt),
    ageSeconds: age(at),
  }
}

function exitOf(state: TreasuryState): TreasuryFigures['exit'] {
  const exit = exitLiquidity(state, state.mid)
  if (exit === null) return null
  const { homeBps, atHand, fromPool, waiting } = exit
  const number = (tzs: bigint) => Number(formatDecimalText(tzs, TZS36))
  return {
    share: homeBps / 10_000,
    tzs: { atHand: number(atHand), fromPool: number(fromPool), waiting: number(waiting) },
  }
}
