import type { Ms } from '../base/time.ts'
import type { Rate } from '../money/rate.ts'
import { type BookState, numberEntry } from './book.ts'
import type { LedgerEntry } from './entry.ts'
import { feeDebit } from './fee-model.ts'
import type { Instruction } from './instruction.ts'
import { markTo } from './mark-to.ts'
import { fillPostings, moveFill, type FillLegs } from './post-fill.ts'

/**
 * A fill was booked on one chain and the balances show it on the other: its legs there are taken back and
 * posted here, at the mid it was booked with. A dollar is a dollar: the total of the PnL moves only by what
 * a fee is rounded differently.
 */
export function postChainCorrection(
  book: BookState,
  t: Ms,
  correction: Extract<Instruction, { do: 'correct-chain' }>,
  fairValue: Rate | null,
): LedgerEntry {
  const { booked, shown, model, where, reason } = correction
  const mid = booked.elsewhere?.mid ?? null
  markTo(book, fairValue)
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
