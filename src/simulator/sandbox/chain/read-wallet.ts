import { decodeEventLog, encodeEventTopics, isAddressEqual, toHex, type Address, type Hex } from 'viem'
import type { VenueOrderFill } from '../market/provider.ts'
import { tokenAt } from '../market/tokens.ts'
import { EXCHANGE_ADDRESS } from './addresses.ts'
import { CHAIN_TOKENS, type EtchedAsset } from './etch-contracts.ts'
import { EXCHANGE } from './order-states.ts'
import type { ChainRpc } from './rpc.ts'
import type { ChainTokens } from './tokens.ts'

export type Block = { readonly number: bigint; readonly hash: Hex }

/** A wallet and the fills from it, as of one block. */
export type WalletReading = {
  readonly head: Block
  /** The previously known block is no longer part of the chain, so `fills` is complete. */
  readonly isReorganised: boolean
  readonly fills: readonly VenueOrderFill[]
  readonly balances: Readonly<Record<EtchedAsset, bigint>>
}

const [RFQ_ORDER_FILLED] = encodeEventTopics({ abi: EXCHANGE, eventName: 'RfqOrderFilled' })

export async function headOf(rpc: ChainRpc): Promise<Block> {
  return blockOf(await rpc('eth_getBlockByNumber', ['latest', false]))
}

/** Returns everything since `known`, or since `first` after a reorganisation; null while the head is still `known`. */
export async function readWallet(
  { rpc, tokens }: { readonly rpc: ChainRpc; readonly tokens: ChainTokens },
  maker: Address,
  known: Block,
  first: Block,
): Promise<WalletReading | null> {
  const head = await headOf(rpc)
  if (head.hash === known.hash) return null
  const before = await rpc('eth_getBlockByNumber', [toHex(known.number), false])
  const isReorganised = before === null || blockOf(before).hash !== known.hash
  const from = (isReorganised ? first : known).number + 1n
  const range = { fromBlock: toHex(from), toBlock: toHex(head.number) }
  const logs = from > head.number ? [] : await fillLogs(rpc, range)
  const at = toHex(head.number)
  const balances = await Promise.all(
    CHAIN_TOKENS.map(async ({ asset }) => [asset, await tokens.balance(asset, maker, at)] as const),
  )
  const ours = await Promise.all(logs.map((log) => orderFill(rpc, log, maker)))
  return {
    head,
    isReorganised,
    fills: ours.filter((fill) => fill !== null),
    balances: Object.fromEntries(balances) as Record<EtchedAsset, bigint>,
  }
}

type Log = {
  readonly data: Hex
  readonly topics: [Hex, ...Hex[]]
  readonly transactionHash: Hex
  readonly logIndex: Hex
  readonly blockNumber: Hex
}

async function fillLogs(rpc: ChainRpc, range: object): Promise<readonly Log[]> {
  const filter = { ...range, address: EXCHANGE_ADDRESS, topics: [RFQ_ORDER_FILLED] }
  return (await rpc('eth_getLogs', [filter])) as Log[]
}

async function orderFill(rpc: ChainRpc, log: Log, maker: Address): Promise<VenueOrderFill | null> {
  const { args } = decodeEventLog({ abi: EXCHANGE, eventName: 'RfqOrderFilled', ...log })
  const makerToken = tokenAt(args.makerToken)
  const takerToken = tokenAt(args.takerToken)
  if (!isAddressEqual(args.maker, maker) || makerToken === null || takerToken === null) return null
  const block = (await rpc('eth_getBlockByNumber', [log.blockNumber, false])) as { timestamp: Hex }
  return {
    key: `${log.transactionHash}:${Number(log.logIndex)}`,
    at: Number(block.timestamp) * 1_000,
    orderHash: args.orderHash,
    makerAsset: makerToken.asset,
    takerAsset: takerToken.asset,
    makerAmount: args.makerTokenFilledAmount,
    takerAmount: args.takerTokenFilledAmount,
    txHash: log.transactionHash,
  }
}

function blockOf(answer: unknown): Block {
  const { number, hash } = answer as { number: Hex; hash: Hex }
  return { number: BigInt(number), hash }
}
