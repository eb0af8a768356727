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

export type ChainCall = readonly [method: string, params: readonly unknown[]]
/** Several calls in one request; rejects where any of them fails. The results are in the order of the calls. */
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
  if (answer.error !== undefined) throw new RpcFailure(method, answer.error.message, answer.error.data)
  return answer.result
}
