import { formatTokens } from '../../base/money/asset.ts'
import type { Rate } from '../../base/money/rate.ts'
import { MINUTE_MS } from '../../base/time.ts'
import type { TreasuryPosting } from '../model/observation.ts'
import {
  type Holdings,
  type TreasuryPlace,
  type ReadPlace,
  TREASURY_ASSETS,
  type TreasuryAsset,
} from '../model/place.ts'
import { markBooks } from './accrual.ts'
import { boundsOf, divideDifference, type FigureFinding, figuresAt, type OpenFigure } from './provisional.ts'
import { rememberUnreconciled, takenBack, undoneCorrections } from './taken-back.ts'
import { type ClaimTrace, claimsBehind, mayBeClaims } from './claim-evidence.ts'
import { balanceOf, type Books, type Held, isEmpty, move, nothing, ownHoldings, post } from './books.ts'

/** Places that are compared by their sum, because fills and sweeps move value between pool and LP wallet. */
const GROUPS: readonly (readonly ReadPlace[])[] = [
  ['pool', 'lpWallet'],
  ['treasury'],
  ['platform'],
  ['float'],
]
/** A difference that is unchanged for this long is not a race between a reading and a movement. */
const LASTS_MS = 5 * MINUTE_MS
const READINGS = 3

type Booked = {
  readonly postings: readonly TreasuryPosting[]
  readonly differing: readonly string[]
  /** Claims whose value may appear in the balances. */
  readonly traced: readonly ClaimTrace[]
  /** Figures that the balances confirmed or corrected; the caller posts them. */
  readonly found: readonly FigureFinding[]
}

/** Intents' open legs and figures at the places that were read. */
export type OpenValue = {
  /** Both ends of open legs: a reading there may precede or follow a movement. */
  readonly touched: ReadonlySet<TreasuryPlace>
  readonly claims: readonly ClaimTrace[]
  readonly figures: readonly OpenFigure[]
  /** Corrections of figures by earlier readings. */
  readonly corrected: readonly FigureFinding[]
}

/**
 * Compares the books with a reading, and opens a place at its first one. Later differences are kept until they have
 * lasted without an open leg at the place. Then they correct figures that the venue did not state, or are booked as
 * unreconciled and reported, because the venue's report is authoritative. Differences that open claims explain exactly
 * belong to the claims and are not booked again.
 */
export function bookHoldings(
  books: Books,
  holdings: Holdings,
  mid: Rate | null,
  now: number,
  { touched, claims, figures, corrected }: OpenValue,
): Booked {
  markBooks(books.pnl, ownHoldings(books), mid)
  const postings: TreasuryPosting[] = []
  const differing: string[] = []
  const traced: ClaimTrace[] = []
  const found: FigureFinding[] = []
  for (const group of GROUPS) {
    if (group.some((place) => holdings[place] === null)) continue
    splitAsRead(books, postings, holdings, group)
    const [first] = group
    if (first === undefined) continue
    if (!books.opened.includes(first)) {
      books.opened.push(first)
      for (const place of group)
        bookDifference(books, postings, 'opening', place, missingAt(books, holdings, [place]))
      continue
    }
    const amounts = missingAt(books, holdings, group)
    const traces = claims.filter(({ place }) => group.some((one) => one === place))
    const behind = claimsBehind(amounts, traces)
    for (const { asset, amount } of behind) amounts[asset] -= amount
    traced.push(...behind)
    const isTouched = group.some((place) => touched.has(place))
    const lasting = lastingDifference(books, first, amounts, now, isTouched)
    const back =
      lasting === null
        ? nothing()
        : takenBack(books, first, lasting, (asset) => figuresAt(figures, group, asset))
    if (lasting !== null)
      found.push(...undoneCorrections(lasting, (asset) => figuresAt(corrected, group, asset)))
    const others = traces.filter((trace) => !behind.some(({ leg }) => leg === trace.leg))
    found.push(...takeFigures({ figures, traces: others }, group, amounts, lasting))
    bookDifference(books, postings, 'unreconciled', first, back)
    if (lasting === null || isEmpty(lasting)) continue
    bookDifference(books, postings, 'unreconciled', first, lasting)
    rememberUnreconciled(books, first, lasting)
    differing.push(`${group.join(' and ')} ${textOf(lasting)} than the books had: booked as unreconciled`)
  }
  return { postings, differing, traced, found }
}

/**
 * Returns the figures of the group that the reading decides: confirmed if books and balances agree, else corrected by
 * the lasting difference, which it takes from `lasting`. While open claims may explain a part of it, decides and books
 * nothing: a swap's result could hide a payout that never left.
 */
function takeFigures(
  {
    figures: open,
    traces,
  }: { readonly figures: readonly OpenFigure[]; readonly traces: readonly ClaimTrace[] },
  group: readonly ReadPlace[],
  amounts: Readonly<Held>,
  lasting: Held | null,
): readonly FigureFinding[] {
  return TREASURY_ASSETS.flatMap((asset) => {
    const figures = figuresAt(open, group, asset)
    if (amounts[asset] === 0n) return figures.map((one) => ({ ...one, difference: 0n }))
    if (lasting === null || figures.length === 0) return []
    const { least, most } = boundsOf(figures)
    const rest = { least: lasting[asset] - most, most: lasting[asset] - least }
    if (mayBeClaims(asset, rest, traces)) {
      lasting[asset] = 0n
      return []
    }
    const findings = divideDifference(figures, lasting[asset])
    if (findings.length > 0) lasting[asset] = 0n
    return findings
  })
}

/** Books the takers' net flow in the pool; flow before the opening belongs to the opening balance. */
export function bookFlow(
  books: Books,
  flow: Readonly<Held>,
  opened: Readonly<Held> = nothing(),
): readonly TreasuryPosting[] {
  if (!books.opened.includes('pool')) return []
  const postings = TREASURY_ASSETS.flatMap((asset) => [
    ...move('trading', 'pool', asset, flow[asset]),
    // A token opens once; takers may have moved it before it appeared.
    ...(balanceOf(books, 'opening', asset) === 0n ? move('opening', 'pool', asset, opened[asset]) : []),
  ])
  post(books, postings)
  return postings
}

/** Sets the second place of a group to its reading, so that only the sum can differ. */
function splitAsRead(
  books: Books,
  postings: TreasuryPosting[],
  holdings: Holdings,
  [first, second]: readonly ReadPlace[],
): void {
  if (first === undefined || second === undefined || !books.opened.includes(first)) return
  const moved = TREASURY_ASSETS.flatMap((asset) =>
    move(first, second, asset, (holdings[second]?.[asset] ?? 0n) - balanceOf(books, second, asset)),
  )
  post(books, moved)
  postings.push(...moved)
}

function missingAt(books: Books, holdings: Holdings, places: readonly ReadPlace[]): Held {
  const amounts = nothing()
  for (const place of places)
    for (const asset of TREASURY_ASSETS)
      amounts[asset] += (holdings[place]?.[asset] ?? 0n) - balanceOf(books, place, asset)
  return amounts
}

/** Returns a difference that has lasted unchanged; null = none, or too recent. */
function lastingDifference(
  books: Books,
  place: string,
  amounts: Held,
  now: number,
  isTouched: boolean,
): Held | null {
  const before = books.differences[place]
  if (isEmpty(amounts)) {
    delete books.differences[place]
    return null
  }
  const isSame =
    before !== undefined && TREASURY_ASSETS.every((asset) => before.amounts[asset] === amounts[asset])
  if (!isSame || isTouched) {
    books.differences[place] = { amounts, since: now, readings: 1 }
    return null
  }
  before.readings += 1
  if (before.readings < READINGS || now - before.since < LASTS_MS) return null
  delete books.differences[place]
  return amounts
}

function bookDifference(
  books: Books,
  postings: TreasuryPosting[],
  from: 'opening' | 'unreconciled',
  to: TreasuryPlace,
  amounts: Readonly<Held>,
): void {
  const booked = TREASURY_ASSETS.flatMap((asset) => move(from, to, asset, amounts[asset]))
  post(books, booked)
  postings.push(...booked)
}

function textOf(amounts: Readonly<Held>): string {
  const text = (asset: TreasuryAsset) =>
    `${amounts[asset] > 0n ? 'more' : 'less'} by ${formatTokens(amounts[asset] > 0n ? amounts[asset] : -amounts[asset], asset)} ${asset}`
  return `hold ${TREASURY_ASSETS.filter((asset) => amounts[asset] !== 0n)
    .map(text)
    .join(', ')}`
}
