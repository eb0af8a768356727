import { type RpcError, rpcFailure, type RpcFailure, type RpcReply } from './rpc-failure.ts'
import { isRecord } from '../../../base/record.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { kindOfStatus } from '../../../base/http/answer.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import { readHex } from './decode.ts'

const LONGEST_MESSAGE = 200
/** Codes and words by which nodes report a rate limit, in addition to HTTP 429. */
const BUSY_CODES = new Set([429, -32_007])
const BUSY_WORDS = /rate.?limit|too many requests|request limit|compute units/i

/**
 * Returns the replies to `count` requests numbered from 1, matched by number because a node may reorder them. An answer
 * with a missing, repeated or extra reply is malformed as a whole.
 */
export function matchReplies(
  count: number,
  answer: { readonly status: number; readonly text: string; readonly retryAfterMs: Ms | null },
  label: string,
  redact: (text: string) => string,
): Result<readonly RpcReply[], RpcFailure> {
  const { status } = answer
  const byStatus = failureOfStatus(status, label, answer.retryAfterMs)
  const parsed = parse(answer.text)
  const isRefusalInWords = byStatus?.kind === 'refused' && count === 1 && isError(parsed)
  if (byStatus !== null && !isRefusalInWords) return err(byStatus)
  const malformed = (what: string) => err(rpcFailure('malformed', `${label}: ${what}`, { status }))
  if (parsed === undefined) return malformed('the answer is not JSON')
  if (count > 1 && isError(parsed)) {
    const { code, message } = errorOf(parsed['error'], redact)
    return err(
      rpcFailure('refused', `${label}: the node refused the batch: ${message} (${code})`, { status }),
    )
  }
  const items: readonly unknown[] = count === 1 ? [parsed] : Array.isArray(parsed) ? parsed : []
  const replies = new Map<unknown, RpcReply>()
  for (const item of items) {
    if (!isRecord(item)) return malformed('the answer is not JSON-RPC')
    replies.set(item['id'], replyOf(item, redact))
  }
  const wanted = Array.from({ length: count }, (_, index) => replies.get(index + 1))
  const inOrder = wanted.filter((reply) => reply !== undefined)
  if (inOrder.length !== count || items.length !== count)
    return malformed('the answers do not match the requests')
  const busy = inOrder.find((reply) => !reply.ok && isBusy(reply.error))
  if (busy !== undefined && !busy.ok)
    return err(rpcFailure('rate-limit', `${label}: ${busy.error.message}`, { status }))
  return ok(inOrder)
}

function failureOfStatus(status: number, label: string, retryAfterMs: Ms | null): RpcFailure | null {
  if (status >= 200 && status <= 299) return null
  const words = `${label}: HTTP ${status}`
  const kind = kindOfStatus(status)
  if (kind === 'rate-limit' || kind === 'server') return rpcFailure(kind, words, { status, retryAfterMs })
  return rpcFailure(kind, words, { status, retriable: kind !== 'auth' })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isError(value: unknown): value is { readonly error: Readonly<Record<string, unknown>> } {
  return isRecord(value) && isRecord(value['error'])
}

function replyOf(item: Readonly<Record<string, unknown>>, redact: (text: string) => string): RpcReply {
  if (isError(item)) return err(errorOf(item.error, redact))
  return ok(item['result'])
}

function errorOf(error: unknown, redact: (text: string) => string): RpcError {
  const fields = isRecord(error) ? error : {}
  const { code, message, data } = fields
  return {
    code: typeof code === 'number' && Number.isSafeInteger(code) ? code : 0,
    message: redact(typeof message === 'string' ? message : 'no reason given')
      .replaceAll(/[^\x20-\x7e]+/g, ' ')
      .slice(0, LONGEST_MESSAGE),
    data: revertDataOf(data),
  }
}

/** Geth and anvil return the data itself; others wrap it in an object or in text. */
function revertDataOf(data: unknown): Hex | null {
  if (isRecord(data)) return revertDataOf(data['data'] ?? data['result'])
  if (typeof data !== 'string') return null
  return readHex(/0x[0-9a-fA-F]*/.exec(data)?.[0])
}

function isBusy({ code, message }: RpcError): boolean {
  return BUSY_CODES.has(code) || BUSY_WORDS.test(message)
}
