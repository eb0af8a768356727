import { formatTokens } from '../../base/money/asset.ts'
import type { TreasuryTransition } from '../transition.ts'
import type { FigureFinding, OpenFigure } from '../books/provisional.ts'
import { correctLeg, isOutside, type Return, spendOf } from '../books/post-leg.ts'
import type { Leg, ProvisionalFigure } from '../model/intent.ts'
import { isByPosition } from './legs.ts'

/** A swap is priced anew when it runs, within this of its quote. Source: partner-api.md, the most of `slippageBps`. */
const REPRICED_BPS = 500n
/** Of a return less than half is no fee of the way: a person has to learn of it. */
const LEAST_RETURNED = 2n

/** The figure of an arrival that the venue did not state; null = no balance shows it: it arrived outside. */
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

/** The figure of a return that the venue did not state: it may have kept a fee. */
export function returnedFigure({ from }: Leg, { asset, amount }: Return): ProvisionalFigure | null {
  if (isOutside(from)) return null
  const least = amount / LEAST_RETURNED
  return { what: 'returned', place: from, asset, booked: amount, least, most: amount }
}

/** Every figure that awaits the balances, of the oldest intent first. */
export function openFigures({ state }: TreasuryTransition): readonly OpenFigure[] {
  return Object.values(state.intents).flatMap(({ id, legs }) =>
    legs.flatMap((leg) => {
      const figure = leg.provisional ?? null
      return figure === null ? [] : [{ intent: id, leg, figure }]
    }),
  )
}

/** Every figure that the balances have corrected, and by how much. */
export function correctedFigures({ state }: TreasuryTransition): readonly FigureFinding[] {
  return Object.values(state.intents).flatMap(({ id, legs }) =>
    legs.flatMap((leg) => (leg.decided == null ? [] : [{ intent: id, leg, ...leg.decided }])),
  )
}

/** The balances show what a figure was: the books have it from here on, and the leg names it. */
export function takeFigure({ state, emit }: TreasuryTransition, finding: FigureFinding): void {
  const { intent, leg, figure, difference } = finding
  leg.provisional = null
  if (difference === 0n) return
  const { what, asset, booked } = figure
  // What undoes a correction is none itself. A leg that came back has another figure, of its return.
  const isUndone = leg.decided?.figure === figure
  leg.decided = isUndone ? null : { figure: { ...figure, booked: booked + difference }, difference }
  const text = (amount: bigint) => `${formatTokens(amount, asset)} ${asset}`
  const came = what === 'arrived' ? 'arrived' : 'came back'
  leg.why = `the balances show that ${text(booked + difference)} ${came}, and not ${text(booked)}`
  if (what === 'arrived' && leg.received !== null) leg.received += difference
  const postings = correctLeg(state.books, leg, figure, difference)
  emit({ type: 'booked', intent, reason: `${leg.kind}: ${leg.why}`, postings })
}
