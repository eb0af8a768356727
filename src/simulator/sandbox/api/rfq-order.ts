import { isAddressEqual, type Address } from 'viem'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/time.ts'
import type { RfqOrder } from '../../../core/rfq/rfq-order.ts'
import { tokenAt } from '../market/tokens.ts'
import type { VenueState } from '../state.ts'
import { answer, type Handler, refusal, type SimulatedRefusal } from './request.ts'
import {
  type OrderOnChain,
  readRfqOrder,
  readRfqSignature,
  readSignatureShape,
  rfqOrderHash,
  type SignatureShape,
} from './signed-order.ts'

/** POST /rfq/orders: makes every check of the contract's table in a fixed order, with the chain's last. */
export const takeSignedOrder: Handler = (venue, { body, signer, onChain }) => {
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
  const signature = readSignatureShape(fields['signature'])
  if (signature === null || (onChain === undefined && readRfqSignature(signature) === null)) {
    return refusal('BAD_SIGNATURE', 'The signature is malformed')
  }
  if (onChain?.kind === 'bad-signature') {
    return refusal('BAD_SIGNATURE', 'The signature is rejected by the exchange contract')
  }
  if (onChain?.kind === 'unavailable') return CHAIN_UNAVAILABLE
  const signedBy = onChain === undefined ? signer : onChain.signer
  if (signedBy === undefined || signedBy === null || !isAddressEqual(signedBy as Address, order.maker)) {
    return refusal('BAD_SIGNATURE', 'The signature does not recover to the registered maker wallet')
  }
  return venue.faults.chainUnavailable ? CHAIN_UNAVAILABLE : accept(venue, order, signature, onChain ?? null)
}

const CHAIN_UNAVAILABLE = refusal('CHAIN_UNAVAILABLE', 'The chain cannot be read now; retry shortly')

/** Orders are dropped this long after they expired. */
const KEPT_MS = HOUR_MS

function accept(
  venue: VenueState,
  order: RfqOrder,
  signature: SignatureShape,
  onChain: (OrderOnChain & { readonly kind: 'read' }) | null,
) {
  const hash = onChain?.hash ?? rfqOrderHash(order, venue.options.rfq)
  const marked = venue.orderMarks.get(hash) ?? venue.orderMarks.get('*')
  const status = marked ?? onChain?.status ?? 'FILLABLE'
  if (status !== 'FILLABLE') {
    return refusal('ORDER_NOT_FILLABLE', `The exchange contract reports the order ${status}`, {
      orderStatus: status,
    })
  }
  for (const [old, { expiry }] of venue.orders) {
    if (expiry + KEPT_MS > venue.now) break
    venue.orders.delete(old)
  }
  venue.orders.set(hash, { hash, expiry: Number(order.expiry) * 1_000, at: venue.now, order, signature })
  return answer(200, { orderHash: hash, orderStatus: 'FILLABLE', expiry: order.expiry.toString() })
}

function checkTokens(order: RfqOrder): SimulatedRefusal | null {
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

function checkParties(order: RfqOrder, maker: Address, solver: Address): SimulatedRefusal | null {
  if (!isAddressEqual(order.maker, maker))
    return refusal('WRONG_MAKER', 'order.maker must be the registered maker wallet')
  if (!isAddressEqual(order.taker, solver))
    return refusal('WRONG_TAKER', 'order.taker must be the solver wallet')
  if (!isAddressEqual(order.txOrigin, solver)) {
    return refusal('WRONG_TX_ORIGIN', 'order.txOrigin must be the solver wallet')
  }
  return null
}

function checkExpiry(order: RfqOrder, now: number): SimulatedRefusal | null {
  const expiresAt = Number(order.expiry) * 1_000
  if (expiresAt < now + MINUTE_MS)
    return refusal('EXPIRES_TOO_SOON', 'expiry must be at least 60 seconds ahead')
  if (expiresAt > now + DAY_MS) return refusal('EXPIRES_TOO_LATE', 'expiry must be within 24 hours')
  return null
}
