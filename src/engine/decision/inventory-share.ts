import { position, type BookState } from '../../ledger/book/book.ts'
import { type Amounts, STABLE_ASSETS, zeroAmounts } from '../../money/asset.ts'
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
  return inventoryImbalance(usdOf(held), Number(held.NTZS) / 1e18, rateToNumber(mid), target)
}

/** The same of what is held in dollars and shillings. */
export function inventoryImbalance(
  usd: number,
  ntzs: number,
  tzsPerUsd: number,
  target: number,
): InventoryShare {
  const usdInTzs = usd * tzsPerUsd
  const totalTzs = ntzs + usdInTzs
  const usdShare = totalTzs > 0 ? usdInTzs / totalTzs : target
  const room = usdShare >= target ? 1 - target : target
  const deviation = room > 0 ? Math.max(-1, Math.min(1, (usdShare - target) / room)) : 0
  return { tzsPerUsd, ntzs, usd, totalTzs, usdShare, deviation }
}

function usdOf(held: Amounts): number {
  let usd18 = 0n
  for (const asset of STABLE_ASSETS) usd18 += held[asset]
  return Number(usd18) / 1e18
}

/**
 * The share of a book, computed as far as it is read: most decisions read none of it. One object serves every decision of
 * a core. While no unit moves, `held` is one and the same object.
 */
export class LazyInventoryShare implements InventoryShare {
  readonly #book: BookState
  #pool: Amounts = zeroAmounts()
  #wallet: Amounts = zeroAmounts()
  #held: Readonly<Amounts> = zeroAmounts()
  /** Whether what is held was compared with the book since it was shown. */
  #isCompared = false
  #mid: Rate = 0n
  #target = 0
  #usd: number | null = null
  #ntzs: number | null = null
  #tzsPerUsd: number | null = null
  #whole: InventoryShare | null = null

  constructor(book: BookState) {
    this.#book = book
  }

  /** What is read from now on is of the book as it is now, at this mid. */
  show(mid: Rate, target: number): void {
    this.#isCompared = false
    this.#whole = null
    this.#target = target
    if (mid === this.#mid) return
    this.#mid = mid
    this.#tzsPerUsd = null
  }

  get held(): Readonly<Amounts> {
    if (this.#isCompared) return this.#held
    this.#isCompared = true
    const { pool, wallet } = this.#book.accounts
    if (isOther(pool, this.#pool) || isOther(wallet, this.#wallet)) {
      this.#pool = { ...pool }
      this.#wallet = { ...wallet }
      this.#held = position(this.#book)
      this.#usd = null
      this.#ntzs = null
    }
    return this.#held
  }

  get tzsPerUsd(): number {
    return (this.#tzsPerUsd ??= rateToNumber(this.#mid))
  }

  get usd(): number {
    const { held } = this
    return (this.#usd ??= usdOf(held))
  }

  get ntzs(): number {
    const { held } = this
    return (this.#ntzs ??= Number(held.NTZS) / 1e18)
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
    return (this.#whole ??= inventoryImbalance(this.usd, this.ntzs, this.tzsPerUsd, this.#target))
  }
}

function isOther(now: Readonly<Amounts>, before: Readonly<Amounts>): boolean {
  return (
    now.NTZS !== before.NTZS ||
    now.USDC !== before.USDC ||
    now.USDT !== before.USDT ||
    now['USDT.bnb'] !== before['USDT.bnb']
  )
}
