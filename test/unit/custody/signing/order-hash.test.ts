import { encodeAbiParameters, keccak256, parseAbiParameters, stringToBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  createOrderPacker,
  domainSeparator,
  hashRfqOrder,
  RFQ_ORDER_TYPE_HASH,
  rfqTypedData,
} from '../../../../src/custody/signing/order-hash.ts'
import { BASE, EXCHANGE, signableOrder } from '../../../support/signing-fixture.ts'

describe('the numbers of the contract', () => {
  test('the type hash is that of the type string in its source', () => {
    const type =
      'RfqOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,' +
      'address maker,address taker,address txOrigin,bytes32 pool,uint64 expiry,uint256 salt)'
    expect(RFQ_ORDER_TYPE_HASH).toBe('0xe593d3fdfa8b60e5e17a1b2204662ecbe15c23f2084b9ad5bae40359540a7da9')
    expect(keccak256(stringToBytes(type))).toBe(RFQ_ORDER_TYPE_HASH)
  })

  test.each([
    ['Base', 8_453, '0xb8f4c28976395bafc26c225badbce6bd3706ab4441945c3a00b980571f558620'],
    ['BNB', 56, '0x7c48e13fd4a5e0a2b478ca75aefd8d2f11ded8f1fc9706b6293a4918b8b8f2fc'],
  ])('the domain separator on %s is the published one', (_name, chainId, separator) => {
    expect(domainSeparator({ chainId, exchange: EXCHANGE })).toBe(separator)
  })

  test('a struct hash is that of eleven words', () => {
    const order = signableOrder()
    const words = encodeAbiParameters(
      parseAbiParameters(
        'bytes32, address, address, uint128, uint128, address, address, address, bytes32, uint64, uint256',
      ),
      [
        RFQ_ORDER_TYPE_HASH,
        order.makerToken,
        order.takerToken,
        order.makerAmount,
        order.takerAmount,
        order.maker,
        order.taker,
        order.txOrigin,
        order.pool,
        order.expiry,
        order.salt,
      ],
    )
    expect(words).toHaveLength(2 + 2 * 352)
    expect(hashRfqOrder(order, BASE).structHash).toBe(keccak256(words))
  })
})

describe('what cannot be an order', () => {
  const pack = createOrderPacker(BASE, (bytes) => keccak256(bytes, 'bytes'))

  test.each([
    ['an amount of 129 bits', { makerAmount: 1n << 128n }],
    ['a negative amount', { takerAmount: -1n }],
    ['an expiry of 65 bits', { expiry: 1n << 64n }],
    ['a salt of 257 bits', { salt: 1n << 256n }],
    ['a short address', { maker: '0x1234' as const }],
    ['a long address', { taker: `0x${'1'.repeat(42)}` as const }],
    ['an address with a letter that is no digit', { makerToken: `0x${'g'.repeat(40)}` as const }],
    ['a pool of 31 bytes', { pool: `0x${'0'.repeat(62)}` as const }],
  ])('%s is hashed by neither way', (_what, change) => {
    const order = signableOrder(change)
    expect(() => hashRfqOrder(order, BASE)).toThrow()
    expect(() => pack(order)).toThrow(/of an order/)
  })

  test('an order that failed leaves nothing behind for the next one', () => {
    expect(() => pack(signableOrder({ salt: 1n << 256n }))).toThrow()
    const { orderHash } = hashRfqOrder(signableOrder(), BASE)
    expect(`0x${Buffer.from(pack(signableOrder()).orderHash).toString('hex')}`).toBe(orderHash)
  })

  test('typed data names its domain whole', () => {
    expect(rfqTypedData(signableOrder(), BASE).domain).toEqual({
      name: 'ZeroEx',
      version: '1.0.0',
      chainId: 8_453,
      verifyingContract: EXCHANGE,
    })
  })
})
