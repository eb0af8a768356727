import { isAddressEqual, type Address } from 'viem'
import { DAY_MS, MINUTE_MS } from '../../base/time.ts'
import { readRfqOrder, rfqOrderHash, type RfqOrder } from '../rfq-order.ts'
import { readRfqSignature } from '../rfq-signature.ts'
import { tokenAt } from '../tokens.ts'
import { refusal, type Refusal } from '../venue-error.ts'
import type { VenueState } from '../venue-state.ts'
import { answer } from '../venue-request.ts'
import type { Handler } from './handler.ts'

/** POST /rfq/orders: every check of the contract's table that needs no chain, in one fixed order. */
export const takeOrder: Handler = (venue, { body, signer }) => {
  if (!venue.selfCustody) return refusal('NOT_SELF_CUSTODY', 'Enable self-custody before submitting orders')
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>
  const { rfq, walletAddress } = venue.options
  if (fields['chainId'] !== undefined && fields['chainId'] !== rfq.chainId) {
    return refusal('UNSUPPORTED_CHAIN', `Orders are accepted on chain ${rfq.chainId} only`)
  }
  const read = readRfqOrder(fields['order'])
  if (!read.ok) return refusal('BAD_ORDER', `${read.error}: missing or malformed`)
  const order = read.value
  const wrong =
    checkTokens(order) ??
    checkParties(order, walletAddress as Address, rfq.solverWallet as Address) ??
    checkExpiry(order, venue.now)
  if (wrong !== null) return wrong
  if (readRfqSignature(fields['signature']) === null)
    return refusal('BAD_SIGNATURE', 'The signature is malformed')
  if (signer === undefined || signer === null || !isAddressEqual(signer as Address, order.maker)) {
    return refusal('BAD_SIGNATURE', 'The signature does not recover to the registered maker wallet')
  }
  if (venue.faults.chainUnavailable)
    return refusal('CHAIN_UNAVAILABLE', 'The chain cannot be read now; retry shortly')
  return accept(venue, order)
}

function accept(venue: VenueState, order: RfqOrder) {
  const hash = rfqOrderHash(order, venue.options.rfq)
  const status = venue.orderMarks.get(hash) ?? venue.orderMarks.get('*')
  if (status !== undefined) {
    return refusal('ORDER_NOT_FILLABLE', `The exchange contract reports the order ${status}`, {
      orderStatus: status,
    })
  }
  venue.orders.set(hash, { hash, expiry: Number(order.expiry) * 1_000, at: venue.now, order })
  return answer(200, { orderHash: hash, orderStatus: 'FILLABLE', expiry: order.expiry.toString() })
}

function checkTokens(order: RfqOrder): Refusal | null {
  const maker = tokenAt(order.makerToken)
  const taker = tokenAt(order.takerToken)
  if (maker === null || taker === null) {
    return refusal('UNKNOWN_TOKEN', `${maker === null ? 'makerToken' : 'takerToken'} is not in the registry`)
  }
  if (maker === taker) return refusal('SAME_TOKEN', 'makerToken and takerToken must differ')
  if (maker.asset !== 'NTZS' && taker.asset !== 'NTZS') {
    return refusal('NOT_TZS_TOKEN_PAIR', 'One side of every order must be the shilling token')
  }
  return null
}

function checkParties(order: RfqOrder, maker: Address, solver: Address): Refusal | null {
  if (!isAddressEqual(order.maker, maker))
    return refusal('WRONG_MAKER', 'order.maker must be the registered maker wallet')
  if (!isAddressEqual(order.taker, solver))
    return refusal('WRONG_TAKER', 'order.taker must be the solver wallet')
  if (!isAddressEqual(order.txOrigin, solver)) {
    return refusal('WRONG_TX_ORIGIN', 'order.txOrigin must be the solver wallet')
  }
  return null
}

function checkExpiry(order: RfqOrder, now: number): Refusal | null {
  const expiresAt = Number(order.expiry) * 1_000
  if (expiresAt < now + MINUTE_MS)
    return refusal('EXPIRES_TOO_SOON', 'expiry must be at least 60 seconds ahead')
  if (expiresAt > now + DAY_MS) return refusal('EXPIRES_TOO_LATE', 'expiry must be within 24 hours')
  return null
}
