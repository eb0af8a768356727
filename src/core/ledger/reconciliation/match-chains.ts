import { copySums, recordFee, type PostedFill, unnoteFee } from '../fills/fees.ts'
import { differences, matchSnapshot, type Match, type MatchInput } from './match.ts'
import { CHAIN_ASSETS, postedElsewhere } from '../fills/other-chain.ts'

/** Number of newest fills with an undecided chain among which runs of neighbours are tried. */
const MOST_IN_RUNS = 12

/** A fill as it was booked and as the balances show it. */
export type ChainMove = { readonly booked: PostedFill; readonly shown: PostedFill }

type ChainMatch = Match & {
  /** The rows of the reading with the moved ones on the other chain. */
  readonly fills: readonly PostedFill[]
  readonly moves: readonly ChainMove[]
}

/**
 * Returns a match of the balances with the ledger if some fills whose rows name no chain are moved to the other chain: one of
 * them, a run of neighbours, or all since the last match. Everything else, including both balances of the symbol, must fit
 * exactly as usual, at any prefix and with any fee that matching tries. A balance that the venue omits counts as zero.
 */
export function matchChains(given: MatchInput): ChainMatch | null {
  const { undecided } = given.learning
  if (undecided.length === 0) return null
  const venue = { ...given.venue }
  for (const asset of CHAIN_ASSETS) venue[asset] ??= 0n
  const input = { ...given, venue }
  if (!differences(input).some(isBetweenChains)) return null
  for (const set of candidates(undecided)) {
    const match = matchMoved(input, set)
    if (match !== null) return match
  }
  return null
}

/** Returns whether one chain has too much and the other too little. */
function isBetweenChains(difference: MatchInput['venue']): boolean {
  const [here = 0n, there = 0n] = CHAIN_ASSETS.map((asset) => difference[asset])
  return here * there < 0n
}

/** Yields the smallest sets first, so only as many fills are moved as the balances require. */
function* candidates(undecided: readonly PostedFill[]): Generator<readonly PostedFill[]> {
  for (const one of undecided) yield [one]
  const newest = undecided.slice(-MOST_IN_RUNS)
  for (let length = 2; length <= newest.length; length++) {
    for (let from = 0; from + length <= newest.length; from++) yield newest.slice(from, from + length)
  }
  if (undecided.length > newest.length) yield undecided
}

function matchMoved(input: MatchInput, set: readonly PostedFill[]): ChainMatch | null {
  const moves = new Map<string, ChainMove>()
  const ledger = { ...input.ledger }
  const learning = copySums(input.learning)
  for (const booked of set) {
    const { elsewhere } = booked
    if (elsewhere === undefined) continue
    const shown = postedElsewhere({ ...booked, elsewhere })
    moves.set(elsewhere.id, { booked, shown })
    const debited = learning.model === 'from-position'
    ledger[booked.inAsset] -= booked.amountIn
    ledger[booked.outAsset] += booked.amountOut + (debited ? booked.fee : 0n)
    ledger[shown.inAsset] += shown.amountIn
    ledger[shown.outAsset] -= shown.amountOut + (debited ? shown.fee : 0n)
    unnoteFee(learning, booked)
    recordFee(learning, shown)
  }
  const moved = input.fills.map((fill) => moves.get(fill.elsewhere?.id ?? '')?.shown ?? fill)
  const match = matchSnapshot({ ...input, ledger, learning, fills: moved })
  if (match === null) return null
  // A fill not yet in the balances stays where it was booked.
  for (const later of input.fills.slice(input.fills.length - match.after)) {
    moves.delete(later.elsewhere?.id ?? '')
  }
  if (moves.size === 0) return null
  const fills = input.fills.map((fill) => moves.get(fill.elsewhere?.id ?? '')?.shown ?? fill)
  return { ...match, fills, moves: [...moves.values()] }
}
