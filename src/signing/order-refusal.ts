import { HOUR_MS } from '../base/time.ts'
import { MAX_UINT128, type Hex, type RfqOrder } from '../rfq/rfq-order.ts'
import type { SigningFailure } from './order-signer.ts'
import type { SigningTerms } from './signing-terms.ts'

const LONGEST_MS = 24 * HOUR_MS
const UINT256 = 1n << 256n

/**
 * Why an order is not signed: the signer's own look, which trusts nobody's arithmetic and no configuration
 * but its own. Null where nothing is wrong. Codes begin with SIGN_.
 */
export function orderRefusal(order: RfqOrder, maker: Hex, terms: SigningTerms): SigningFailure | null {
  return (
    partiesRefusal(order, maker, terms.solver()) ??
    tokensRefusal(order, terms.tokens) ??
    amountsRefusal(order) ??
    expiryRefusal(order.expiry, terms.now())
  )
}

function partiesRefusal(order: RfqOrder, maker: Hex, solver: Hex | null): SigningFailure | null {
  if (!isSame(order.maker, maker))
    return refusal('SIGN_WRONG_MAKER', `the order's maker is ${order.maker}, and this is the key of ${maker}`)
  if (solver === null) return refusal('SIGN_NO_SOLVER', 'nobody has said yet who may fill orders')
  if (isSame(order.taker, solver) && isSame(order.txOrigin, solver)) return null
  const { taker, txOrigin } = order
  return refusal(
    'SIGN_WRONG_SOLVER',
    `the order is for taker ${taker} and origin ${txOrigin}, and the solver is ${solver}`,
  )
}

function tokensRefusal(order: RfqOrder, tokens: SigningTerms['tokens']): SigningFailure | null {
  const { NTZS: shilling, ...dollars } = tokens
  const isShilling = (token: Hex) => shilling !== undefined && isSame(token, shilling)
  const isDollar = (token: Hex) => Object.values(dollars).some((dollar) => isSame(token, dollar))
  const { makerToken, takerToken } = order
  if (isShilling(makerToken) && isDollar(takerToken)) return null
  if (isDollar(makerToken) && isShilling(takerToken)) return null
  return refusal(
    'SIGN_WRONG_TOKEN',
    `${makerToken} against ${takerToken} is not the shilling against a dollar of the configuration`,
  )
}

function amountsRefusal({ makerAmount, takerAmount, salt, pool }: RfqOrder): SigningFailure | null {
  const fits = (amount: bigint) => amount > 0n && amount <= MAX_UINT128
  if (!fits(makerAmount) || !fits(takerAmount))
    return refusal('SIGN_BAD_AMOUNT', `${makerAmount} against ${takerAmount}: amounts are 1 to 2^128 - 1`)
  if (salt >= 0n && salt < UINT256 && /^0x[0-9a-fA-F]{64}$/.test(pool)) return null
  return refusal('SIGN_MALFORMED', 'the salt is not a uint256, or the pool not 32 bytes')
}

function expiryRefusal(expiry: bigint, now: number): SigningFailure | null {
  const leftMs = Number(expiry) * 1_000 - now
  if (!(leftMs > 0)) return refusal('SIGN_EXPIRED', `the order's expiry ${expiry} has passed`)
  if (leftMs <= LONGEST_MS) return null
  return refusal('SIGN_EXPIRES_TOO_LATE', `the order's expiry ${expiry} is more than 24 hours away`)
}

function isSame(one: Hex, other: Hex): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function refusal(code: string, message: string): SigningFailure {
  return { code, message: `not signed: ${message}`, isVoid: true }
}
