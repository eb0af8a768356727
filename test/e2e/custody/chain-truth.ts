import { getAbiItem, parseAbi, parseEventLogs } from 'viem'
import { EXCHANGE_ABI } from '../../../src/core/rfq/exchange-abi.ts'
import { ORDER_STATUSES, type Hex, type OrderStatus, type RfqOrder } from '../../../src/core/rfq/rfq-order.ts'
import type { StartedChain } from '../../../src/simulator/sandbox/chain/start-chain.ts'
import { CHAIN_TOKENS, type EtchedAsset } from '../../../src/simulator/sandbox/chain/etch-contracts.ts'

const ABI = parseAbi(EXCHANGE_ABI)

export type SignedOrder = {
  readonly order: RfqOrder
  readonly signature: { readonly signatureType: number; readonly v: number; readonly r: Hex; readonly s: Hex }
}

type OrderInfo = { readonly orderHash: Hex; readonly status: number; readonly takerTokenFilledAmount: bigint }

export type TrueFill = {
  readonly key: string
  readonly orderHash: Hex
  readonly makerToken: string
  readonly takerToken: string
  readonly makerAmount: bigint
  readonly takerAmount: bigint
}

export type TrueOrder = {
  readonly order: RfqOrder
  readonly hash: Hex
  readonly status: OrderStatus
  /** Of the maker's token, what no fill has taken. */
  readonly left: bigint
}

/** Everything as of one block, asked of the chain itself. */
export type ChainTruth = {
  readonly block: bigint
  readonly orders: readonly TrueOrder[]
  readonly fills: readonly TrueFill[]
  readonly balances: Readonly<Record<EtchedAsset, bigint>>
  readonly allowances: Readonly<Record<EtchedAsset, bigint>>
}

/** What the chain says of these orders and of the maker's wallet. */
export async function chainTruth(chain: StartedChain, of: readonly SignedOrder[]): Promise<ChainTruth> {
  // More may be sent while the chain is asked.
  const sent = [...of]
  const { client, exchange } = chain
  const block = await client.getBlockNumber({ cacheTime: 0 })
  const maker = chain.accounts.maker.address
  const at = { blockNumber: block } as const
  const fills = await fillsOf(chain, block)
  const [infos, wallet] = await Promise.all([
    infosOf(chain, sent, block),
    Promise.all(
      CHAIN_TOKENS.map(async ({ asset, address }) => {
        const token = { ...at, address, abi: TOKEN } as const
        const balance = await client.readContract({ ...token, functionName: 'balanceOf', args: [maker] })
        const allowance = await client.readContract({
          ...token,
          functionName: 'allowance',
          args: [maker, exchange],
        })
        return { asset, balance, allowance }
      }),
    ),
  ])
  const orders = sent.map(({ order }, index) => {
    const info = infos[index]
    if (info === undefined) throw new Error('the exchange said nothing of an order')
    const status = ORDER_STATUSES[info.status]
    if (status === undefined) throw new Error(`the exchange has no status ${info.status}`)
    const given = fills.filter(({ orderHash }) => orderHash === info.orderHash)
    return {
      order,
      hash: info.orderHash,
      status,
      left: given.reduce((rest, { makerAmount }) => rest - makerAmount, order.makerAmount),
    }
  })
  const amounts = (what: 'balance' | 'allowance') =>
    Object.fromEntries(wallet.map((token) => [token.asset, token[what]])) as Record<EtchedAsset, bigint>
  return { block, orders, fills, balances: amounts('balance'), allowances: amounts('allowance') }
}

/** Tokens of which more can be taken by fills of these orders than is there; each with a sentence. */
export function overPromisedTokens({ orders, balances, allowances }: ChainTruth): string[] {
  return CHAIN_TOKENS.flatMap(({ asset, address }) => {
    const open = orders.filter(
      ({ order, status }) => status === 'FILLABLE' && order.makerToken === address.toLowerCase(),
    )
    const promised = open.reduce((sum, { left }) => sum + left, 0n)
    const there = balances[asset] < allowances[asset] ? balances[asset] : allowances[asset]
    return promised <= there ? [] : [`${promised} ${asset} promised by ${open.length} orders, ${there} there`]
  })
}

async function infosOf(
  { client, exchange }: StartedChain,
  sent: readonly SignedOrder[],
  blockNumber: bigint,
): Promise<readonly OrderInfo[]> {
  const infos: OrderInfo[] = []
  for (let from = 0; from < sent.length; from += AT_ONCE) {
    const some = sent.slice(from, from + AT_ONCE)
    const [read, , valid] = await client.readContract({
      address: exchange,
      abi: ABI,
      functionName: 'batchGetRfqOrderRelevantStates',
      args: [some.map(({ order }) => order), some.map(({ signature }) => signature)],
      blockNumber,
    })
    if (valid.includes(false)) throw new Error('an order was sent whose signature the exchange does not take')
    infos.push(...read)
  }
  return infos
}

const AT_ONCE = 200
const TOKEN = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
])

async function fillsOf({ client, exchange, accounts }: StartedChain, toBlock: bigint): Promise<TrueFill[]> {
  const event = getAbiItem({ abi: ABI, name: 'RfqOrderFilled' })
  const logs = await client.getLogs({ address: exchange, event, fromBlock: 0n, toBlock })
  return parseEventLogs({ abi: ABI, eventName: 'RfqOrderFilled', logs })
    .filter(({ args }) => args.maker.toLowerCase() === accounts.maker.address.toLowerCase())
    .map(({ args, transactionHash, logIndex }) => ({
      key: `${transactionHash}:${logIndex}`,
      orderHash: args.orderHash,
      makerToken: args.makerToken.toLowerCase(),
      takerToken: args.takerToken.toLowerCase(),
      makerAmount: args.makerTokenFilledAmount,
      takerAmount: args.takerTokenFilledAmount,
    }))
}
