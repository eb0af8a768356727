import type { Amounts } from '../money/asset.ts'
import type { BookState } from './book.ts'

/** All that is ours, a fresh object. */
export function position(book: BookState): Amounts {
  const { pool, wallet } = book.accounts
  return {
    NTZS: pool.NTZS + wallet.NTZS,
    USDC: pool.USDC + wallet.USDC,
    USDT: pool.USDT + wallet.USDT,
    'USDT.bnb': pool['USDT.bnb'] + wallet['USDT.bnb'],
  }
}

/** What the pool holds for us; a view of the book, not a copy. */
export function poolAmounts(book: BookState): Readonly<Amounts> {
  return book.accounts.pool
}

/** What our wallet at the venue holds; a view of the book, not a copy. */
export function walletAmounts(book: BookState): Readonly<Amounts> {
  return book.accounts.wallet
}
