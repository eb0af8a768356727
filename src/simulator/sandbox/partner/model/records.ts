import type { Ms } from '../../../../base/time.ts'
import type { EndUser, FundingSource } from './payments.ts'

/** A user's identity as the venue has it. Source: contract, KYC status of a user. */
type KycStatus = 'approved' | 'pending_review' | 'rejected' | 'none'

export type PartnerUser = {
  readonly id: string
  readonly externalId: string
  readonly email: string
  readonly createdAt: Ms
  name: string | null
  phone: string | null
  country: string
  nidaNumber: string | null
  kycStatus: KycStatus
  /** What the venue waits for while the identity is open. */
  nextStep: 'kyc_session' | 'kyc_attestation' | 'compliance_review' | null
  caseId: string
  /** Null until the identity is verified. */
  walletAddress: string | null
  isFrozen: boolean
}

export type PaymentMethod = 'mobile_money' | 'card' | 'bank_transfer' | 'lipa_namba'

/** One payment into a wallet. Amounts are whole shillings. */
export type PartnerDeposit = {
  readonly id: string
  readonly createdAt: Ms
  readonly method: PaymentMethod
  readonly amountTzs: bigint
  /** Null for the platform wallet. */
  readonly userId: string | null
  readonly walletAddress: string
  readonly endUser: EndUser | null
  /** The payer of mobile money and of a till number. */
  readonly phone: string | null
  /** What a bank transfer must carry. */
  readonly reference: string | null
  status: 'submitted' | 'pending' | 'completed' | 'failed' | 'review'
  /** What has been paid and is held for review. */
  heldTzs: bigint
  txHash: string | null
}

export type PayoutDestination =
  | { readonly rail: 'phone'; readonly phone: string }
  | { readonly rail: 'bank'; readonly bankCode: string; readonly accountNumber: string }

/** One payout. Amounts are whole shillings. */
export type PartnerWithdrawal = {
  readonly id: string
  readonly createdAt: Ms
  readonly source: FundingSource
  readonly destination: PayoutDestination
  /** Net to the recipient. */
  readonly receiveTzs: bigint
  readonly totalFeeTzs: bigint
  readonly burnTzs: bigint
  readonly endUser: EndUser | null
  readonly reference: string
  status: 'requested' | 'burned' | 'paid' | 'pending' | 'failed' | 'reverted'
  payoutStatus: 'pending' | 'completed' | 'reverted' | 'reconcile_required'
  receipt: string | null
  error: string | null
}

/** What a payout was priced for: funding source, destination and amount as one text, equal for an equal wish. */
export type WithdrawalQuote = {
  readonly wish: string
  readonly totalFeeTzs: bigint
  readonly expiresAt: Ms
}
