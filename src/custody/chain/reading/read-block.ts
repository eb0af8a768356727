import { type ChainSettings, tokenList } from '../chain.ts'
import { ok, type Result } from '../../../base/result.ts'
import type { ChainReading, SeenBlock } from '../../../core/rfq/chain-reading.ts'
import type { Hex, RfqOrder } from '../../../core/rfq/rfq-order.ts'
import type { BlockAsker } from './block-asker.ts'
import { readFills, readOutflows } from './read-logs.ts'
import { type ChainHead, readHead } from './heads.ts'
import { readOrderStates } from './read-order-states.ts'
import type { RpcFailure } from '../rpc/rpc-failure.ts'
import type { RpcEndpoint } from '../rpc/rpc-endpoint.ts'
import { encodeFunctionData, erc20Abi } from 'viem'
import type { TokenAmounts } from '../../../base/money/asset.ts'
import { decoded, quantityOf, resultOf, uintOf } from '../rpc/decode.ts'

type BlockParts = {
  readonly settings: ChainSettings
  readonly ask: BlockAsker
  readonly hashOf: (order: RfqOrder) => Hex
}

type BlockQuestion = {
  readonly head: ChainHead
  readonly orders: readonly RfqOrder[]
  /** Null = from the head. */
  readonly fillsFrom: bigint | null
  /** A block seen before, or null. */
  readonly after: SeenBlock | null
}

/** A reading at one block from one endpoint. */
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

/** Returns whether another block has replaced this one at its height; false if the chain is shorter. */
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

/** The maker's balances, the exchange's allowances, and the gas price. */
type WalletReading = {
  readonly balances: Partial<TokenAmounts>
  readonly allowances: Partial<TokenAmounts>
  readonly gasPriceWei: bigint
}

/** Reads the wallet at one block, in one batch; the gas price is the current one. */
async function readWallet(
  { tokens, maker, exchange }: Pick<ChainSettings, 'tokens' | 'maker' | 'exchange'>,
  { ask, endpoint, head }: { ask: BlockAsker; endpoint: RpcEndpoint; head: ChainHead },
): Promise<Result<WalletReading, RpcFailure>> {
  const known = tokenList(tokens)
  const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [maker] })
  const allowance = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [maker, exchange] })
  const answer = await ask(endpoint, head, (tag) => [
    { method: 'eth_gasPrice', params: [] },
    ...known.flatMap(({ token }) =>
      [balanceOf, allowance].map((data) => ({ method: 'eth_call', params: [{ to: token, data }, tag] })),
    ),
  ])
  if (!answer.ok) return answer
  return decoded(endpoint, () => {
    const [gasPrice, ...words] = answer.value
    const balances: Partial<TokenAmounts> = {}
    const allowances: Partial<TokenAmounts> = {}
    for (const [index, { asset }] of known.entries()) {
      balances[asset] = uintOf(resultOf(words[2 * index]), `the balance of ${asset}`)
      allowances[asset] = uintOf(resultOf(words[2 * index + 1]), `the allowance of ${asset}`)
    }
    return ok({ balances, allowances, gasPriceWei: quantityOf(resultOf(gasPrice), 'the price of gas') })
  })
}
