import type { Rate } from '../../base/money/rate.ts'
import { valueTzs, type Tzs36 } from '../../core/ledger/book/value.ts'
import { bookAmounts, zeroAmounts } from '../../base/money/asset.ts'
import { ownHoldings } from '../books/books.ts'
import { TREASURY_ASSETS } from '../model/place.ts'
import type { TreasuryState } from '../state.ts'
import type { TreasuryTransition } from '../transition.ts'

/** How much of the desk's value could be withdrawn now, in TZS with 36 decimals. */
type ExitLiquidity = {
  /** The desk's whole value: places, transit and claims. */
  readonly ours: Tzs36
  /** In those of our wallets and floats that could be read. */
  readonly atHand: Tzs36
  /** What a deactivation would return from the pool, limited by the holdings of the venue's solver if known. */
  readonly fromPool: Tzs36
  /** In transit or claimed, with no known arrival. */
  readonly waiting: Tzs36
  /** (atHand + fromPool) in bps of the whole; excludes shillings while their backing is in doubt. */
  readonly homeBps: number
}

/** Alerts the operator below this share. */
const SHORT_BPS = 8_000

/** Returns the exit liquidity at a mid; null = there are no balances or no mid yet. */
export function exitLiquidity(
  { holdings, books, supply, solver }: TreasuryState,
  mid: Rate | null,
): ExitLiquidity | null {
  if (holdings === null) return null
  const own = ownHoldings(books)
  const atHand = zeroAmounts()
  const fromPool = zeroAmounts()
  const waiting = zeroAmounts()
  for (const asset of TREASURY_ASSETS) {
    for (const place of ['lpWallet', 'treasury', 'platform', 'float'] as const)
      atHand[asset] += holdings[place]?.[asset] ?? 0n
    const inPool = holdings.pool?.[asset] ?? 0n
    const most = solver?.[asset] ?? inPool
    fromPool[asset] = inPool < most ? inPool : most
    for (const [account, held] of Object.entries(books.accounts))
      if (account.includes(':')) waiting[asset] += held[asset]
  }
  const ours = valueTzs(bookAmounts(own), mid)
  const values = [atHand, fromPool, waiting].map((amounts) => valueTzs(bookAmounts(amounts), mid) ?? 0n)
  if (ours === null) return null
  const [hand = 0n, pool = 0n, rest = 0n] = values
  const doubtful =
    supply.alarm === null
      ? 0n
      : (valueTzs({ ...zeroAmounts(), NTZS: atHand.NTZS + fromPool.NTZS }, mid) ?? 0n)
  const home = hand + pool - doubtful
  return {
    ours,
    atHand: hand,
    fromPool: pool,
    waiting: rest,
    homeBps: ours <= 0n ? 10_000 : Math.min(10_000, Number((home * 10_000n) / ours)),
  }
}

/** Reports once when less than `SHORT_BPS` could return, and again after it has recovered. */
export function watchExit({ state, alert }: TreasuryTransition): void {
  const exit = exitLiquidity(state, state.mid)
  if (exit === null) return
  const isShort = exit.homeBps < SHORT_BPS
  if (isShort && !state.isExitShort)
    alert(
      'treasury-exit-short',
      `${exit.homeBps / 100} % of our value could be withdrawn now: the rest is with the venue, in transit, or in doubt`,
    )
  state.isExitShort = isShort
}
