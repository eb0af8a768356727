import { concat, hashMessage, padHex, toHex, type Address, type Hex } from 'viem'
import type { OrderOnChain } from '../order-on-chain.ts'
import type { SignatureShape } from '../rfq-signature.ts'
import type { ChainRpc } from './chain-rpc.ts'
import { lookAtOrders, type SignedOrderShape } from './look-at-orders.ts'

/**
 * What the chain says of an order that was submitted. Orders that arrive while the chain is being asked
 * are asked for together, so that a whole ladder costs two calls and not eighty.
 */
export function orderDesk(rpc: ChainRpc): (signed: SignedOrderShape) => Promise<OrderOnChain> {
  type Waiting = { readonly signed: SignedOrderShape; readonly tell: (said: OrderOnChain) => void }
  let waiting: Waiting[] = []
  let isAsking = false
  const ask = async () => {
    while (waiting.length > 0) {
      const asked = waiting
      waiting = []
      const said = await readAll(
        rpc,
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

async function readAll(rpc: ChainRpc, signed: readonly SignedOrderShape[]): Promise<readonly OrderOnChain[]> {
  try {
    const looks = await lookAtOrders(rpc, signed)
    return await Promise.all(
      looks.map(async ({ hash, status, isSignatureValid }, index) => {
        if (!isSignatureValid) return { kind: 'bad-signature' } as const
        const signer = await recover(rpc, hash, (signed[index] as SignedOrderShape).signature)
        return { kind: 'read', hash, status, signer } as const
      }),
    )
  } catch {
    // Whatever kept the answer away, to whoever submits an order it is the chain that cannot be read.
    return signed.map(() => ({ kind: 'unavailable' }) as const)
  }
}

const ECRECOVER: Address = '0x0000000000000000000000000000000000000001'

/** By the chain's own precompile, in a fraction of the millisecond and a half that JavaScript needs. */
async function recover(
  rpc: ChainRpc,
  hash: Hex,
  { signatureType, v, r, s }: SignatureShape,
): Promise<Address> {
  const digest = signatureType === 3 ? hashMessage({ raw: hash }) : hash
  const data = concat([digest, padHex(toHex(v), { size: 32 }), r, s])
  const word = (await rpc('eth_call', [{ to: ECRECOVER, data }, 'latest'])) as Hex
  return `0x${word.slice(-40)}`
}
