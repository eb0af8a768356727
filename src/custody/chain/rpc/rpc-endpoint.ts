import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { retryAfterOf } from '../../../base/http/answer.ts'
import { addressOf, openHttpClient } from '../../../base/http/client.ts'
import type { Silence } from '../../../base/http/exchange.ts'
import { createUrlRedactor, unescaped } from '../../../base/http/redactor.ts'
import { matchReplies } from './match-replies.ts'
import { rpcFailure, type RpcFailure, type RpcReply } from './rpc-failure.ts'

export type RpcRequest = { readonly method: string; readonly params: readonly unknown[] }

/** One JSON-RPC node. */
export type RpcEndpoint = {
  /** Host of the URL, numbered if several endpoints share it. Messages contain no other part of the URL. */
  readonly label: string
  /**
   * Sends the requests together and returns one reply per request, in order. A reply may be the node's error; a failure
   * concerns all requests. Never retries, never rejects.
   */
  readonly ask: (requests: readonly RpcRequest[]) => Promise<Result<readonly RpcReply[], RpcFailure>>
  readonly close: () => Promise<void>
}

type EndpointOptions = {
  readonly label: string
  readonly timeoutMs: Ms
  readonly maxBytes: number
  /** Called after every exchange with `ok` or the failure's kind. */
  readonly onEndpoint?: ((label: string, outcome: string, seconds: number) => void) | undefined
}

type Answer = { readonly status: number; readonly text: string; readonly retryAfterMs: Ms | null }

const CONNECTIONS = 4

/**
 * Creates an endpoint over undici. viem's transport is unsuitable: it matches batch answers by order, so that one
 * missing answer shifts all others; its time limit ends with the headers; and its errors quote the URL. Throws
 * TypeError for an invalid URL.
 */
export function createRpcEndpoint(url: string, options: EndpointOptions): RpcEndpoint {
  const door = openDoor(url, options)
  const { label, onEndpoint } = options
  let takesBatches = true

  async function askTogether(
    requests: readonly RpcRequest[],
  ): Promise<Result<readonly RpcReply[], RpcFailure>> {
    const began = performance.now()
    const answer = await door.post(bodyOf(requests))
    const result = answer.ok ? matchReplies(requests.length, answer.value, label, door.redact) : answer
    onEndpoint?.(label, result.ok ? 'ok' : result.error.kind, (performance.now() - began) / 1_000)
    return result
  }

  return {
    label,
    ask: async (requests) => {
      if (requests.length === 1 || takesBatches) {
        const together = await askTogether(requests)
        if (together.ok || together.error.kind !== 'refused' || requests.length === 1) return together
        takesBatches = false
      }
      const singly = await Promise.all(requests.map((request) => askTogether([request])))
      const failed = singly.find((result) => !result.ok)
      if (failed !== undefined && !failed.ok) return failed
      return ok(singly.flatMap((result) => (result.ok ? result.value : [])))
    },
    close: () => door.close(),
  }
}

/** A single request is not sent as a batch, because some nodes reject batches. */
function bodyOf(requests: readonly RpcRequest[]): string {
  const numbered = requests.map(({ method, params }, index) => ({
    jsonrpc: '2.0',
    id: index + 1,
    method,
    params,
  }))
  return JSON.stringify(numbered.length === 1 ? numbered[0] : numbered)
}

type Door = {
  readonly post: (body: string) => Promise<Result<Answer, RpcFailure>>
  readonly redact: (text: string) => string
  readonly close: () => Promise<void>
}

/** Keeps the URL within this function's scope. */
function openDoor(url: string, { label, timeoutMs, maxBytes }: EndpointOptions): Door {
  const http = openHttpClient({ connections: CONNECTIONS, timeoutMs, maxBytes, mayUseProxy: true })
  const parsed = new URL(url)
  const { username, password } = parsed
  const userInfo = `${unescaped(username)}:${unescaped(password)}`
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(userInfo === ':' ? {} : { authorization: `Basic ${Buffer.from(userInfo).toString('base64')}` }),
  }
  const address = addressOf(url)
  return {
    post: async (body) => {
      const answer = await http.send({ ...address, method: 'POST', headers, body })
      if (!answer.ok) return err(failureOf(label, answer.error))
      const { status, text } = answer.value
      return ok({ status, text, retryAfterMs: retryAfterOf(answer.value.headers, Date.now()) })
    },
    redact: createUrlRedactor(parsed),
    close: http.close,
  }
}

function failureOf(label: string, { kind, words, wasSent, status }: Silence): RpcFailure {
  if (kind === 'too-large')
    return rpcFailure('malformed', `${label}: ${words}`, { code: 'TOO_LARGE', status })
  return rpcFailure(kind, `${label}: ${words}`, { wasSent })
}
