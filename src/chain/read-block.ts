import { ok, type Result } from '../base/result.ts'
import type { ChainReading, SeenBlock } from '../rfq/chain-reading.ts'
import type { Hex, RfqOrder } from '../rfq/rfq-order.ts'
import type { BlockAsker } from './block-asker.ts'
import type { ChainSettings } from './chain-settings.ts'
import { readFills } from './read-fills.ts'
import { readOutflows } from './read-outflows.ts'
import { readHead, type ChainHead } from './read-head.ts'
import { readOrderStates } from './read-order-states.ts'
import { readWallet } from './read-wallet.ts'
import type { RpcFailure } from './rpc-failure.ts'
import type { RpcEndpoint } from './rpc-endpoint.ts'

export type BlockParts = {
  readonly settings: ChainSettings
  readonly ask: BlockAsker
  readonly hashOf: (order: RfqOrder) => Hex
}

export type BlockQuestion = {
  readonly head: ChainHead
  readonly orders: readonly RfqOrder[]
  /** Null = from the head. */
  readonly fillsFrom: bigint | null
  /** A block seen before; null = none. */
  readonly after: SeenBlock | null
}

/** All that a reading has, at one block and from one endpoint. */
export async function readBlock(
  endpoint: RpcEndpoint,
  { head, orders, fillsFrom, after }: BlockQuestion,
  { settings, ask, hashOf }: BlockParts,
): Promise<Result<ChainReading, RpcFailure>> {
  const { exchange, maker, logsChunkBlocks } = settings
  const pinned = { ask, endpoint, head }
  const saltByHash = new Map(orders.map((order) => [hashOf(order), order.salt]))
  const saltOf = (orderHash: Hex) => saltByHash.get(orderHash) ?? null
  const from = fillsFrom ?? head.number
  const chunks = { ...pinned, chunkBlocks: logsChunkBlocks }
  const [states, fills, wallet, reorganised, outflows] = await Promise.all([
    readOrderStates(orders, { ...pinned, exchange, hashOf }),
    readFills(from, { ...chunks, exchange, maker, saltOf }),
    readWallet(settings, pinned),
    isReplaced(endpoint, settings.chainId, after, head),
    settings.watchTransfers ? readOutflows(from, settings, chunks) : ok([]),
  ])
  if (!states.ok) return states
  if (!fills.ok) return fills
  if (!wallet.ok) return wallet
  if (!reorganised.ok) return reorganised
  if (!outflows.ok) return outflows
  return ok({
    head,
    ...(reorganised.value ? { isReorganised: true } : {}),
    orders: states.value,
    fillsFrom: from,
    fills: fills.value,
    ...(outflows.value.length === 0 ? {} : { outflows: outflows.value }),
    ...wallet.value,
  })
}

/** Whether another block stands where this one stood. A head below it says nothing of it. */
async function isReplaced(
  endpoint: RpcEndpoint,
  chainId: number,
  block: SeenBlock | null,
  head: ChainHead,
): Promise<Result<boolean, RpcFailure>> {
  if (block === null || block.number > head.number) return ok(false)
  if (block.number === head.number) return ok(block.hash !== head.hash)
  const there = await readHead(endpoint, chainId, block.number)
  return there.ok ? ok(there.value.head.hash !== block.hash) : there
}
