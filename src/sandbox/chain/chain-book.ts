import type { Address, Hex } from 'viem'
import type { VenueOrderFill, VenueTransfer } from '../provider.ts'
import { transfer } from '../transfer.ts'
import { count, type VenueState } from '../venue-state.ts'
import { CHAIN_TOKENS } from './etch-contracts.ts'
import { listOrderFill } from './list-order-fill.ts'
import { headOf, readWallet, type Block, type WalletReading } from './read-wallet.ts'
import type { StartedChain } from './start-chain.ts'
import { moveOnChain } from './move-on-chain.ts'
import { shortenMoves } from './shorten-moves.ts'

/** Keeps the venue's book of our wallet and the chain the same, to the last unit. */
export type ChainBook = {
  /** Both know what the other did. Rejects where the chain does not answer; what is left is done the next time. */
  readonly settle: () => Promise<void>
  /** The transaction that a movement became; the text itself where it is no movement's. */
  readonly transactionOf: (txHash: string) => string
}

/**
 * Movements that the venue's books begin (sweeps, withdrawals) are carried out on the chain; what happened
 * on the chain (fills of orders, and whatever else moved the maker's balance) is entered in the books.
 * `settle` must not run twice at once.
 */
export async function openChainBook(venue: VenueState, chain: StartedChain): Promise<ChainBook> {
  const maker = venue.options.walletAddress as Address
  const { transfers, wallet, orderFills } = venue.ours
  const first = await headOf(chain.rpc)
  /** Not the first block's: the opening balances are compared once. */
  let known: Block = { ...first, hash: '0x' }
  let carriedOut = 0
  const transactions = new Map<string, Hex>()

  const carryOut = async () => {
    for (; carriedOut < transfers.length; carriedOut += 1) {
      const moved = transfers[carriedOut] as VenueTransfer
      const txHash = await moveOnChain(chain.tokens, maker, moved)
      if (txHash === null) continue
      transactions.set(moved.txHash, txHash)
      transfers[carriedOut] = { ...moved, txHash }
    }
  }
  const enterFills = ({ head, isReorganised, fills }: WalletReading) => {
    if (isReorganised && known.hash !== '0x') {
      count(venue, 'chain: reorganised')
      for (const fill of orderFills.splice(0)) book(venue, fill, -1n)
    }
    for (const fill of fills) {
      book(venue, fill, 1n)
      orderFills.push(fill)
      if (venue.options.solver.listsFills) listOrderFill(venue, fill)
    }
    known = head
  }
  const enterTheRest = ({ balances }: WalletReading) => {
    for (const { asset } of CHAIN_TOKENS) {
      const difference = balances[asset] - wallet[asset]
      if (difference === 0n) continue
      const kind = difference > 0n ? 'deposit' : 'stolen-from-wallet'
      transfers.push(transfer(venue, kind, asset, difference > 0n ? difference : -difference))
      wallet[asset] += difference
      venue.external[asset] -= difference
    }
    // These have happened already.
    carriedOut = transfers.length
  }
  return {
    async settle() {
      let latest: WalletReading | null = null
      const read = async () => {
        const reading = await readWallet(chain, maker, known, first)
        if (reading !== null) latest = reading
        return reading
      }
      for (;;) {
        if (carriedOut < transfers.length) {
          // Fills that the books did not know of when they began to move something out go first.
          const before = await read()
          if (before !== null) enterFills(before)
          shortenMoves(venue, carriedOut)
          await carryOut()
        }
        const reading = await read()
        // The venue may have gone on meanwhile: then its book is of another moment than the reading.
        if (carriedOut < transfers.length) continue
        if (reading !== null) enterFills(reading)
        if (latest !== null) enterTheRest(latest)
        return
      }
    },
    transactionOf: (txHash) => transactions.get(txHash) ?? txHash,
  }
}

/** `times` 1n enters a fill, -1n takes it out again. */
function book(venue: VenueState, fill: VenueOrderFill, times: 1n | -1n): void {
  const { wallet } = venue.ours
  const given = fill.makerAmount * times
  const taken = fill.takerAmount * times
  wallet[fill.makerAsset] -= given
  venue.takers[fill.makerAsset] += given
  wallet[fill.takerAsset] += taken
  venue.takers[fill.takerAsset] -= taken
}
