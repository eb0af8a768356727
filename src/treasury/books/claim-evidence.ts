import type { Leg } from '../model/intent.ts'
import type { Place, TreasuryAsset } from '../model/place.ts'
import type { Held } from './books.ts'
import { TREASURY_ASSETS } from '../model/place.ts'

/** Where a claim's value would show if it never left, or if it arrived after all; base units. */
export type ClaimTrace = {
  readonly leg: Leg
  readonly place: Place
  readonly asset: TreasuryAsset
  readonly amount: bigint
  readonly words: string
}

/** More claims than this at one place are not searched for a sum: a person looks at them anyway. */
const MOST_SEARCHED = 12

/** The two traces that an open claim can leave in the balances of our places. */
export function tracesOf(leg: Leg): readonly ClaimTrace[] {
  const isSame = leg.asset === leg.receiveAsset
  const arriving = leg.quote?.receive ?? (isSame ? leg.amount : leg.leastReceived)
  const spent = leg.quote?.spend ?? leg.amount
  const { from, to, asset, receiveAsset } = leg
  return [
    { leg, place: from, asset, amount: spent, words: `${from} still holds it: it seems not to have left` },
    {
      leg,
      place: to,
      asset: receiveAsset,
      amount: arriving,
      words: `${to} holds as much more: it seems to have arrived`,
    },
  ]
}

/**
 * Open claims that account for what a place holds beyond the books, to the last unit: such a difference is theirs, and not
 * another gain. It is evidence for the person who resolves the claim, and no proof: amounts differ, but others pay too.
 */
export function claimsBehind(amounts: Readonly<Held>, traces: readonly ClaimTrace[]): readonly ClaimTrace[] {
  return TREASURY_ASSETS.flatMap((asset) => {
    if (amounts[asset] <= 0n) return []
    const candidates = traces.filter((trace) => trace.asset === asset && trace.amount > 0n)
    return subsetOf(amounts[asset], candidates.slice(0, MOST_SEARCHED)) ?? []
  })
}

/** Some of the traces that sum to the amount exactly, no claim twice; null = there are none. */
function subsetOf(amount: bigint, [first, ...others]: readonly ClaimTrace[]): readonly ClaimTrace[] | null {
  if (amount === 0n) return []
  if (first === undefined || amount < 0n) return null
  const rest = subsetOf(
    amount - first.amount,
    others.filter(({ leg }) => leg !== first.leg),
  )
  return rest === null ? subsetOf(amount, others) : [first, ...rest]
}
