import { formatTokens } from '../../base/money/asset.ts'
import type { TreasuryTransition } from '../transition.ts'
import type { FigureFinding, OpenFigure } from '../books/provisional.ts'
import { correctLeg, isOutside, type Return, spendOf } from '../books/post-leg.ts'
import type { Leg, ProvisionalFigure } from '../model/intent.ts'
import { isByPosition } from './legs.ts'

/** A swap is repriced by at most this when it runs. Source: partner-api.md, the maximum of `slippageBps`. */
const REPRICED_BPS = 500n
/** A return below half of the amount is more than a fee, so it raises an alert. */
const LEAST_RETURNED = 2n

/** Returns the figure of an arrival that the venue did not quantify; null = no balance is read there. */
export function arrivedFigure(leg: Leg, booked: bigint): ProvisionalFigure | null {
  const { kind, to, asset, receiveAsset, leastReceived, payee } = leg
  if (payee !== null || isOutside(to) || isByPosition(kind)) return null
  const most = asset === receiveAsset ? spendOf(leg) : booked + (booked * REPRICED_BPS) / 10_000n
  const least = leastReceived < booked ? leastReceived : booked
  return {
    what: 'arrived',
    place: to,
    asset: receiveAsset,
    booked,
    least,
    most: most > booked ? most : booked,
  }
}

/** Returns the figure of a return that the venue did not quantify, from which it may have deducted a fee. */
export function returnedFigure({ from }: Leg, { asset, amount }: Return): ProvisionalFigure | null {
  if (isOutside(from)) return null
  const least = amount / LEAST_RETURNED
  return { what: 'returned', place: from, asset, booked: amount, least, most: amount }
}

/** Returns the figures that await the balances, oldest intent first. */
export function openFigures({ state }: TreasuryTransition): readonly OpenFigure[] {
  return Object.values(state.intents).flatMap(({ id, legs }) =>
    legs.flatMap((leg) => {
      const figure = leg.provisional ?? null
      return figure === null ? [] : [{ intent: id, leg, figure }]
    }),
  )
}

/** Returns the figures that the balances have corrected, with the differences. */
export function correctedFigures({ state }: TreasuryTransition): readonly FigureFinding[] {
  return Object.values(state.intents).flatMap(({ id, legs }) =>
    legs.flatMap((leg) => (leg.decided == null ? [] : [{ intent: id, leg, ...leg.decided }])),
  )
}

/** Corrects books and leg by a figure that the balances have decided. */
export function takeFigure({ state, emit }: TreasuryTransition, finding: FigureFinding): void {
  const { intent, leg, figure, difference } = finding
  leg.provisional = null
  if (difference === 0n) return
  const { what, asset, booked } = figure
  // Undoing a correction is not a correction. A leg's return has a separate figure.
  const isUndone = leg.decided?.figure === figure
  leg.decided = isUndone ? null : { figure: { ...figure, booked: booked + difference }, difference }
  const text = (amount: bigint) => `${formatTokens(amount, asset)} ${asset}`
  const came = what === 'arrived' ? 'arrived' : 'came back'
  leg.why = `the balances show that ${text(booked + difference)} ${came}, not ${text(booked)}`
  if (what === 'arrived' && leg.received !== null) leg.received += difference
  const postings = correctLeg(state.books, leg, figure, difference)
  emit({ type: 'booked', intent, reason: `${leg.kind}: ${leg.why}`, postings })
}
