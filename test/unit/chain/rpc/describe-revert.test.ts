import { encodeErrorResult, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { describeRevert } from '../../../../src/chain/rpc/decode.ts'
import { EXCHANGE_ABI } from '../../../../src/rfq/exchange-abi.ts'

const HASH = `0x${'7'.repeat(64)}` as const
const revert = (data: `0x${string}` | null, message = 'execution reverted', code = 3) =>
  describeRevert({ code, message, data })

describe('why a contract says no', () => {
  test('an error of the exchange is told by its name and what it holds', () => {
    const abi = parseAbi(EXCHANGE_ABI)
    const data = encodeErrorResult({ abi, errorName: 'OrderNotFillableError', args: [HASH, 2] })
    expect(revert(data)).toEqual({
      code: 'OrderNotFillableError',
      words: `OrderNotFillableError(orderHash ${HASH}, orderStatus 2)`,
    })
  })

  test('a reason in words is told, an error nobody knows by its selector, and silence is a revert too', () => {
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

  test('trouble of the node is no revert', () => {
    expect(revert(null, 'header not found', -32_000)).toBeNull()
  })
})
