import type { Ms } from '../../../../base/time.ts'

/** A business that is paid through its handle. */
export type Merchant = {
  readonly id: string
  /** The key that activated it; null for the samples of the simulated venue. */
  readonly partnerKey: string | null
  readonly userId: string | null
  readonly email: string
  readonly businessName: string
  /** Public and unique on the whole platform. */
  readonly handle: string
  readonly walletAddress: string
  /** The owner's wallet; null = no owner. */
  readonly ownerAddress: string | null
  readonly links: Map<string, PaymentLink>
  /** Oldest first. */
  readonly collections: Collection[]
  readonly facilityTzs: bigint
  readonly usedTransferKeys: Set<string>
  isAvailable: boolean
  settlementPhone: string
  autoSettlePercent: number
  /** The part of the loan that sales have not repaid; while it is positive, the lender holds the controls. */
  drawnTzs: bigint
  transferUntil: Ms
}

export type PaymentLink = {
  readonly id: string
  readonly amountTzs: bigint | null
  readonly label: string
  readonly createdAt: Ms
}

/** A sale: paid from a balance of this platform, or from a phone. */
export type Collection = {
  readonly id: string
  readonly paymentId: string
  readonly amountTzs: bigint
  readonly paymentMethod: 'mobile_money' | 'svc_balance'
  readonly payerName: string | null
  readonly payerPhone: string | null
  readonly payerUserId: string | null
  readonly externalReference: string | null
  readonly linkId: string | null
  readonly createdAt: Ms
  txHash: string | null
  status: 'pending' | 'success' | 'failed'
}

/** Everything of the merchant product, shared by all keys: a handle is known to every payer. */
export type Commerce = {
  readonly merchants: Map<string, Merchant>
  /** Sales of test keys and live keys by the id that a payer polls. */
  readonly sales: Map<string, Collection>
}
