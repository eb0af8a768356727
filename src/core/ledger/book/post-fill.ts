import type { Fill, FillLegs } from '../fills/fill.ts'
import type { Ms } from '../../../base/time.ts'
import { isStable } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import {
  type BookState,
  type LedgerEntry,
  type Location,
  markToMarket,
  numberEntry,
  type Posting,
  settledPnl,
} from './book.ts'
import { accrueTraded, accrueValue, trackDrawdown } from './accrual.ts'
import { feeDebit, type FeeModel, type PostedFill } from '../fills/fees.ts'

/** The mids at which a fill is valued; null = not known. */
type FillMids = {
  /** The mid that the venue priced from. */
  readonly venueMid: Rate | null
  /** Our own. */
  readonly fairValue: Rate | null
}

/** How a fill is booked. */
type FillTerms = FillMids & {
  /** The fee that left our account beyond `amountOut`. */
  readonly paidFee: bigint
  /** The account that the fill changes, by default `pool`. */
  readonly where?: Location
}

/** Applies a fill without an entry, which backtests do not need: credits `amountIn`, debits `amountOut + paidFee`. */
export function applyFill(book: BookState, fill: Fill, terms: FillTerms): void {
  const { paidFee, venueMid, fairValue, where = 'pool' } = terms
  markToMarket(book, fairValue ?? (book.pnl.mark === null ? venueMid : null))
  moveFill(book, fill, paidFee, venueMid, where)
  trackDrawdown(settledPnl(book))
}

/** Moves the legs of a fill and accrues their value at the present mark. */
function moveFill(
  book: BookState,
  fill: FillLegs,
  paidFee: bigint,
  venueMid: Rate | null,
  where: Location,
): void {
  const { inAsset, amountIn, outAsset, amountOut } = fill
  const pnl = settledPnl(book)
  const { trading, fees } = book.accounts
  const held = book.accounts[where]
  const debit = paidFee === 0n ? amountOut : amountOut + paidFee
  held[inAsset] += amountIn
  trading[inAsset] -= amountIn
  held[outAsset] -= debit
  trading[outAsset] += amountOut
  if (paidFee !== 0n) fees[outAsset] += paidFee
  if (isStable(inAsset)) {
    accrueTraded(pnl, inAsset, amountIn, isStable(outAsset) ? 0n : -debit, venueMid)
    if (isStable(outAsset)) accrueTraded(pnl, outAsset, -debit, 0n, venueMid)
  } else if (isStable(outAsset)) {
    accrueTraded(pnl, outAsset, -debit, amountIn, venueMid)
  } else {
    // This venue does not trade shillings for shillings, but the change of value must still be counted.
    accrueValue(pnl, 'unreconciled', 'NTZS', amountIn - debit)
  }
}

/** Returns the postings of a fill; `paidFee` left the account beyond `amountOut`. */
function fillPostings(fill: FillLegs, paidFee: bigint, where: Location): Posting[] {
  const { inAsset, amountIn, outAsset, amountOut } = fill
  const postings: Posting[] = [
    { account: where, asset: inAsset, amount: amountIn },
    { account: 'trading', asset: inAsset, amount: -amountIn },
    { account: where, asset: outAsset, amount: -(amountOut + paidFee) },
    { account: 'trading', asset: outAsset, amount: amountOut },
  ]
  if (paidFee !== 0n) postings.push({ account: 'fees', asset: outAsset, amount: paidFee })
  return postings
}

/** Posts a fill to an account of ours and returns its entry. */
export function postFill(book: BookState, t: Ms, fill: Fill, terms: FillTerms): LedgerEntry {
  applyFill(book, fill, terms)
  const postings = fillPostings(fill, terms.paidFee, terms.where ?? 'pool')
  return numberEntry(book, t, 'fill', fill.side, postings, fill.id)
}

/**
 * Reverses a booked fill whose block a reorganisation removed. The original entry is kept; the new entry names it and reverses
 * it at its original mid. Gains and losses on the units in between remain in the inventory component.
 */
export function postFillUndone(book: BookState, t: Ms, fill: Fill, mids: FillMids): LedgerEntry {
  applyFill(book, { ...fill, ...negated(fill) }, { ...mids, paidFee: 0n, where: 'wallet' })
  const postings = fillPostings(negated(fill), 0n, 'wallet')
  return numberEntry(book, t, 'fill-undone', `${fill.id} is no longer on the chain`, postings, fill.id)
}

/** A fill as it was booked and the same fill on the other chain, where the balances show it. */
export type ChainCorrection = {
  readonly booked: PostedFill
  readonly shown: PostedFill
  /** Whether our position pays the protocol fee of both fills. */
  readonly model: FeeModel
  readonly where: Location
  readonly reason: string
}

/**
 * Moves a fill to the other chain, where the balances show it: reverses its legs and posts them there, at its original mid. The
 * total PnL changes only by the rounding of a fee.
 */
export function postChainCorrection(
  book: BookState,
  t: Ms,
  correction: ChainCorrection,
  fairValue: Rate | null,
): LedgerEntry {
  const { booked, shown, model, where, reason } = correction
  const mid = booked.elsewhere?.mid ?? null
  markToMarket(book, fairValue)
  const back = negated(booked)
  const [feeBack, fee] = [-feeDebit(model, booked.fee), feeDebit(model, shown.fee)]
  moveFill(book, back, feeBack, mid, where)
  moveFill(book, shown, fee, mid, where)
  const postings = [...fillPostings(back, feeBack, where), ...fillPostings(shown, fee, where)]
  return numberEntry(book, t, 'chain-correction', reason, postings, booked.elsewhere?.id ?? null)
}

function negated({ inAsset, amountIn, outAsset, amountOut }: FillLegs): FillLegs {
  return { inAsset, amountIn: -amountIn, outAsset, amountOut: -amountOut }
}
