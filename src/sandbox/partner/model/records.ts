import type { Ms } from '../../../base/time.ts'

/** A user's identity as the venue has it. Source: contract, KYC status of a user. */
export type KycStatus = 'approved' | 'pending_review' | 'rejected' | 'none'

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
