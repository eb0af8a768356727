import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTimestamp } from '../../../../src/close/timestamp/timestamp.ts'

const MESSAGE = Buffer.from('{"day":"2026-11-22"}')

test('bytes that are no time-stamp are refused, whatever they are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(readTimestamp(bytes, MESSAGE).ok).toBe(false)
    }),
  )
})
