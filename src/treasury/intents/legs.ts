import type { Attempt, Intent, Leg, LegKind, LegStage } from '../model/intent.ts'
import type { Ms } from '../../base/time.ts'

const ENDED: readonly LegStage[] = [
  'settled',
  'reverted',
  'refused',
  'claim',
  'cancelled',
  'expired',
  'reversed',
]
/** Leg outcomes that also end the intent. */
const BAD: readonly LegStage[] = ['refused', 'reverted', 'claim', 'expired', 'reversed']
const UNDER_WAY: readonly LegStage[] = ['sending', 'silent', 'known', 'in_transit']

/** Kinds with a price that the venue holds for a while. Source: partner-api.md, quotes. */
const QUOTED: readonly LegKind[] = ['withdrawal', 'spend', 'swap', 'offramp', 'onramp']
/** Kinds that are orders to the position. */
const BY_POSITION: readonly LegKind[] = ['lpWithdrawal', 'lpActivation', 'lpDeactivation']

/** For five minutes a quote is valid and an identical payout refused; a later replay would be a second payout. */
const SHORT_WINDOW_MS = 5 * 60_000
const SHORT: readonly LegKind[] = ['withdrawal', 'spend']

export function isEnded({ stage }: Leg): boolean {
  return ENDED.includes(stage)
}

export function isBad({ stage }: Leg): boolean {
  return BAD.includes(stage)
}

/** Returns whether something was sent whose end is unknown. */
export function isUnderWay({ stage }: Leg): boolean {
  return UNDER_WAY.includes(stage)
}

/** Returns whether its place holds too little to request a price. */
export function isWaitingForFunds({ waitsFor }: Leg): boolean {
  return waitsFor !== undefined && waitsFor !== null
}

export function isQuoted(kind: LegKind): boolean {
  return QUOTED.includes(kind)
}

export function isByPosition(kind: LegKind): boolean {
  return BY_POSITION.includes(kind)
}

/** Returns how long after the first sending the same key and bytes may be sent again. */
export function replayWindowOf(kind: LegKind, replayWindowMs: Ms): Ms {
  return SHORT.includes(kind) ? Math.min(SHORT_WINDOW_MS, replayWindowMs) : replayWindowMs
}

/** Returns the index of the first leg that has not ended, which decides the intent's stage; -1 = all have ended. */
export function currentIndex({ legs }: Intent): number {
  return legs.findIndex((leg) => !isEnded(leg))
}

/**
 * Returns the indexes of the legs that move now or next. Each leg follows the one before it, except deposits: several
 * may wait for the payer, who pays a day's lots together before the cut-off. Source: partner-api.md, deposits.
 */
export function workingIndexes({ legs }: Intent): readonly number[] {
  return legs.flatMap((leg, index) => {
    const before = legs[index - 1]
    const mayMove = before === undefined || leg.kind === 'deposit' || isEnded(before)
    return mayMove && !isEnded(leg) ? [index] : []
  })
}

export function lastAttempt({ attempts }: Leg): Attempt | undefined {
  return attempts.at(-1)
}
