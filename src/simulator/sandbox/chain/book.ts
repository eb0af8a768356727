import type { Address, Hex } from 'viem'
import { transfer } from '../market/book.ts'
import { fillRow } from '../market/fill-rows.ts'
import { grossTokens, pricedPairOf } from '../market/price.ts'
import type { VenueOrderFill, VenueTransfer } from '../market/provider.ts'
import { count, type VenueState } from '../state.ts'
import { CHAIN_TOKENS } from './etch-contracts.ts'
import { moveOnChain, shortenMoves } from './moves.ts'
import { headOf, readWallet, type Block, type WalletReading } from './read-wallet.ts'
import type { StartedChain } from './start-chain.ts'

/** Keeps the venue's book of our wallet equal to the chain, to the last unit. */
export type ChainBook = {
  /** Reconciles books and chain. Rejects if the chain does not answer; the next call continues. */
  readonly settle: () => Promise<void>
  /** Returns the transaction of a movement; the text itself if it is not a movement's. */
  readonly transactionOf: (txHash: string) => string
}

/**
 * Executes movements of the venue's books (sweeps, withdrawals) on the chain, and books chain events (fills of
 * orders, and any other change of the maker's balance). `settle` must not run twice at once.
 */
export async function openChainBook(venue: VenueState, chain: StartedChain): Promise<ChainBook> {
  const first = await headOf(chain.rpc)
  const keeper: Keeper = {
    venue,
    chain,
    maker: venue.options.walletAddress as Address,
    first,
    known: { ...first, hash: '0x' },
    executed: 0,
    transactions: new Map(),
  }
  return {
    settle: () => settle(keeper),
    transactionOf: (txHash) => keeper.transactions.get(txHash) ?? txHash,
  }
}

type Keeper = {
  readonly venue: VenueState
  readonly chain: StartedChain
  readonly maker: Address
  readonly first: Block
  /** The last block that the books include. Initially none, so that the opening balances are compared once. */
  known: Block
  /** The number of movements already executed on the chain. */
  executed: number
  readonly transactions: Map<string, Hex>
}

async function settle(keeper: Keeper): Promise<void> {
  const { venue, chain, maker, first } = keeper
  const { transfers } = venue.ours
  let latest: WalletReading | null = null
  const read = async () => {
    const reading = await readWallet(chain, maker, keeper.known, first)
    latest = reading ?? latest
    return reading
  }
  for (;;) {
    if (keeper.executed < transfers.length) {
      // Books unknown fills before it executes movements out of the wallet.
      enterFills(keeper, await read())
      shortenMoves(venue, keeper.executed)
      await executeTransfers(keeper)
    }
    const reading = await read()
    // The venue may have changed in between, so its book would not match the reading.
    if (keeper.executed < transfers.length) continue
    enterFills(keeper, reading)
    enterTheRest(keeper, latest)
    return
  }
}

async function executeTransfers(keeper: Keeper): Promise<void> {
  const { chain, maker, transactions } = keeper
  const { transfers } = keeper.venue.ours
  for (; keeper.executed < transfers.length; keeper.executed += 1) {
    const moved = transfers[keeper.executed] as VenueTransfer
    const txHash = await moveOnChain(chain.tokens, maker, moved)
    if (txHash === null) continue
    transactions.set(moved.txHash, txHash)
    transfers[keeper.executed] = { ...moved, txHash }
  }
}

/** A null reading means that there is no new block. */
function enterFills(keeper: Keeper, reading: WalletReading | null): void {
  if (reading === null) return
  const { venue, known } = keeper
  const { orderFills } = venue.ours
  if (reading.isReorganised && known.hash !== '0x') {
    count(venue, 'chain: reorganised')
    for (const fill of orderFills.splice(0)) book(venue, fill, -1n)
  }
  for (const fill of reading.fills) {
    book(venue, fill, 1n)
    orderFills.push(fill)
    if (venue.options.solver.listsFills) listOrderFill(venue, fill)
  }
  keeper.known = reading.head
}

/** Books changes of the wallet that are neither a fill nor a movement of the venue. */
function enterTheRest(keeper: Keeper, reading: WalletReading | null): void {
  if (reading === null) return
  const { venue } = keeper
  const { transfers, wallet } = venue.ours
  for (const { asset } of CHAIN_TOKENS) {
    const difference = reading.balances[asset] - wallet[asset]
    if (difference === 0n) continue
    const kind = difference > 0n ? 'deposit' : 'stolen-from-wallet'
    transfers.push(transfer(venue, kind, asset, difference > 0n ? difference : -difference))
    wallet[asset] += difference
    venue.external[asset] -= difference
  }
  // These have already been executed.
  keeper.executed = transfers.length
}

/** `times` 1n books a fill, -1n reverses it. */
function book(venue: VenueState, fill: VenueOrderFill, times: 1n | -1n): void {
  const { wallet } = venue.ours
  const given = fill.makerAmount * times
  const taken = fill.takerAmount * times
  wallet[fill.makerAsset] -= given
  venue.takers[fill.makerAsset] += given
  wallet[fill.takerAsset] += taken
  venue.takers[fill.takerAsset] -= taken
}

/** Lists a fill of an order in GET /fills like a swap without a venue fee. */
function listOrderFill(venue: VenueState, fill: VenueOrderFill): void {
  const { takerAsset: from, makerAsset: to, takerAmount: amountIn, makerAmount: amountOut } = fill
  const pair = pricedPairOf(from, to)
  if (pair === null) return
  const row = fillRow(
    {
      id: fill.key,
      at: fill.at,
      taker: venue.options.rfq.solverWallet,
      side: pair.side,
      from,
      to,
      amountIn,
      amountOut,
      fee: 0n,
      debit: amountOut,
      credit: amountIn,
      earned: grossTokens(pair, amountIn, venue.mid, 0, venue.options.bidFormula) - amountOut,
      mid: venue.mid,
      spreadBps: 0,
      inTxHash: fill.txHash,
      outTxHash: fill.txHash,
    },
    { venue: 'contract', bareRows: false },
  )
  venue.fillRows.show({ at: fill.at, row }, venue.faults.fills, venue.random.fills)
}
