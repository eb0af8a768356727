import type { Address, Hex } from 'viem'
import type { ChainRpc } from './chain-rpc.ts'

export type Mined = { readonly transactionHash: Hex; readonly contractAddress: Address | null }

/** A transaction was mined and refused by the contract: whoever sent it was wrong about the state of things. */
export class RevertedError extends Error {
  override readonly name = 'RevertedError'
}

const MINED_MS = 15_000
const LOOK_MS = 3

/**
 * A transaction from any address, whose key nobody asks for; without `to` it deploys. Resolves once it is
 * mined; rejects with RpcFailure where it would revert, before it is sent, with RevertedError where it
 * reverted after all, and with Error where it is not mined in time.
 */
export async function sendAs(
  rpc: ChainRpc,
  transaction: { readonly from: Address; readonly to?: Address; readonly data: Hex; readonly gas?: Hex },
): Promise<Mined> {
  await rpc('anvil_impersonateAccount', [transaction.from])
  const hash = await rpc('eth_sendTransaction', [transaction])
  const until = Date.now() + MINED_MS
  for (;;) {
    const receipt = (await rpc('eth_getTransactionReceipt', [hash])) as (Mined & { status: Hex }) | null
    if (receipt?.status === '0x1') return receipt
    if (receipt !== null) throw new RevertedError(`transaction ${String(hash)} reverted`)
    if (Date.now() > until) throw new Error(`transaction ${String(hash)} is not mined after ${MINED_MS} ms`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
