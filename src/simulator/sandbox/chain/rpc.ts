import type { Address, Hex } from 'viem'

/** One JSON-RPC call; rejects if there is no answer or the answer is an error. */
export type ChainRpc = (method: string, params?: readonly unknown[]) => Promise<unknown>

/** An error that the chain returned; `data` has the revert's bytes, if any. */
export class SimulatedRpcFailure extends Error {
  override readonly name = 'RpcFailure'
  readonly data: `0x${string}` | null

  constructor(method: string, message: string, data: unknown) {
    super(`${method}: ${message}`)
    this.data = typeof data === 'string' && data.startsWith('0x') ? (data as `0x${string}`) : null
  }
}

const ANSWER_MS = 30_000

export type ChainCall = readonly [method: string, params: readonly unknown[]]
/** Sends several calls in one request; rejects if any of them fails. Results are in the order of the calls. */
export type ChainBatch = (calls: readonly ChainCall[]) => Promise<readonly unknown[]>

type Answer = { readonly id: number; readonly result?: unknown; readonly error?: RpcError }
type RpcError = { readonly message: string; readonly data?: unknown }

/** Calls one endpoint over HTTP. */
export function chainRpc(url: string): ChainRpc {
  return async (method, params = []) => {
    const answer = (await post(url, { jsonrpc: '2.0', id: 1, method, params })) as Answer
    return resultOf(method, answer)
  }
}

export function chainBatch(url: string): ChainBatch {
  return async (calls) => {
    if (calls.length === 0) return []
    const body = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
    const answers = (await post(url, body)) as readonly Answer[]
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    return calls.map(([method], id) => resultOf(method, byId.get(id)))
  }
}

async function post(url: string, body: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  return answer.json()
}

function resultOf(method: string, answer: Answer | undefined): unknown {
  if (answer === undefined) throw new Error(`${method}: no answer`)
  if (answer.error !== undefined)
    throw new SimulatedRpcFailure(method, answer.error.message, answer.error.data)
  return answer.result
}

type Mined = { readonly transactionHash: Hex; readonly contractAddress: Address | null }

/** A transaction was mined but reverted by the contract: its sender had outdated state. */
export class RevertedError extends Error {
  override readonly name = 'RevertedError'
}

const MINED_MS = 15_000
const POLL_MS = 3

/**
 * Sends a transaction from any address without its key; without `to` it deploys. Resolves once it is mined; rejects
 * with RpcFailure if it would revert, before it is sent, with RevertedError if it reverted later, and with Error if
 * it is not mined in time.
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
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
