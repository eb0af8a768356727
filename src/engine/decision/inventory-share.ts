import { position, type BookState } from '../../ledger/book/book.ts'
import { ASSETS, STABLE_ASSETS, TO_18_DECIMALS, zeroAmounts, type Amounts } from '../../money/asset.ts'
import { rateToNumber, type Rate } from '../../money/rate.ts'

/** The position in float64, for quote maths only. */
export type InventoryShare = {
  readonly tzsPerUsd: number
  readonly ntzs: number
  readonly usd: number
  readonly totalTzs: number
  /** Share of the value in dollars, 0..1; the target itself when there is nothing to share. */
  readonly usdShare: number
  /** -1..1: +1 = all dollars, -1 = all shillings, 0 = on target; each side scaled by the room it has. */
  readonly deviation: number
  /** The units behind it: one and the same object while none moves. Absent: nobody compares them. */
  readonly held?: Readonly<Amounts>
}

export function inventoryShare(held: Amounts, mid: Rate, target: number): InventoryShare {
  const usd = usdOf(held)
  const ntzs = Number(held.NTZS) / 1e18
  const tzsPerUsd = rateToNumber(mid)
  const usdInTzs = usd * tzsPerUsd
  const totalTzs = ntzs + usdInTzs
  const usdShare = totalTzs > 0 ? usdInTzs / totalTzs : target
  const room = usdShare >= target ? 1 - target : target
  const deviation = room > 0 ? Math.max(-1, Math.min(1, (usdShare - target) / room)) : 0
  return { tzsPerUsd, ntzs, usd, totalTzs, usdShare, deviation }
}

function usdOf(held: Amounts): number {
  let usd18 = 0n
  for (const asset of STABLE_ASSETS) usd18 += held[asset] * TO_18_DECIMALS[asset]
  return Number(usd18) / 1e18
}

/**
 * The share of a book, computed as far as it is read: most decisions read none of it. One object serves every decision.
 * While no unit moves, `held` is one and the same object.
 */
export class LazyInventoryShare implements InventoryShare {
  #pool: Amounts = zeroAmounts()
  #wallet: Amounts = zeroAmounts()
  #held: Readonly<Amounts> = zeroAmounts()
  #mid: Rate = 0n
  #target = 0
  #usd: number | null = null
  #tzsPerUsd: number | null = null
  #whole: InventoryShare | null = null

  /** What is read from now on is of this book at this mid. */
  show(book: BookState, mid: Rate, target: number): void {
    const { pool, wallet } = book.accounts
    const hasMoved = isOther(pool, this.#pool) || isOther(wallet, this.#wallet)
    if (hasMoved) {
      this.#pool = { ...pool }
      this.#wallet = { ...wallet }
      this.#held = position(book)
      this.#usd = null
    }
    const isRepriced = mid !== this.#mid
    if (isRepriced) {
      this.#mid = mid
      this.#tzsPerUsd = null
    }
    if (hasMoved || isRepriced || target !== this.#target) this.#whole = null
    this.#target = target
  }

  get held(): Readonly<Amounts> {
    return this.#held
  }

  get tzsPerUsd(): number {
    return (this.#tzsPerUsd ??= rateToNumber(this.#mid))
  }

  get usd(): number {
    return (this.#usd ??= usdOf(this.#held))
  }

  get ntzs(): number {
    return Number(this.#held.NTZS) / 1e18
  }

  get totalTzs(): number {
    return this.#share().totalTzs
  }

  get usdShare(): number {
    return this.#share().usdShare
  }

  get deviation(): number {
    return this.#share().deviation
  }

  #share(): InventoryShare {
    return (this.#whole ??= inventoryShare(this.#held, this.#mid, this.#target))
  }
}

function isOther(amounts: Readonly<Amounts>, before: Readonly<Amounts>): boolean {
  for (const asset of ASSETS) if (amounts[asset] !== before[asset]) return true
  return false
}
