import { decodeErrorResult, parseAbi } from 'viem'
import { EXCHANGE_ABI } from '../rfq/exchange-abi.ts'
import type { RpcError } from './match-replies.ts'

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
