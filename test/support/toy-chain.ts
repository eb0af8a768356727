import {
  ASSETS,
  zeroAmounts,
  type Asset,
  type TokenAmount,
  type TokenAmounts,
} from '../../src/base/money/asset.ts'
import type { ChainFill, ChainReading, SeenBlock } from '../../src/core/rfq/chain-reading.ts'
import type { Hex, OrderCancel, OrderStatus, RfqOrder } from '../../src/core/rfq/rfq-order.ts'
import type { RfqSettings } from '../../src/core/rfq/rfq-settings.ts'

/** What a transaction does; anything that cannot be done when its block is made does nothing. */
export type ToyAction =
  | { readonly kind: 'fill'; readonly order: RfqOrder; readonly takerAmount: TokenAmount }
  | { readonly kind: 'cancel'; readonly cancel: OrderCancel }
  | { readonly kind: 'move'; readonly asset: Asset; readonly amount: TokenAmount }
  | { readonly kind: 'allow'; readonly asset: Asset; readonly amount: TokenAmount }

export type ToyTransaction = { readonly hash: Hex; readonly action: ToyAction }

type Ledger = {
  readonly balances: TokenAmounts
  readonly allowances: TokenAmounts
  /** By salt, of takerAmount. */
  readonly filled: Record<string, bigint>
  readonly cancelled: Record<string, true>
  readonly minSalt: Record<string, bigint>
}

export type ToyBlock = {
  readonly number: bigint
  readonly hash: Hex
  readonly t: number
  readonly transactions: readonly ToyTransaction[]
  readonly fills: readonly (ChainFill & { readonly salt: bigint })[]
  readonly after: Ledger
}

/** A chain with one exchange and one maker, by the contract's rules, small enough to be obviously right. */
export type ToyChain = {
  /** From the first block to the newest. */
  readonly blocks: ToyBlock[]
  /** Waiting to be in a block. */
  readonly pool: ToyTransaction[]
  /** Chains that a reorganisation replaced, as they were. */
  readonly abandoned: (readonly ToyBlock[])[]
  readonly tip: () => ToyBlock
  readonly submit: (action: ToyAction) => Hex
  /** Makes a block of what waits in the pool, as far as `take` lets it in. */
  readonly mine: (t: number, take?: (transaction: ToyTransaction, index: number) => boolean) => ToyBlock
  /** The last `depth` blocks never were; their transactions wait again, but for those that `drop` takes. */
  readonly reorganise: (depth: number, drop?: (index: number) => boolean) => void
  /** Whether a block is in the chain that ends with a head, whichever chain that is. */
  readonly isBelow: (block: SeenBlock, head: SeenBlock) => boolean
  readonly status: (order: RfqOrder, block?: ToyBlock) => OrderStatus
  readonly read: (
    orders: readonly RfqOrder[],
    fillsFrom: bigint | null,
    blocks?: readonly ToyBlock[],
  ) => ChainReading
}

export function hashOfOrder({ salt }: Pick<RfqOrder, 'salt'>): Hex {
  return `0x${salt.toString(16).padStart(64, '0')}`
}

export function toyChain(
  settings: RfqSettings,
  start: { readonly t: number; readonly balances: Partial<TokenAmounts>; readonly number?: bigint },
): ToyChain {
  let hashes = 0
  const nextHash = (mark: string): Hex => `0x${mark}${(hashes++).toString(16).padStart(62, '0')}`
  const plenty = Object.fromEntries(ASSETS.map((asset) => [asset, 10n ** 40n])) as TokenAmounts
  const first: ToyBlock = {
    number: start.number ?? 100n,
    hash: nextHash('b0'),
    t: start.t,
    transactions: [],
    fills: [],
    after: {
      balances: { ...zeroAmounts(), ...start.balances },
      allowances: plenty,
      filled: {},
      cancelled: {},
      minSalt: {},
    },
  }
  const assetAt = (token: Hex) => ASSETS.find((asset) => settings.tokens[asset] === token)!
  const chain: ToyChain = {
    blocks: [first],
    pool: [],
    abandoned: [],
    tip: () => chain.blocks.at(-1)!,
    submit(action) {
      const hash = nextHash('a0')
      chain.pool.push({ hash, action })
      return hash
    },
    mine(t, take = () => true) {
      const tip = chain.tip()
      const number = tip.number + 1n
      const blockTime = Math.max(t, tip.t)
      const taken = chain.pool.filter((transaction, index) => take(transaction, index))
      chain.pool.splice(0, chain.pool.length, ...chain.pool.filter((one) => !taken.includes(one)))
      const after = copyOf(tip.after)
      const fills: (ChainFill & { salt: bigint })[] = []
      for (const { hash, action } of taken) {
        const amounts = apply(after, action, blockTime, assetAt)
        if (amounts === null || action.kind !== 'fill') continue
        const { makerToken, takerToken, salt } = action.order
        const at = { block: number, txHash: hash, key: `${hash}:${fills.length}` }
        fills.push({ ...at, salt, orderHash: hashOfOrder(action.order), makerToken, takerToken, ...amounts })
      }
      chain.blocks.push({ number, hash: nextHash('b0'), t: blockTime, transactions: taken, fills, after })
      return chain.tip()
    },
    reorganise(depth, drop = () => false) {
      chain.abandoned.push([...chain.blocks])
      const gone = chain.blocks.splice(Math.max(1, chain.blocks.length - depth))
      const loose = gone.flatMap(({ transactions }) => transactions)
      chain.pool.unshift(...loose.filter((_, index) => !drop(index)))
    },
    isBelow(block, head) {
      const ending = [chain.blocks, ...chain.abandoned].find((blocks) => isIn(blocks, head))
      return ending !== undefined && block.number <= head.number && isIn(ending, block)
    },
    status: (order, block = chain.tip()) => statusOf(order, block.after, block.t),
    read(orders, fillsFrom, blocks = chain.blocks) {
      const head = blocks.at(-1)!
      const from = fillsFrom ?? head.number
      const known = new Set(orders.map(({ salt }) => salt))
      return {
        head: { number: head.number, hash: head.hash, t: head.t },
        orders: orders.map((order) => ({
          salt: order.salt,
          hash: hashOfOrder(order),
          status: statusOf(order, head.after, head.t),
          takerFilled: head.after.filled[order.salt.toString()] ?? 0n,
        })),
        fillsFrom: from,
        fills: blocks
          .slice(Math.max(0, placeOf(blocks, from)))
          .flatMap(({ fills }) => fills)
          .map((fill) => ({ ...fill, salt: known.has(fill.salt) ? fill.salt : null })),
        balances: ours(settings, head.after.balances),
        allowances: ours(settings, head.after.allowances),
        gasPriceWei: 10n ** 7n,
      }
    },
  }
  return chain
}

function ours({ tokens }: RfqSettings, amounts: TokenAmounts): Partial<TokenAmounts> {
  return Object.fromEntries(
    ASSETS.filter((asset) => tokens[asset] !== undefined).map((asset) => [asset, amounts[asset]]),
  )
}

/** Where a chain has the block of this number: numbers have no gap, and a day has thousands of blocks. */
function placeOf(blocks: readonly ToyBlock[], number: bigint): number {
  return Number(number - (blocks[0]?.number ?? number))
}

function isIn(blocks: readonly ToyBlock[], { number, hash }: SeenBlock): boolean {
  return blocks[placeOf(blocks, number)]?.hash === hash
}

function copyOf({ balances, allowances, filled, cancelled, minSalt }: Ledger): Ledger {
  return {
    balances: { ...balances },
    allowances: { ...allowances },
    filled: { ...filled },
    cancelled: { ...cancelled },
    minSalt: { ...minSalt },
  }
}

const pairOf = ({ makerToken, takerToken }: Pick<RfqOrder, 'makerToken' | 'takerToken'>) =>
  `${makerToken}>${takerToken}`

function statusOf(order: RfqOrder, { filled, cancelled, minSalt }: Ledger, t: number): OrderStatus {
  const salt = order.salt.toString()
  if ((filled[salt] ?? 0n) >= order.takerAmount) return 'FILLED'
  if (cancelled[salt]) return 'CANCELLED'
  if (Number(order.expiry) * 1_000 <= t) return 'EXPIRED'
  return order.salt < (minSalt[pairOf(order)] ?? 0n) ? 'CANCELLED' : 'FILLABLE'
}

/** What was filled; null = nothing, or no fill. */
function apply(
  after: Ledger,
  action: ToyAction,
  t: number,
  assetAt: (token: Hex) => Asset,
): { readonly makerAmount: TokenAmount; readonly takerAmount: TokenAmount } | null {
  if (action.kind === 'move') {
    const { asset, amount } = action
    if (after.balances[asset] + amount >= 0n) after.balances[asset] += amount
    return null
  }
  if (action.kind === 'allow') {
    after.allowances[action.asset] = action.amount
    return null
  }
  if (action.kind === 'cancel') {
    const { cancel } = action
    if (cancel.kind === 'each') for (const { salt } of cancel.orders) after.cancelled[salt.toString()] = true
    else {
      const pair = pairOf(cancel)
      if (cancel.minValidSalt > (after.minSalt[pair] ?? 0n)) after.minSalt[pair] = cancel.minValidSalt
    }
    return null
  }
  return fill(after, action.order, action.takerAmount, t, assetAt)
}

function fill(
  after: Ledger,
  order: RfqOrder,
  wanted: bigint,
  t: number,
  assetAt: (token: Hex) => Asset,
): { readonly makerAmount: TokenAmount; readonly takerAmount: TokenAmount } | null {
  if (statusOf(order, after, t) !== 'FILLABLE') return null
  const salt = order.salt.toString()
  const left = order.takerAmount - (after.filled[salt] ?? 0n)
  const takerAmount = wanted < left ? wanted : left
  const makerAmount = (takerAmount * order.makerAmount) / order.takerAmount
  const maker = assetAt(order.makerToken)
  if (makerAmount > after.balances[maker] || makerAmount > after.allowances[maker]) return null
  after.balances[maker] -= makerAmount
  after.allowances[maker] -= makerAmount
  after.balances[assetAt(order.takerToken)] += takerAmount
  after.filled[salt] = (after.filled[salt] ?? 0n) + takerAmount
  return { makerAmount, takerAmount }
}
