import { encodeFunctionData, erc20Abi, pad } from 'viem'
import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { Asset } from '../../base/money/asset.ts'
import type { Hex } from '../../core/rfq/rfq-order.ts'
import type { ChainSettings } from './chain.ts'
import { openEndpoints } from './open-chain.ts'
import { TRANSFER } from './reading/read-logs.ts'
import { checkOnce } from './rpc/check-endpoint.ts'
import { decoded, hexOf, MalformedAnswerError, quantityOf, readHex, resultOf, uintOf } from './rpc/decode.ts'
import { createEndpointPool } from './rpc/endpoint-pool.ts'
import { rpcFailure, type RpcFailure } from './rpc/rpc-failure.ts'

type TransferWanted = {
  readonly asset: Asset
  readonly from: Hex
  readonly to: Hex
  /** Bounds of the amount in base units, inclusive. */
  readonly least: bigint
  readonly most: bigint
  /** The chain's height before the tokens were sent. */
  readonly sinceBlock: bigint
}

/** A transfer found on chain; exact base units. */
export type SeenTransfer = { readonly hash: Hex; readonly amount: bigint }

type DeliveryWanted = {
  readonly asset: Asset
  readonly to: Hex
  /** The transaction hash from the venue. */
  readonly hash: string
}

/** Finds where tokens went by reading heights, supplies and transfers. Holds no key and sends nothing. */
export type TokenFinder = {
  readonly height: () => Promise<Result<bigint, RpcFailure>>
  /** Base units in circulation. */
  readonly totalSupply: (asset: Asset) => Promise<Result<bigint, RpcFailure>>
  /** The transfers within the bounds, oldest first; empty = the chain shows no such transfer yet. */
  readonly transfers: (wanted: TransferWanted) => Promise<Result<readonly SeenTransfer[], RpcFailure>>
  /**
   * Returns the base units that one transaction delivered to an address; null = the chain shows no such transaction, or
   * no delivery in it.
   */
  readonly delivered: (wanted: DeliveryWanted) => Promise<Result<bigint | null, RpcFailure>>
  readonly close: () => Promise<void>
}

type TokenFinderSettings = Pick<ChainSettings, 'chainId' | 'tokens' | 'urls' | 'timeoutMs'>

/** Skips endpoints that serve another chain or other tokens. Errors for an invalid address. */
export function openTokenFinder(settings: TokenFinderSettings, now: () => Ms): Result<TokenFinder, string> {
  const { chainId, tokens } = settings
  const endpoints = openEndpoints(settings)
  if (!endpoints.ok) return endpoints
  const pool = createEndpointPool(endpoints.value, now)
  const check = checkOnce({ chainId, tokens })

  const ask = <Value>(
    method: string,
    params: readonly unknown[],
    read: (result: unknown) => Value,
  ): Promise<Result<Value, RpcFailure>> =>
    pool.first(async (endpoint) => {
      const served = await check(endpoint)
      if (!served.ok) return served
      const replies = await endpoint.ask([{ method, params }])
      return replies.ok ? decoded(endpoint, () => ok(read(resultOf(replies.value[0])))) : replies
    })

  const unknown = (asset: Asset) =>
    Promise.resolve(err(rpcFailure('malformed', `chain.tokens has no address for ${asset}`)))
  return ok({
    height: () => ask('eth_blockNumber', [], (result) => quantityOf(result, 'the height')),
    totalSupply(asset) {
      const to = tokens[asset]
      if (to === undefined) return unknown(asset)
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' })
      return ask('eth_call', [{ to, data }, 'latest'], (result) => uintOf(result, 'the supply'))
    },
    transfers({ asset, from, to, least, most, sinceBlock }) {
      const address = tokens[asset]
      if (address === undefined) return unknown(asset)
      const topics = [TRANSFER, pad(from), pad(to)]
      const filter = { address, topics, fromBlock: `0x${sinceBlock.toString(16)}`, toBlock: 'latest' }
      return ask('eth_getLogs', [filter], (result) => transfersOf(result, least, most))
    },
    delivered({ asset, to, hash: given }) {
      const address = tokens[asset]
      if (address === undefined) return unknown(asset)
      const hash = readHex(given, 32)
      if (hash === null) return Promise.resolve(ok(null))
      return ask('eth_getTransactionReceipt', [hash], (result) => broughtBy(result, address, to))
    },
    close: async () => void (await Promise.all(endpoints.value.map((endpoint) => endpoint.close()))),
  })
}

function transfersOf(result: unknown, least: bigint, most: bigint): readonly SeenTransfer[] {
  if (!Array.isArray(result)) throw new MalformedAnswerError('the logs are not a list')
  return result.flatMap((log: { readonly data?: unknown; readonly transactionHash?: unknown }) => {
    const hash = hexOf(log.transactionHash, 'the hash of a transfer', 32)
    const amount = uintOf(log.data, 'the amount of a transfer')
    return amount >= least && amount <= most ? [{ hash, amount }] : []
  })
}

/** Returns the sum of the token's transfers to an address in a receipt; null for a failed transaction. */
function broughtBy(receipt: unknown, token: Hex, to: Hex): bigint | null {
  if (receipt === null) return null
  const { logs } = receipt as { readonly logs?: unknown }
  if (!Array.isArray(logs)) throw new MalformedAnswerError('the logs of a receipt are not a list')
  const wanted = [TRANSFER, pad(to).toLowerCase()]
  let sum = 0n
  for (const { address, topics, data } of logs as Readonly<Record<string, unknown>>[]) {
    if (hexOf(address, 'the token of a transfer', 20) !== token.toLowerCase()) continue
    const [event, , receiver] = Array.isArray(topics) ? topics : []
    if (readHex(event, 32) === wanted[0] && readHex(receiver, 32) === wanted[1])
      sum += uintOf(data, 'the amount of a transfer')
  }
  return sum === 0n ? null : sum
}
