import type { Leg, ProvisionalFigure } from '../model/intent.ts'
import type { TreasuryPlace, TreasuryAsset } from '../model/place.ts'

/** A leg with a figure that the balances have yet to confirm. */
export type OpenFigure = { readonly intent: string; readonly leg: Leg; readonly figure: ProvisionalFigure }

/** A figure and its difference from the booked amount by the balances, in base units; 0 = confirmed. */
export type FigureFinding = OpenFigure & { readonly difference: bigint }

/** Returns the figures of these places and this token, oldest first. */
export function figuresAt<Figure extends OpenFigure>(
  open: readonly Figure[],
  places: readonly TreasuryPlace[],
  asset: TreasuryAsset,
): readonly Figure[] {
  return open.filter(({ figure }) => places.includes(figure.place) && figure.asset === asset)
}

/**
 * Divides a lasting difference among the figures that can explain it, oldest first, each within its bounds. Empty if
 * they cannot explain all of it, because a part would hide what is missing for another reason.
 */
export function divideDifference(
  figures: readonly OpenFigure[],
  difference: bigint,
): readonly FigureFinding[] {
  let rest = difference
  const findings = figures.map((open) => {
    const { booked, least, most } = open.figure
    const share = clamped(rest, least - booked, most - booked)
    rest -= share
    return { ...open, difference: share }
  })
  return rest === 0n ? findings : []
}

/** Returns how far the sum of the figures may be from the booked sum. */
export function boundsOf(figures: readonly OpenFigure[]): { readonly least: bigint; readonly most: bigint } {
  const sum = (of: (figure: ProvisionalFigure) => bigint) =>
    figures.reduce((all, { figure }) => all + of(figure), 0n)
  return { least: sum(({ least, booked }) => least - booked), most: sum(({ most, booked }) => most - booked) }
}

function clamped(value: bigint, least: bigint, most: bigint): bigint {
  if (value < least) return least
  return value > most ? most : value
}
