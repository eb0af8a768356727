import type { Ms } from '../base/time.ts'
import type { Rate } from '../money/rate.ts'
import { postAdjustment } from './post-adjustment.ts'
import { postChainCorrection } from './post-chain-correction.ts'
import { postFeeCorrection } from './post-fee-correction.ts'
import { postOpening } from './post-opening.ts'
import { postTransfer } from './post-transfer.ts'
import type { BookState } from './book.ts'
import type { LedgerEntry } from './entry.ts'
import type { Instruction } from './instruction.ts'

/** Posts what an instruction says; null where it is none that posts. */
export function carryOut(
  book: BookState,
  t: Ms,
  instruction: Instruction,
  fairValue: Rate | null,
): LedgerEntry | null {
  switch (instruction.do) {
    case 'open':
      return postOpening(book, t, instruction.amounts, instruction.where, fairValue)
    case 'correct-fee': {
      const { asset, amount, where, reason } = instruction
      return postFeeCorrection(book, t, asset, amount, reason, fairValue, where)
    }
    case 'correct-chain':
      return postChainCorrection(book, t, instruction, fairValue)
    case 'book': {
      const { kind, asset, amount, where, reason } = instruction
      return kind === 'adjustment'
        ? postAdjustment(book, t, asset, amount, where, reason, fairValue)
        : postTransfer(book, t, kind, asset, amount, where, reason, fairValue)
    }
    case 'say-fee-model':
    case 'say-state':
    case 'report-foreign-loss':
    case 'ask':
      return null
  }
}
