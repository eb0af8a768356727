import { formatTokens } from '../../base/money/asset.ts'
import type { Ms } from '../../base/time.ts'
import type { FoundCandidate } from '../model/event.ts'
import type { ClaimEvidence, EndBefore, Leg } from '../model/intent.ts'
import type { Holdings, TreasuryPlace, ReadPlace, TreasuryAsset } from '../model/place.ts'
import { TREASURY_ASSETS } from '../model/place.ts'
import { transferFeeBound } from '../policy/routes/legs.ts'
import type { Books, Held } from './books.ts'

/** Where the value of a claim would appear if it never left, or if it arrived after all, in base units. */
export type ClaimTrace = {
  readonly leg: Leg
  readonly place: TreasuryPlace
  readonly asset: TreasuryAsset
  readonly amount: bigint
  /** The smallest possible amount: an unstated fee may reduce a transfer. */
  readonly least: bigint
  readonly suggests: ClaimEvidence['suggests']
  readonly before: EndBefore | null
}

/** With more claims than this at one place, their sums are not searched. */
const MOST_SEARCHED = 12

/** Returns the two traces that an open claim can leave in the balances of our places. */
export function tracesOf(leg: Leg): readonly ClaimTrace[] {
  const { from, to, asset, receiveAsset, quote, kind } = leg
  const isSame = asset === receiveAsset
  const arriving = quote?.receive ?? (isSame ? leg.amount : leg.leastReceived)
  const spent = quote?.spend ?? leg.amount
  const before = leg.attempts.findLast((attempt) => attempt.before !== undefined)?.before
  const least = kind === 'transfer' ? arriving - transferFeeBound(arriving) : arriving
  return [
    {
      leg,
      place: from,
      asset,
      amount: spent,
      least: spent,
      suggests: 'returned',
      before: before?.from ?? null,
    },
    {
      leg,
      place: to,
      asset: receiveAsset,
      amount: arriving,
      least,
      suggests: 'arrived',
      before: before?.to ?? null,
    },
  ]
}

/** Returns the balances at both ends of a leg at the last reading; null = no reading yet. */
export function endsBefore(
  books: Books,
  holdings: Holdings | null,
  at: Ms | null,
  { from, to, asset, receiveAsset }: Leg,
): { readonly at: Ms; readonly from: EndBefore; readonly to: EndBefore } | null {
  if (holdings === null || at === null) return null
  const end = (place: TreasuryPlace, token: TreasuryAsset): EndBefore => ({
    held: isRead(place) ? (holdings[place]?.[token] ?? null) : null,
    // The pool and the LP wallet are compared as one.
    beyondBooks: books.differences[place === 'lpWallet' ? 'pool' : place]?.amounts[token] ?? 0n,
  })
  return { at, from: end(from, asset), to: end(to, receiveAsset) }
}

function isRead(place: TreasuryPlace): place is ReadPlace {
  return place !== 'bank' && place !== 'phone'
}

/**
 * Returns the open claims that explain what a place holds beyond the books, which contain every other movement: such a
 * difference belongs to the claims and is not a gain. They must explain it exactly, apart from what the place held
 * beyond the books before they were sent; a single transfer may also lack a fee within its bound. This is evidence for
 * the person who resolves the claim, not proof, because others pay too.
 */
export function claimsBehind(amounts: Readonly<Held>, traces: readonly ClaimTrace[]): readonly ClaimTrace[] {
  return TREASURY_ASSETS.flatMap((asset) => {
    const candidates = traces
      .filter((trace) => trace.asset === asset && trace.amount > 0n)
      .slice(0, MOST_SEARCHED)
    const gaps = new Set([0n, ...candidates.map(({ before }) => before?.beyondBooks ?? 0n)])
    for (const gap of gaps) {
      const rest = amounts[asset] - gap
      const exact = rest <= 0n ? null : subsetOf(rest, candidates)
      if (exact !== null) return exact
    }
    const rough = candidates.filter(({ least, amount }) => amounts[asset] >= least && amounts[asset] < amount)
    const [one, ...more] = rough
    return one === undefined || more.length > 0 ? [] : [{ ...one, amount: amounts[asset] }]
  })
}

/** Returns a set of traces, each claim at most once, that sums to exactly the amount; null = no such set. */
function subsetOf(amount: bigint, [first, ...others]: readonly ClaimTrace[]): readonly ClaimTrace[] | null {
  if (amount === 0n) return []
  if (first === undefined || amount < 0n) return null
  const rest = subsetOf(
    amount - first.amount,
    others.filter(({ leg }) => leg !== first.leg),
  )
  return rest === null ? subsetOf(amount, others) : [first, ...rest]
}

/** Returns whether open claims could explain an amount from `least` to `most`, so that its cause is uncertain. */
export function mayBeClaims(
  asset: TreasuryAsset,
  { least, most }: { readonly least: bigint; readonly most: bigint },
  traces: readonly ClaimTrace[],
): boolean {
  const candidates = traces.filter((trace) => trace.asset === asset && trace.amount > 0n)
  return sumsWithin(0n, { least, most }, candidates.slice(0, MOST_SEARCHED))
}

/** Returns whether `sum` plus one or more traces, each claim at most once, is within the bounds. */
function sumsWithin(
  sum: bigint,
  bounds: { readonly least: bigint; readonly most: bigint },
  [first, ...others]: readonly ClaimTrace[],
): boolean {
  if (first === undefined || sum > bounds.most) return false
  const [least, most] = [sum + first.least, sum + first.amount]
  if (most >= bounds.least && least <= bounds.most) return true
  const rest = others.filter(({ leg }) => leg !== first.leg)
  return sumsWithin(most, bounds, rest) || sumsWithin(sum, bounds, others)
}

/** Returns a trace in the balances as evidence for the person who resolves the claim. */
export function claimEvidenceOf(trace: ClaimTrace, holdings: Holdings, at: Ms): ClaimEvidence {
  const { leg, place, asset, amount, suggests, before } = trace
  const text = (units: bigint) => `${formatTokens(units, asset)} ${asset}`
  const now = isRead(place) ? (holdings[place]?.[asset] ?? 0n) : 0n
  const held = before?.held ?? null
  const seems =
    suggests === 'returned'
      ? 'it seems not to have left'
      : amount < (leg.quote?.receive ?? leg.amount) && asset === leg.asset
        ? 'it seems to have arrived, less a fee'
        : 'it seems to have arrived'
  const then = held === null ? '' : ` and held ${text(held)} before it was sent`
  const words = `${place} holds ${text(now)}${then}, ${text(amount)} more than all other known movements explain; ${seems}`
  return { by: 'balances', at, suggests, amount, asset, reference: null, words }
}

const SEEN: Readonly<Record<FoundCandidate['by'], string>> = {
  chain: 'the chain has a transfer of',
  webhook: 'a webhook of the venue reports',
  list: 'the list of the ramp has a settlement of',
}

/** Returns the evidence of a leg plus the finders' candidates, which fit it but may belong to something else. */
export function withCandidates(
  { evidence = [], receiveAsset: asset }: Leg,
  candidates: readonly FoundCandidate[],
  at: Ms,
): readonly ClaimEvidence[] {
  const seen = candidates.map(({ by, reference, received: amount }): ClaimEvidence => {
    const words = `${SEEN[by]} ${formatTokens(amount, asset)} ${asset} that fits, ${reference}: it may be this one`
    return { by, at, suggests: 'arrived', amount, asset, reference, words }
  })
  return [...evidence.filter(({ by }) => by === 'balances' || by === 'answer'), ...seen]
}

/** Returns the evidence of a leg plus the resource that an answer named, which proves nothing until it is read. */
export function withNamed(leg: Leg, id: string, at: Ms, words: string): readonly ClaimEvidence[] {
  const { evidence = [], receiveAsset: asset, leastReceived: amount } = leg
  const others = evidence.filter(({ by, reference }) => by !== 'answer' || reference !== id)
  const text = `an answer without a clear outcome named ${id}; ${words}`
  return [...others, { by: 'answer', at, suggests: 'arrived', amount, asset, reference: id, words: text }]
}
