/** One JSON-RPC call; rejects where there is no answer or the answer is an error. */
export type ChainRpc = (method: string, params?: readonly unknown[]) => Promise<unknown>

/** What the chain refused, in its words; `data` is the revert's bytes where it has any. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure'
  readonly data: `0x${string}` | null

  constructor(method: string, message: string, data: unknown) {
    super(`${method}: ${message}`)
    this.data = typeof data === 'string' && data.startsWith('0x') ? (data as `0x${string}`) : null
  }
}

const ANSWER_MS = 30_000

/** Calls one endpoint over HTTP. */
export function chainRpc(url: string): ChainRpc {
  let id = 0
  return async (method, params = []) => {
    id += 1
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    const { result, error } = (await answer.json()) as {
      result?: unknown
      error?: { message: string; data?: unknown }
    }
    if (error !== undefined) throw new RpcFailure(method, error.message, error.data)
    return result
  }
}
