import { isAddressEqual, maxUint256, toHex, type Address } from 'viem'
import { seededRandom } from '../../../base/random.ts'
import type { Result } from '../../../base/result.ts'
import type { VenueResponse } from '../api/request.ts'
import { type OrderOnChain, readRfqOrder, readSignatureShape } from '../api/signed-order.ts'
import type { VenueModel } from '../model.ts'
import { count, type VenueState } from '../state.ts'
import { PLENTY, POOL_ADDRESS } from './addresses.ts'
import { openChainBook, type ChainBook } from './book.ts'
import { CHAIN_TOKENS } from './etch-contracts.ts'
import { lookAtOrders, orderStates, type OrderLook } from './order-states.ts'
import { chainBatch, RevertedError, SimulatedRpcFailure } from './rpc.ts'
import { fillOrder, type FillRefusal, type OrderFilled, solverWish } from './solver.ts'
import type { StartedChain } from './start-chain.ts'

/** The chain as the venue's HTTP edge uses it. */
export type VenueChain = {
  readonly chain: StartedChain
  /** Reconciles the venue's book with the chain. Without a chain it changes nothing; rejects if the chain refuses. */
  readonly settle: () => Promise<void>
  /** Looks up the order in a body of POST /rfq/orders on the chain. */
  readonly look: (body: unknown) => Promise<OrderOnChain>
  /** Returns the answer with the transaction of a movement that was executed in the meantime. */
  readonly withTransaction: (response: VenueResponse) => VenueResponse
  /** Lets the solver fill this much of an order now; null = the rest. Returns an error if there is no such order. */
  readonly fill: (
    orderHash: string,
    takerAmount: bigint | null,
  ) => Promise<Result<OrderFilled, FillRefusal> | 'unknown-order'>
  /** Returns every accepted order in its state at the exchange; null = the chain does not answer. */
  readonly orders: () => Promise<ReadonlyMap<string, OrderLook> | null>
  /** Stops the solver. The chain keeps running for its owner. */
  readonly stop: () => Promise<void>
}

/**
 * Connects a venue to a chain: opening balances, allowances of the solver, and its fills from now on. Throws if the
 * options name another chain, another exchange or a time other than now.
 */
export async function connectChain(model: VenueModel, chain: StartedChain): Promise<VenueChain> {
  const venue = model.state
  checkOptions(venue, chain)
  await openBalances(venue, chain)
  const book = await openChainBook(venue, chain)
  const oneAtATime = queue()
  const settle = () =>
    oneAtATime(async () => {
      try {
        await book.settle()
      } catch (error) {
        countSilence(venue, 'chain: no answer', error)
      }
    })
  const states = orderStates(chain.rpc, chainBatch(chain.url))
  const stopSolver = startSolver(venue, chain, book, oneAtATime)
  await settle()
  return {
    chain,
    settle,
    async look(body) {
      const { order, signature } = (body ?? {}) as { order?: unknown; signature?: unknown }
      const read = readRfqOrder(order)
      const shape = readSignatureShape(signature)
      // An unreadable order is rejected for its form, so this result is not used.
      if (!read.ok || shape === null) return { kind: 'unavailable' }
      return states({ order: read.value, signature: shape })
    },
    withTransaction(response) {
      const { txHash } = (response.body ?? {}) as { txHash?: unknown }
      if (typeof txHash !== 'string') return response
      return { ...response, body: { ...(response.body as object), txHash: book.transactionOf(txHash) } }
    },
    fill: (orderHash, takerAmount) =>
      oneAtATime(async () => {
        const order = venue.orders.get(orderHash)
        if (order === undefined) return 'unknown-order'
        const [look] = await lookAtOrders(chain.rpc, [order])
        const amount = takerAmount ?? order.order.takerAmount - (look?.takerFilled ?? 0n)
        const done = await fillOrder(chain.rpc, order, amount, venue.options.rfq.solverWallet as Address)
        await book.settle()
        return done
      }),
    async orders() {
      try {
        const taken = [...venue.orders.values()]
        const looks = await lookAtOrders(chain.rpc, taken)
        return new Map(looks.map((look) => [look.hash, look]))
      } catch {
        return null
      }
    },
    stop: () => stopSolver().then(settle),
  }
}

/**
 * Counts a chain that does not answer, which is part of the simulation. Throws if the chain rejects a booked
 * movement, which is a bug here.
 */
function countSilence(venue: VenueState, name: string, error: unknown): void {
  if (error instanceof RevertedError || (error instanceof SimulatedRpcFailure && error.data !== null))
    throw error
  count(venue, name)
}

function checkOptions({ options }: VenueState, chain: StartedChain): void {
  const { chainId, exchange } = options.rfq
  if (chainId !== chain.chainId || !isAddressEqual(exchange as Address, chain.exchange)) {
    throw new Error(`the local chain has id ${chain.chainId} and its exchange at ${chain.exchange}`)
  }
  if (options.speed !== 1) throw new Error('on a chain time runs as it does: speed must be 1')
}

async function openBalances(
  { options, ours }: VenueState,
  { rpc, tokens, exchange }: StartedChain,
): Promise<void> {
  const maker = options.walletAddress as Address
  const solver = options.rfq.solverWallet as Address
  for (const wallet of [maker, solver]) await rpc('anvil_setBalance', [wallet, toHex(10n ** 22n)])
  for (const { asset, decimals } of CHAIN_TOKENS) {
    const wanted = [
      [maker, ours.wallet[asset]],
      [POOL_ADDRESS, ours.pool[asset]],
      [solver, PLENTY * 10n ** BigInt(decimals)],
    ] as const
    for (const [owner, amount] of wanted) {
      if ((await tokens.balance(asset, owner)) !== amount) await tokens.setBalance(asset, owner, amount)
    }
    if ((await tokens.allowance(asset, solver, exchange)) < maxUint256) {
      await tokens.approve(asset, solver, exchange, maxUint256)
    }
  }
}

type OneAtATime = <T>(task: () => Promise<T>) => Promise<T>

function queue(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const mine = last.then(task)
    last = mine.catch(() => {})
    return mine
  }
}

function startSolver(
  venue: VenueState,
  { rpc, now }: StartedChain,
  book: ChainBook,
  oneAtATime: OneAtATime,
): () => Promise<void> {
  const { seed, solver } = venue.options
  const random = seededRandom(seed, 'sandbox solver')
  let timer: NodeJS.Timeout | undefined
  let stopped = solver.policy === 'never'
  const act = async () => {
    try {
      await solverWish(venue, rpc, random, await now())
      await book.settle()
    } catch (error) {
      countSilence(venue, 'solver: no chain', error)
    }
  }
  const plan = () => {
    const waitMs = -Math.log(1 - random()) * solver.fillEveryMs
    timer = setTimeout(() => void oneAtATime(act).then(() => stopped || plan()), waitMs)
  }
  if (!stopped) plan()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await oneAtATime(async () => {})
  }
}
