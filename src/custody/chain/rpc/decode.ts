import { decodeErrorResult, parseAbi } from 'viem'
import { err, type Result } from '../../../base/result.ts'
import { EXCHANGE_ABI } from '../../../core/rfq/exchange-abi.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import { type RpcError, rpcFailure, type RpcFailure, type RpcReply } from './rpc-failure.ts'

/** A node's answer violates JSON-RPC. Thrown and caught within `decoded`. */
export class MalformedAnswerError extends Error {
  override name = 'MalformedAnswerError'
}

const HEX = /^0x([0-9a-f]{2})*$/
const QUANTITY = /^0x[0-9a-f]{1,64}$/

/** Returns lower-case hex of whole bytes (`bytes` of them if given); null for anything else. */
export function readHex(value: unknown, bytes?: number): Hex | null {
  if (typeof value !== 'string') return null
  const text = value.toLowerCase()
  if (!HEX.test(text) || (bytes !== undefined && text.length !== 2 + 2 * bytes)) return null
  return text as Hex
}

/** Returns a hex field of `bytes` bytes. Throws MalformedAnswerError otherwise. */
export function hexOf(value: unknown, what: string, bytes?: number): Hex {
  const hex = readHex(value, bytes)
  if (hex === null) throw new MalformedAnswerError(`${what} is missing or not hex`)
  return hex
}

/** Returns a number of up to 256 bits. Throws MalformedAnswerError otherwise. */
export function quantityOf(value: unknown, what: string): bigint {
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (!QUANTITY.test(text)) throw new MalformedAnswerError(`${what} is missing or not a number`)
  return BigInt(text)
}

/** Returns a uint256 in a contract's encoding. Throws MalformedAnswerError otherwise. */
export function uintOf(value: unknown, what: string): bigint {
  return BigInt(hexOf(value, what, 32))
}

/** Decodes an endpoint's answer; a malformed answer becomes a failure of that endpoint. */
export function decoded<T>(
  { label }: { readonly label: string },
  decode: () => Result<T, RpcFailure>,
): Result<T, RpcFailure> {
  try {
    return decode()
  } catch (error) {
    // viem's message would quote the answer.
    const what =
      error instanceof MalformedAnswerError ? error.message : 'the answer does not match the request'
    return err(rpcFailure('malformed', `${label}: ${what}`))
  }
}

/** Returns the node's result; an error of the node counts as malformed. */
export function resultOf(reply: RpcReply | undefined): unknown {
  if (reply === undefined) throw new MalformedAnswerError('an answer is missing')
  if (!reply.ok) throw new MalformedAnswerError(`${reply.error.message} (${reply.error.code})`)
  return reply.value
}

const ABI = parseAbi(EXCHANGE_ABI)
const LONGEST_VALUE = 200
/** The errors of `require` and `assert`; their names give no reason. */
const OF_THE_LANGUAGE = new Set<string>(['Error', 'Panic'])

/** Why a contract reverted: the name of its error, and a sentence with its values. */
type Revert = { readonly code: string; readonly words: string }

/** Returns null if the error is not the contract's. An unknown contract error becomes REVERTED. */
export function describeRevert({ data, message, code }: RpcError): Revert | null {
  if (data === null || data === '0x') {
    return code === 3 || /revert/i.test(message) ? { code: 'REVERTED', words: message } : null
  }
  try {
    const { errorName, args, abiItem } = decodeErrorResult({ abi: ABI, data })
    const name: string = errorName
    const inputs = 'inputs' in abiItem ? abiItem.inputs : []
    const values = (args ?? []).map((value: unknown, index) =>
      `${inputs[index]?.name ?? ''} ${String(value)}`.trim().slice(0, LONGEST_VALUE),
    )
    const words = `${name}(${values.join(', ')})`
    return { code: OF_THE_LANGUAGE.has(name) ? 'REVERTED' : name, words }
  } catch {
    return { code: 'REVERTED', words: `an unknown error (${data.slice(0, 10)})` }
  }
}
