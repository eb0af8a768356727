import type { Leg, ProvisionalFigure } from '../model/intent.ts'
import type { TreasuryPosting } from '../model/observation.ts'
import type { TreasuryPlace, TreasuryAsset } from '../model/place.ts'
import { type Books, move, post } from './books.ts'

/** A leg whose value the books track. */
type BookedLeg = {
  readonly state: { readonly books: Books }
  readonly intent: { readonly id: string }
  readonly index: number
  readonly leg: Leg
}

/** Returns the base units that a leg spends at its current price. */
export function spendOf({ quote, amount }: Leg): bigint {
  return quote?.spend ?? amount
}

/**
 * Reserves the value of a leg that is about to be sent: moves it from its place to transit. Money of the bank or a
 * phone is not ours to reserve; it enters once the venue has seen it (`isSeen`).
 */
export function reserveLeg(at: BookedLeg, isSeen = false): readonly TreasuryPosting[] {
  const { books } = at.state
  const { leg } = at
  const key = keyOf(at)
  const amount = spendOf(leg)
  if ((isOutside(leg.from) && !isSeen) || amount === 0n || Object.hasOwn(books.reserved, key)) return []
  const account = `transit:${at.intent.id}`
  books.reserved[key] = { account, asset: leg.asset, amount }
  return posted(at, move(leg.from, account, leg.asset, amount))
}

/** Books the arrival of a leg: transit becomes the received amount, and the rest is a cost. */
export function settleLeg(at: BookedLeg, received: bigint): readonly TreasuryPosting[] {
  const { leg } = at
  const { account, amount } = takeReserved(at)
  const to = destinationOf(leg)
  if (leg.asset === leg.receiveAsset)
    return posted(at, [
      ...move(account, to, leg.asset, received),
      ...move(account, 'railCosts', leg.asset, amount - received),
    ])
  return posted(at, [
    ...move(account, 'conversion', leg.asset, amount),
    ...move('conversion', to, leg.receiveAsset, received),
  ])
}

/** Books the return of a leg; `returned` is the amount after a fee, null = the full amount. */
export function voidLeg(at: BookedLeg, returned: bigint | null): readonly TreasuryPosting[] {
  const { leg } = at
  const { account, amount } = takeReserved(at)
  if (account === leg.from) return []
  const back = returned ?? amount
  return posted(at, [
    ...move(account, leg.from, leg.asset, back),
    ...move(account, 'railCosts', leg.asset, amount - back),
  ])
}

/** The returned value of a leg, which may be another token or more than the amount sent. */
export type Return = { readonly asset: TreasuryAsset; readonly amount: bigint }

/**
 * Returns the whole value of a leg, for returns that the venue does not quantify: everything that left, including fees.
 * An off-ramp returns in full as shillings. Source: partner-api.md, "balance restored" and ramp settlement.
 */
export function wholeReturn(leg: Leg): Return {
  const { kind, quote, asset, receiveAsset } = leg
  return kind === 'offramp' && quote !== null
    ? { asset: receiveAsset, amount: quote.receive + quote.feeTzs }
    : { asset, amount: spendOf(leg) }
}

/** Books the value of a leg that the venue sent back. */
export function revertLeg(at: BookedLeg, back: Return): readonly TreasuryPosting[] {
  const { leg } = at
  if (back.asset === leg.asset) return voidLeg(at, back.amount)
  const { account, amount } = takeReserved(at)
  return posted(at, [
    ...move(account, 'conversion', leg.asset, amount),
    ...move('conversion', leg.from, back.asset, back.amount),
  ])
}

/** Books a leg's transit as a claim, because its whereabouts are unknown. */
export function claimLeg(at: BookedLeg): readonly TreasuryPosting[] {
  const reserved = at.state.books.reserved[keyOf(at)]
  const account = `claim:${at.intent.id}`
  if (reserved === undefined || reserved.account === account) return []
  const postings = move(reserved.account, account, reserved.asset, reserved.amount)
  reserved.account = account
  return posted(at, postings)
}

/** Books the return of a leg that had arrived: moves its received value out and the returned value to its start. */
export function reverseLeg(at: BookedLeg, back: Return): readonly TreasuryPosting[] {
  const { leg } = at
  const to = destinationOf(leg)
  const received = leg.received ?? 0n
  if (back.asset === leg.receiveAsset)
    return posted(at, [
      ...move(to, leg.from, back.asset, back.amount),
      // The amount that the payee kept is a cost, and a returned fee reduces the costs.
      ...move(to, 'railCosts', back.asset, received - back.amount),
    ])
  return posted(at, [
    ...move(to, 'conversion', leg.receiveAsset, received),
    ...move('conversion', leg.from, back.asset, back.amount),
  ])
}

/** Corrects a provisional figure to match the balances: the difference changes the costs. */
export function correctLeg(
  books: Books,
  leg: Leg,
  { place, asset }: ProvisionalFigure,
  difference: bigint,
): readonly TreasuryPosting[] {
  const account = leg.asset === leg.receiveAsset ? 'railCosts' : 'conversion'
  const postings = move(account, place, asset, difference)
  post(books, postings)
  return postings
}

/** Returns whether the books hold the leg's value, in transit or as a claim. */
export function isReserved(at: BookedLeg): boolean {
  return Object.hasOwn(at.state.books.reserved, keyOf(at))
}

/** Ends a leg's reservation. Returns its account and amount; without a reservation the value comes from outside. */
function takeReserved(at: BookedLeg): { readonly account: string; readonly amount: bigint } {
  const { leg } = at
  const { reserved } = at.state.books
  const key = keyOf(at)
  const found = reserved[key]
  if (found === undefined) return { account: leg.from, amount: spendOf(leg) }
  delete reserved[key]
  return found
}

function posted({ state }: BookedLeg, postings: readonly TreasuryPosting[]): readonly TreasuryPosting[] {
  post(state.books, postings)
  return postings
}

function keyOf({ intent, index }: BookedLeg): string {
  return `${intent.id}:${index}`
}

function destinationOf({ payee, to }: Leg): TreasuryPlace | 'external' {
  return payee === null || isOutside(to) ? to : 'external'
}

/** Returns whether a place is outside the desk, so that its balance is not read. */
export function isOutside(place: TreasuryPlace): boolean {
  return place === 'bank' || place === 'phone'
}
