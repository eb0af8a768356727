import fc from 'fast-check'
import { checksum } from 'ox/Address'
import { expect, test } from 'vitest'
import { checkedAddress } from '../../../src/daemon/config/schema/field.ts'

test('an address is accepted with the checksum that ox writes, and refused with one letter in the other case', () => {
  const bytes = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .filter((all) => all.some((byte) => byte !== 0))
  fc.assert(
    fc.property(bytes, fc.nat(39), (all, at) => {
      const right = checksum(`0x${Buffer.from(all).toString('hex')}`)
      expect(checkedAddress.safeParse(right).data).toBe(right.toLowerCase())
      const digit = right[at + 2] ?? ''
      const other = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase()
      const wrong = `${right.slice(0, at + 2)}${other}${right.slice(at + 3)}`
      const digits = wrong.slice(2)
      const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
      expect(checkedAddress.safeParse(wrong).success).toBe(wrong === right || isOneCase)
    }),
  )
})
