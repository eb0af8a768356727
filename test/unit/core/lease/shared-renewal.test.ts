import { expect, test } from 'vitest'
import {
  countingSide,
  createSharedRenewal,
  RENEWAL_BYTES,
  renewalSide,
} from '../../../../src/core/lease/shared-renewal.ts'

test('the loop counts for the thread that renews, and reads back what its lease was renewed by', () => {
  const buffer = createSharedRenewal()
  const [loop, renewing] = [countingSide(buffer), renewalSide(buffer)]
  expect(loop.renewed().fence).toBe(0)
  loop.count()
  loop.count()
  expect(renewing.count()).toBe(2)
  // The number of a lease has PostgreSQL's timeline in its upper half.
  const fence = 3 * 2 ** 32 + 17
  renewing.renewed(fence, { steadyMs: 123_456.789, wallMs: 1_795_000_000_000 })
  expect(renewing.fence()).toBe(fence)
  expect(loop.renewed().fence).toBe(fence)
  expect(loop.renewed().sentAt.steadyMs).toBeCloseTo(123_456.789, 3)
  expect(loop.renewed().sentAt.wallMs).toBe(1_795_000_000_000)
})

test('what belongs to one transport stands behind it and is not touched', () => {
  const buffer = createSharedRenewal(8)
  const own = new BigInt64Array(buffer, RENEWAL_BYTES, 1)
  own[0] = 42n
  countingSide(buffer).count()
  renewalSide(buffer).renewed(1, { steadyMs: 1, wallMs: 2 })
  expect(own[0]).toBe(42n)
})
