import { describe, expect, test } from 'vitest'
import type { RfqOrder } from '../../../src/rfq/rfq-order.ts'
import { orderRefusal } from '../../../src/signing/order-refusal.ts'
import type { SigningTerms } from '../../../src/signing/signing-terms.ts'
import {
  DOLLAR,
  MAKER,
  NOW,
  SHILLING,
  signableOrder,
  signingTerms,
  SOLVER,
} from '../../support/signing-fixture.ts'

const SECOND = BigInt(NOW / 1_000)
const OTHER = `0x${'77'.repeat(20)}` as const
const refusalOf = (change: Partial<RfqOrder>, terms: Partial<SigningTerms> = {}) =>
  orderRefusal(signableOrder(change), MAKER, signingTerms(terms))

describe('a signer looks itself, and signs', () => {
  test.each([
    ['either side', { makerToken: DOLLAR, takerToken: SHILLING }],
    ['one base unit against the most', { makerAmount: 1n, takerAmount: (1n << 128n) - 1n }],
    ['an expiry one second ahead', { expiry: SECOND + 1n }],
    ['an expiry 24 hours ahead', { expiry: SECOND + 86_400n }],
    ['the biggest salt', { salt: (1n << 256n) - 1n }],
    ['addresses with their checksums', { maker: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' as const }],
  ])('%s', (_what, change) => {
    expect(refusalOf(change)).toBeNull()
  })
})

describe('a signer refuses, and there is certainly no signature', () => {
  const refused: [string, string, Partial<RfqOrder>, Partial<SigningTerms>?][] = [
    ['another maker', 'SIGN_WRONG_MAKER', { maker: OTHER }],
    ['another taker', 'SIGN_WRONG_SOLVER', { taker: OTHER }],
    ['another origin', 'SIGN_WRONG_SOLVER', { txOrigin: OTHER }],
    ['taker and origin that agree on somebody else', 'SIGN_WRONG_SOLVER', { taker: OTHER, txOrigin: OTHER }],
    ['everybody as taker', 'SIGN_WRONG_SOLVER', { taker: `0x${'0'.repeat(40)}` }],
    ['a solver that nobody has said', 'SIGN_NO_SOLVER', {}, { solver: () => null }],
    ['a token that nobody configured', 'SIGN_WRONG_TOKEN', { makerToken: OTHER }],
    ['the shilling against itself', 'SIGN_WRONG_TOKEN', { takerToken: SHILLING }],
    ['a dollar against a dollar', 'SIGN_WRONG_TOKEN', { makerToken: DOLLAR }],
    ['any order where no shilling is configured', 'SIGN_WRONG_TOKEN', {}, { tokens: { USDC: DOLLAR } }],
    ['a gift to the maker', 'SIGN_BAD_AMOUNT', { makerAmount: 0n }],
    ['a gift to the taker', 'SIGN_BAD_AMOUNT', { takerAmount: 0n }],
    ['a negative amount', 'SIGN_BAD_AMOUNT', { takerAmount: -1n }],
    ['an amount of 129 bits', 'SIGN_BAD_AMOUNT', { makerAmount: 1n << 128n }],
    ['an expiry now', 'SIGN_EXPIRED', { expiry: SECOND }],
    ['an expiry of zero', 'SIGN_EXPIRED', { expiry: 0n }],
    ['an expiry a second too far', 'SIGN_EXPIRES_TOO_LATE', { expiry: SECOND + 86_401n }],
    ['an expiry in milliseconds', 'SIGN_EXPIRES_TOO_LATE', { expiry: BigInt(NOW) + 60_000n }],
    ['any expiry by a clock that is none', 'SIGN_EXPIRED', {}, { now: () => Number.NaN }],
    ['a salt of 257 bits', 'SIGN_MALFORMED', { salt: 1n << 256n }],
    ['a negative salt', 'SIGN_MALFORMED', { salt: -1n }],
    ['a pool of 31 bytes', 'SIGN_MALFORMED', { pool: `0x${'0'.repeat(62)}` }],
  ]

  test.each(refused)('%s', (_what, code, change, terms) => {
    expect(refusalOf(change, terms)).toMatchObject({ code, isVoid: true })
    expect(refusalOf(change, terms)?.message).toMatch(/^not signed: [^\n]+$/)
  })

  test('the solver is asked anew for every order', () => {
    let solver: typeof SOLVER | null = null
    const terms = signingTerms({ solver: () => solver })
    expect(orderRefusal(signableOrder(), MAKER, terms)?.code).toBe('SIGN_NO_SOLVER')
    solver = SOLVER
    expect(orderRefusal(signableOrder(), MAKER, terms)).toBeNull()
  })
})
