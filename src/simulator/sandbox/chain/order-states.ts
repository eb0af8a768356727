import {
  type Address,
  concat,
  decodeFunctionResult,
  encodeFunctionData,
  hashMessage,
  type Hex,
  padHex,
  parseAbi,
  toHex,
} from 'viem'
import { EXCHANGE_ABI } from '../../../core/rfq/exchange-abi.ts'
import { ORDER_STATUSES, type RfqOrder } from '../../../core/rfq/rfq-order.ts'
import type { OrderOnChain, SignatureShape } from '../api/signed-order.ts'
import { EXCHANGE_ADDRESS } from './addresses.ts'
import type { ChainBatch, ChainCall, ChainRpc } from './rpc.ts'

export type SignedOrderShape = { readonly order: RfqOrder; readonly signature: SignatureShape }

/** An order in its current state at the exchange. */
export type OrderLook = {
  /** Zero = the contract does not accept such a signature. */
  readonly hash: Hex
  readonly status: (typeof ORDER_STATUSES)[number]
  readonly takerFilled: bigint
  /** The amount that the maker's balance and allowance can fill, in base units of the taker's token. */
  readonly fillable: bigint
  readonly isSignatureValid: boolean
}

export const EXCHANGE = parseAbi(EXCHANGE_ABI)
/** Reading hundreds of orders in one call stays far from the call's gas limit. */
const AT_ONCE = 200

/** Looks up all orders at the exchange in as few calls as possible. Rejects if the chain does not answer. */
export async function lookAtOrders(rpc: ChainRpc, signed: readonly SignedOrderShape[]): Promise<OrderLook[]> {
  const looks: OrderLook[] = []
  for (let from = 0; from < signed.length; from += AT_ONCE) {
    looks.push(...(await lookAtSome(rpc, signed.slice(from, from + AT_ONCE))))
  }
  return looks
}

async function lookAtSome(rpc: ChainRpc, signed: readonly SignedOrderShape[]): Promise<OrderLook[]> {
  const call = { abi: EXCHANGE, functionName: 'batchGetRfqOrderRelevantStates' } as const
  const args = [signed.map(({ order }) => order), signed.map(({ signature }) => signature)] as const
  const data = encodeFunctionData({ ...call, args })
  const answer = await rpc('eth_call', [{ to: EXCHANGE_ADDRESS, data, gas: toHex(25_000_000) }, 'latest'])
  const [infos, fillable, valid] = decodeFunctionResult({ ...call, data: answer as Hex })
  return infos.map(({ orderHash, status, takerTokenFilledAmount }, index) => ({
    hash: orderHash,
    status: ORDER_STATUSES[status] ?? 'INVALID',
    takerFilled: takerTokenFilledAmount,
    fillable: fillable[index] ?? 0n,
    isSignatureValid: valid[index] ?? false,
  }))
}

/**
 * Returns a function that looks up a submitted order on the chain. Orders that arrive during a look-up are batched into the
 * next one, so a whole ladder costs two calls instead of eighty.
 */
export function orderStates(
  rpc: ChainRpc,
  batch: ChainBatch,
): (signed: SignedOrderShape) => Promise<OrderOnChain> {
  type Waiting = { readonly signed: SignedOrderShape; readonly tell: (said: OrderOnChain) => void }
  let waiting: Waiting[] = []
  let isAsking = false
  const ask = async () => {
    while (waiting.length > 0) {
      const asked = waiting
      waiting = []
      const said = await readAll(
        rpc,
        batch,
        asked.map(({ signed }) => signed),
      )
      for (const [index, { tell }] of asked.entries()) tell(said[index] ?? { kind: 'unavailable' })
    }
    isAsking = false
  }
  return (signed) =>
    new Promise((tell) => {
      waiting.push({ signed, tell })
      if (isAsking) return
      isAsking = true
      setImmediate(() => void ask())
    })
}

async function readAll(
  rpc: ChainRpc,
  batch: ChainBatch,
  signed: readonly SignedOrderShape[],
): Promise<readonly OrderOnChain[]> {
  try {
    const looks = await lookAtOrders(rpc, signed)
    const valid = looks.flatMap((look, index) => {
      const shape = signed[index]
      return look.isSignatureValid && shape !== undefined ? [{ look, signature: shape.signature }] : []
    })
    const words = await batch(valid.map(({ look, signature }) => recovery(look.hash, signature)))
    const signers = new Map(valid.map(({ look }, index) => [look, addressIn(words[index] as Hex)]))
    return looks.map((look) => {
      const signer = signers.get(look)
      if (signer === undefined) return { kind: 'bad-signature' } as const
      return { kind: 'read', hash: look.hash, status: look.status, signer } as const
    })
  } catch {
    // Report any failure to the submitter as an unreadable chain.
    return signed.map(() => ({ kind: 'unavailable' }) as const)
  }
}

const ECRECOVER: Address = '0x0000000000000000000000000000000000000001'

/** Uses the chain's own precompile, much faster than the 1.5 ms that JavaScript needs. */
function recovery(hash: Hex, { signatureType, v, r, s }: SignatureShape): ChainCall {
  const digest = signatureType === 3 ? hashMessage({ raw: hash }) : hash
  const data = concat([digest, padHex(toHex(v), { size: 32 }), r, s])
  return ['eth_call', [{ to: ECRECOVER, data }, 'latest']]
}

function addressIn(word: Hex): Address {
  return `0x${word.slice(-40)}`
}
