import type { Hex } from './rfq-order.ts'

const STRUCTS = [
  'struct RfqOrder { address makerToken; address takerToken; uint128 makerAmount; uint128 takerAmount; address maker; address taker; address txOrigin; bytes32 pool; uint64 expiry; uint256 salt; }',
  'struct OrderInfo { bytes32 orderHash; uint8 status; uint128 takerTokenFilledAmount; }',
  'struct Signature { uint8 signatureType; uint8 v; bytes32 r; bytes32 s; }',
] as const

/**
 * The functions, events and errors of the exchange (0x protocol v4, native orders feature) that are used here, in
 * human-readable ABI. Its libraries throw the errors, which the published ABI lacks. Source: contracts-zero-ex 0.38.6.
 */
export const EXCHANGE_ABI = [
  ...STRUCTS,
  'function getFunctionImplementation(bytes4 selector) view returns (address impl)',
  'function getRfqOrderHash(RfqOrder order) view returns (bytes32 orderHash)',
  'function getRfqOrderInfo(RfqOrder order) view returns (OrderInfo orderInfo)',
  'function getRfqOrderRelevantState(RfqOrder order, Signature signature) view returns (OrderInfo orderInfo, uint128 actualFillableTakerTokenAmount, bool isSignatureValid)',
  'function batchGetRfqOrderRelevantStates(RfqOrder[] orders, Signature[] signatures) view returns (OrderInfo[] orderInfos, uint128[] actualFillableTakerTokenAmounts, bool[] isSignatureValids)',
  'function fillRfqOrder(RfqOrder order, Signature signature, uint128 takerTokenFillAmount) returns (uint128 takerTokenFilledAmount, uint128 makerTokenFilledAmount)',
  'function cancelRfqOrder(RfqOrder order)',
  'function batchCancelRfqOrders(RfqOrder[] orders)',
  'function cancelPairRfqOrders(address makerToken, address takerToken, uint256 minValidSalt)',
  'function registerAllowedRfqOrigins(address[] origins, bool allowed)',
  'event RfqOrderFilled(bytes32 orderHash, address maker, address taker, address makerToken, address takerToken, uint128 takerTokenFilledAmount, uint128 makerTokenFilledAmount, bytes32 pool)',
  'event OrderCancelled(bytes32 orderHash, address maker)',
  'event PairCancelledRfqOrders(address maker, address makerToken, address takerToken, uint256 minValidSalt)',
  'error OrderNotFillableError(bytes32 orderHash, uint8 orderStatus)',
  'error OrderNotFillableByOriginError(bytes32 orderHash, address txOrigin, address orderTxOrigin)',
  'error OrderNotFillableByTakerError(bytes32 orderHash, address taker, address orderTaker)',
  'error OrderNotSignedByMakerError(bytes32 orderHash, address signer, address maker)',
  'error OnlyOrderMakerAllowed(bytes32 orderHash, address sender, address maker)',
  'error CancelSaltTooLowError(uint256 minValidSalt, uint256 oldMinValidSalt)',
  'error SignatureValidationError(uint8 code, bytes32 hash, address signerAddress, bytes signature)',
] as const

/** The EIP-712 domain of the exchange: a signature is valid for this contract on this chain only. */
export function exchangeTypedDomain(chainId: number, exchange: Hex) {
  return { name: 'ZeroEx', version: '1.0.0', chainId, verifyingContract: exchange } as const
}

/** The fields of the struct in hashing order. Source: contracts-zero-ex 0.38.6, LibNativeOrder. */
export const RFQ_ORDER_TYPES = {
  RfqOrder: [
    { name: 'makerToken', type: 'address' },
    { name: 'takerToken', type: 'address' },
    { name: 'makerAmount', type: 'uint128' },
    { name: 'takerAmount', type: 'uint128' },
    { name: 'maker', type: 'address' },
    { name: 'taker', type: 'address' },
    { name: 'txOrigin', type: 'address' },
    { name: 'pool', type: 'bytes32' },
    { name: 'expiry', type: 'uint64' },
    { name: 'salt', type: 'uint256' },
  ],
} as const
