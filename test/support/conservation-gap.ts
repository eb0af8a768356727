import { type Amounts, ASSETS, toBook } from '../../src/base/money/asset.ts'
import type { VenueBook } from '../../src/simulator/sandbox/market/book.ts'

/** Per asset: all pools, wallets and counter-accounts minus all openings, as book amounts. Zero, or something was made or lost. */
export function conservationGap(book: VenueBook): Amounts {
  const gap = { NTZS: 0n, USDC: 0n, USDT: 0n, 'USDT.bnb': 0n }
  for (const asset of ASSETS) {
    gap[asset] += book.fees[asset] + book.takers[asset] + book.reserve[asset] + book.external[asset]
    for (const { pool, wallet, opening } of [book.ours, ...book.competitors]) {
      gap[asset] += pool[asset] + wallet[asset] - opening[asset]
    }
    for (const account of book.accounts.values()) gap[asset] += account[asset]
    gap[asset] = toBook(gap[asset], asset) + book.rests[asset]
    for (const { poolRest } of [book.ours, ...book.competitors]) gap[asset] += poolRest[asset]
  }
  return gap
}
