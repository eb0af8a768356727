import { TREASURY_ASSETS, type TreasuryAsset } from '../model/place.ts'
import { type Books, type Held, nothing, type UnreconciledAmount } from './books.ts'
import { boundsOf, type FigureFinding, type OpenFigure } from './provisional.ts'

// A later reading can undo an earlier decision about a difference: the balances showed a movement, such as a bounce,
// before its intent learned of it and booked it.

/** Maximum number of unreconciled amounts that are remembered. */
const MOST_REMEMBERED = 100
/** The smallest balance step: whole shillings, and single units of the other tokens. */
const GRAINS: Readonly<Record<TreasuryAsset, bigint>> = { NTZS: 10n ** 18n, USDC: 1n, USDT: 1n }

/** Remembers amounts that were booked as unreconciled, until something undoes them. */
export function rememberUnreconciled({ unreconciled }: Books, place: string, amounts: Readonly<Held>): void {
  for (const asset of TREASURY_ASSETS)
    if (amounts[asset] !== 0n) unreconciled.push({ place, asset, amount: amounts[asset] })
  if (unreconciled.length > MOST_REMEMBERED) unreconciled.splice(0, unreconciled.length - MOST_REMEMBERED)
}

/**
 * Returns the amounts by which `lasting` undoes earlier unreconciled differences of the place, exactly or within the
 * bounds of figures that the venue did not state, and deducts them from `lasting`.
 */
export function takenBack(
  books: Books,
  place: string,
  lasting: Held,
  figuresOf: (asset: TreasuryAsset) => readonly OpenFigure[],
): Held {
  const back = nothing()
  for (const asset of TREASURY_ASSETS) {
    const index = undoneBy(books.unreconciled, { place, asset, amount: lasting[asset] }, figuresOf(asset))
    const [undone] = index === -1 ? [] : books.unreconciled.splice(index, 1)
    if (undone === undefined) continue
    back[asset] = -undone.amount
    lasting[asset] += undone.amount
  }
  return back
}

function undoneBy(
  known: readonly UnreconciledAmount[],
  { place, asset, amount }: UnreconciledAmount,
  figures: readonly OpenFigure[],
): number {
  if (amount === 0n) return -1
  const isOf = (one: UnreconciledAmount) => one.place === place && one.asset === asset
  const exact = known.findIndex((one) => isOf(one) && one.amount === -amount)
  const { least, most } = boundsOf(figures)
  const isFigures = (rest: bigint) => least <= rest && rest <= most
  // The figures alone explain the amount.
  if (exact !== -1 || isFigures(amount)) return exact
  return known.findIndex((one) => isOf(one) && isFigures(amount + one.amount))
}

/** Returns the corrections caused by another movement that `lasting` reverses, and deducts them from it. */
export function undoneCorrections(
  lasting: Held,
  correctedOf: (asset: TreasuryAsset) => readonly FigureFinding[],
): readonly FigureFinding[] {
  return TREASURY_ASSETS.flatMap((asset) => {
    if (lasting[asset] === 0n) return []
    // No other movement causes a correction below the grain of the balances.
    const isBelowGrain = (amount: bigint) => -GRAINS[asset] < amount && amount < GRAINS[asset]
    const one = correctedOf(asset).find(
      ({ difference }) => !isBelowGrain(difference) && isBelowGrain(difference + lasting[asset]),
    )
    if (one === undefined) return []
    const finding = { ...one, difference: lasting[asset] }
    lasting[asset] = 0n
    return [finding]
  })
}
