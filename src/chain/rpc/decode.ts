import type { Hex } from '../../rfq/rfq-order.ts'
import { decodeErrorResult, parseAbi } from 'viem'
import { EXCHANGE_ABI } from '../../rfq/exchange-abi.ts'
import type { RpcError } from './match-replies.ts'

/** What a node sent is not what JSON-RPC says it should be. Caught where its answer is read. */
export class MalformedAnswerError extends Error {
  override name = 'MalformedAnswerError'
}

const HEX = /^0x([0-9a-f]{2})*$/
const QUANTITY = /^0x[0-9a-f]{1,64}$/

/** Hex of whole bytes, `bytes` of them if that is given, in lower case; null where it is anything else. */
export function readHex(value: unknown, bytes?: number): Hex | null {
  if (typeof value !== 'string') return null
  const text = value.toLowerCase()
  if (!HEX.test(text) || (bytes !== undefined && text.length !== 2 + 2 * bytes)) return null
  return text as Hex
}

/** A field that must be hex of so many bytes. */
export function hexOf(value: unknown, what: string, bytes?: number): Hex {
  const hex = readHex(value, bytes)
  if (hex === null) throw new MalformedAnswerError(`${what} is missing or no hex`)
  return hex
}

/** A field that must be a number of up to 256 bits. */
export function quantityOf(value: unknown, what: string): bigint {
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (!QUANTITY.test(text)) throw new MalformedAnswerError(`${what} is missing or no number`)
  return BigInt(text)
}

const ABI = parseAbi(EXCHANGE_ABI)
const LONGEST_VALUE = 200
/** What `require` and `assert` throw; their names say nothing. */
const OF_THE_LANGUAGE = new Set<string>(['Error', 'Panic'])

/** Why a contract said no: the name of its error, and a sentence with what the error holds. */
export type Revert = { readonly code: string; readonly words: string }

/** Null where it was not the contract that said no. An error that nobody knows is REVERTED. */
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
    return { code: 'REVERTED', words: `an error that is not known here (${data.slice(0, 10)})` }
  }
}
