import type { Leg, ProvisionalFigure } from '../model/intent.ts'
import type { TreasuryPosting } from '../model/observation.ts'
import type { TreasuryPlace, TreasuryAsset } from '../model/place.ts'
import { type Books, move, post } from './books.ts'

/** What leaves for a leg at its present price, base units of its token. */
export function spendOf({ quote, amount }: Leg): bigint {
  return quote?.spend ?? amount
}

/**
 * A leg is about to be sent: what it moves leaves its place and is in transit. Money of the bank or a phone is not ours to
 * reserve: it comes in once the venue has seen it (`isSeen`).
 */
export function reserveLeg(
  books: Books,
  intent: string,
  index: number,
  leg: Leg,
  isSeen = false,
): readonly TreasuryPosting[] {
  const key = keyOf(intent, index)
  const amount = spendOf(leg)
  if ((isOutside(leg.from) && !isSeen) || amount === 0n || Object.hasOwn(books.reserved, key)) return []
  const account = `transit:${intent}`
  books.reserved[key] = { account, asset: leg.asset, amount }
  return posted(books, move(leg.from, account, leg.asset, amount))
}

/** The leg arrived: transit becomes what was received; the rest is what the way cost. */
export function settleLeg(
  books: Books,
  intent: string,
  index: number,
  leg: Leg,
  received: bigint,
): readonly TreasuryPosting[] {
  const { account, amount } = takeReserved(books, intent, index, leg)
  const to = leg.payee === null || isOutside(leg.to) ? leg.to : 'external'
  if (leg.asset === leg.receiveAsset)
    return posted(books, [
      ...move(account, to, leg.asset, received),
      ...move(account, 'railCosts', leg.asset, amount - received),
    ])
  return posted(books, [
    ...move(account, 'conversion', leg.asset, amount),
    ...move('conversion', to, leg.receiveAsset, received),
  ])
}

/** Books a leg that came back; `returned` is what is left after a fee, null = all of it. */
export function voidLeg(
  books: Books,
  intent: string,
  index: number,
  leg: Leg,
  returned: bigint | null,
): readonly TreasuryPosting[] {
  const { account, amount } = takeReserved(books, intent, index, leg)
  if (account === leg.from) return []
  const back = returned ?? amount
  return posted(books, [
    ...move(account, leg.from, leg.asset, back),
    ...move(account, 'railCosts', leg.asset, amount - back),
  ])
}

/** What a leg's way back brings: another token, or more, than what left. */
export type Return = { readonly asset: TreasuryAsset; readonly amount: bigint }

/**
 * What comes back of a leg where the venue states no figure: all that left for it, fees included. An off-ramp comes back in
 * full as shillings. Source: partner-api.md, "balance restored" and ramp settlement.
 */
export function wholeReturn(leg: Leg): Return {
  const { kind, quote, asset, receiveAsset } = leg
  return kind === 'offramp' && quote !== null
    ? { asset: receiveAsset, amount: quote.receive + quote.feeTzs }
    : { asset, amount: spendOf(leg) }
}

/** The venue sent the leg's value back. */
export function revertLeg(
  books: Books,
  intent: string,
  index: number,
  leg: Leg,
  back: Return,
): readonly TreasuryPosting[] {
  if (back.asset === leg.asset) return voidLeg(books, intent, index, leg, back.amount)
  const { account, amount } = takeReserved(books, intent, index, leg)
  return posted(books, [
    ...move(account, 'conversion', leg.asset, amount),
    ...move('conversion', leg.from, back.asset, back.amount),
  ])
}

/** No one knows where the leg's value is: what was in transit is a claim. */
export function claimLeg(books: Books, intent: string, index: number): readonly TreasuryPosting[] {
  const reserved = books.reserved[keyOf(intent, index)]
  const account = `claim:${intent}`
  if (reserved === undefined || reserved.account === account) return []
  const postings = move(reserved.account, account, reserved.asset, reserved.amount)
  reserved.account = account
  return posted(books, postings)
}

/** A leg that had arrived came back: what was received leaves its place again, and what returns is at its start. */
export function reverseLeg(books: Books, leg: Leg, back: Return): readonly TreasuryPosting[] {
  const to = leg.payee === null || isOutside(leg.to) ? leg.to : 'external'
  const received = leg.received ?? 0n
  if (back.asset === leg.receiveAsset)
    return posted(books, [
      ...move(to, leg.from, back.asset, back.amount),
      // What the payee had and did not come back is a cost, and a fee that came back with it is one less.
      ...move(to, 'railCosts', back.asset, received - back.amount),
    ])
  return posted(books, [
    ...move(to, 'conversion', leg.receiveAsset, received),
    ...move('conversion', leg.from, back.asset, back.amount),
  ])
}

/** The balances show what a provisional figure was: the difference is a cost of the way, or one less. */
export function correctLeg(
  books: Books,
  leg: Leg,
  { place, asset }: ProvisionalFigure,
  difference: bigint,
): readonly TreasuryPosting[] {
  const account = leg.asset === leg.receiveAsset ? 'railCosts' : 'conversion'
  return posted(books, move(account, place, asset, difference))
}

/** Whether the books hold what the leg moves, in transit or as a claim. */
export function isReserved(books: Books, intent: string, index: number): boolean {
  return Object.hasOwn(books.reserved, keyOf(intent, index))
}

/** The account that holds what the leg moves, and how much; without a reservation it comes from outside. */
function takeReserved(
  books: Books,
  intent: string,
  index: number,
  leg: Leg,
): { readonly account: string; readonly amount: bigint } {
  const key = keyOf(intent, index)
  const reserved = books.reserved[key]
  if (reserved === undefined) return { account: leg.from, amount: spendOf(leg) }
  delete books.reserved[key]
  return reserved
}

function posted(books: Books, postings: readonly TreasuryPosting[]): readonly TreasuryPosting[] {
  post(books, postings)
  return postings
}

function keyOf(intent: string, index: number): string {
  return `${intent}:${index}`
}

/** Money of the bank and of a phone is not ours: no one reads their balances. */
export function isOutside(place: TreasuryPlace): boolean {
  return place === 'bank' || place === 'phone'
}
