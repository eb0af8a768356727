import { encodeErrorResult, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { describeRevert } from '../../../../../src/custody/chain/rpc/decode.ts'
import { EXCHANGE_ABI } from '../../../../../src/core/rfq/exchange-abi.ts'

const HASH = `0x${'7'.repeat(64)}` as const
const revert = (data: `0x${string}` | null, message = 'execution reverted', code = 3) =>
  describeRevert({ code, message, data })

describe('the description of a revert', () => {
  test('an error of the exchange is described by its name and values', () => {
    const abi = parseAbi(EXCHANGE_ABI)
    const data = encodeErrorResult({ abi, errorName: 'OrderNotFillableError', args: [HASH, 2] })
    expect(revert(data)).toEqual({
      code: 'OrderNotFillableError',
      words: `OrderNotFillableError(orderHash ${HASH}, orderStatus 2)`,
    })
  })

  test('a revert is described by its reason, an unknown error by its selector, and empty data is a revert too', () => {
    const reason = encodeErrorResult({
      abi: parseAbi(['error Error(string reason)']),
      errorName: 'Error',
      args: ['not allowed'],
    })
    expect(revert(reason)?.code).toBe('REVERTED')
    expect(revert(reason)?.words).toContain('not allowed')
    expect(revert('0x12345678')?.words).toContain('0x12345678')
    expect(revert('0x')).toEqual({ code: 'REVERTED', words: 'execution reverted' })
    expect(revert(null, 'VM Exception: revert', -32_000)?.code).toBe('REVERTED')
  })

  test('an error of the node is no revert', () => {
    expect(revert(null, 'header not found', -32_000)).toBeNull()
  })
})
