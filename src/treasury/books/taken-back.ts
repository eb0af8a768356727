import { TREASURY_ASSETS, type TreasuryAsset } from '../model/place.ts'
import { type Books, type Held, nothing, type UnreconciledAmount } from './books.ts'
import { boundsOf, type FigureFinding, type OpenFigure } from './provisional.ts'

// What an earlier reading has decided of a difference, and a later one undoes: the balances showed a movement before its intent
// learned of it, a bounce for example, and its entry has come since.

/** What was booked as unreconciled longer ago than so many others is history. */
const MOST_REMEMBERED = 100
/** Balances show whole shillings, and of the other tokens every unit. */
const GRAINS: Readonly<Record<TreasuryAsset, bigint>> = { NTZS: 10n ** 18n, USDC: 1n, USDT: 1n }

/** Keeps what was booked as unreconciled, until something undoes it. */
export function rememberUnreconciled({ unreconciled }: Books, place: string, amounts: Readonly<Held>): void {
  for (const asset of TREASURY_ASSETS)
    if (amounts[asset] !== 0n) unreconciled.push({ place, asset, amount: amounts[asset] })
  if (unreconciled.length > MOST_REMEMBERED) unreconciled.splice(0, unreconciled.length - MOST_REMEMBERED)
}

/**
 * What undoes an earlier unreconciled difference of the place, to the last unit or else but for what the figures may be that the
 * venue did not state. It is taken from `lasting`.
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
  // What the figures can account for by themselves is theirs.
  if (exact !== -1 || isFigures(amount)) return exact
  return known.findIndex((one) => isOf(one) && isFigures(amount + one.amount))
}

/** Corrections of figures that turn out to have been another movement: the difference is the opposite now. It is taken from `lasting`. */
export function undoneCorrections(
  lasting: Held,
  correctedOf: (asset: TreasuryAsset) => readonly FigureFinding[],
): readonly FigureFinding[] {
  return TREASURY_ASSETS.flatMap((asset) => {
    if (lasting[asset] === 0n) return []
    // A correction that no balance shows by itself was no movement of another.
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
