import type { Ms } from '../../../../base/time.ts'
import type { Rate } from '../../../../base/money/rate.ts'
import type { RateLimit } from '../../api/rate-limit.ts'
import type { PartnerCapability } from '../options.ts'

/** The effects of the test mode's magic values. Source: contract, sandbox magic values. */
export type Fate = 'completes' | 'fails' | 'unconfirmed' | 'never'

/** Where a payment's money comes from: an account of the economy by its name, and whose it is. */
export type FundingSource = {
  /** `user:ID`, `treasury` or `float:ID`: what a quote is bound to. */
  readonly label: string
  readonly kind: 'user' | 'treasury' | 'float'
  /** The wallet's address in lower case, which is its account's name. */
  readonly account: string
}

/** The payee: a till, or a biller for one of its customers. */
export type SpendTarget =
  | { readonly kind: 'lipa'; readonly payNumber: string; readonly network: string | null }
  | { readonly kind: 'bill'; readonly utilityCode: string; readonly utilityRef: string }

export type SpendQuote = {
  readonly id: string
  readonly expiresAt: Ms
  /** Of the tariff that priced it. */
  readonly tariff: number
  readonly source: string
  /** The target as text, without the network, which may be named later. */
  readonly target: string
  readonly principalTzs: bigint
  readonly railFeeTzs: bigint
  readonly platformFeeTzs: bigint
}

export type EndUser = {
  readonly reference: string
  readonly name: string | null
  readonly phone: string | null
}

type Voucher = { readonly token: string; readonly units: string; readonly receipt: string }

export type Spend = {
  readonly id: string
  readonly source: FundingSource
  readonly target: SpendTarget
  readonly reference: string
  readonly recipientName: string | null
  readonly principalTzs: bigint
  readonly railFeeTzs: bigint
  readonly platformFeeTzs: bigint
  readonly endUser: EndUser | null
  readonly fate: Fate
  status: 'burned' | 'completed' | 'reverted'
  payoutStatus: 'pending' | 'completed' | 'reverted' | 'reconcile_required'
  railReceipt: string | null
  voucher: Voucher | null
}

/** The payee of an off-ramp: a phone, or a target of a spend. */
export type RampDestination = { readonly kind: 'phone'; readonly phone: string } | SpendTarget

export type RampQuote = {
  readonly id: string
  readonly expiresAt: Ms
  readonly direction: 'onramp' | 'offramp'
  readonly usdc: bigint
  readonly tzs: bigint
  readonly feeTzs: bigint
  readonly rate: Rate
  /** The phone that the quote was priced for; null = the execution names it. */
  readonly destination: SpendTarget | null
  /** The phone that the quote names; null = any. */
  readonly phone: string | null
  isUsed: boolean
}

export type Settlement = {
  readonly id: string
  readonly direction: 'onramp' | 'offramp'
  readonly createdAt: Ms
  readonly usdc: bigint
  readonly tzs: bigint
  readonly feeTzs: bigint
  /** The part of an off-ramp that was paid with the token of an earlier, returned one. */
  readonly fromTokenTzs: bigint
  readonly destination: RampDestination
  readonly recipientName: string | null
  /** The destination of an on-ramp's dollars; null for an off-ramp. */
  readonly destinationAddress: string | null
  status: 'completed' | 'paying_out' | 'minting' | 'failed' | 'reconcile_required'
  txHash: string | null
}

/** A float for a machine: a separate wallet of the partner with the venue's caps. */
type SubWallet = { readonly id: string; readonly address: string; readonly label: string }

/** A separate key for a machine, within its issuer's permissions. */
export type AgentCredential = {
  readonly key: string
  readonly capabilities: readonly PartnerCapability[]
  readonly expiresAt: Ms | null
  readonly perTransactionTzs: bigint | null
  readonly dailyTzs: bigint | null
  isRevoked: boolean
}

/** One payment from a capped account, or with a capped credential; the rolling sums add these. */
type Outgoing = { readonly at: Ms; readonly account: string; readonly tzs: bigint }

/** The payment sources of one key and its payments: bills and tills, the ramp, floats of agents. */
export type PartnerPayments = {
  readonly lookups: { readonly recipient: RateLimit; readonly merchant: RateLimit }
  readonly spendQuotes: Map<string, SpendQuote>
  readonly spends: Map<string, Spend>
  readonly rampQuotes: Map<string, RampQuote>
  /** Oldest first. */
  readonly settlements: Map<string, Settlement>
  readonly subWallets: Map<string, SubWallet>
  readonly agents: Map<string, AgentCredential>
  readonly outgoings: Outgoing[]
}

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
  /** The missing step while the identity is open. */
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
  /** Required fields of a bank transfer. */
  readonly reference: string | null
  status: 'submitted' | 'pending' | 'completed' | 'failed' | 'review'
  /** The amount that was paid and is held for review. */
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

/** The inputs of a payout's price: funding source, destination and amount as one text, equal for equal requests. */
export type WithdrawalQuote = {
  readonly wish: string
  readonly totalFeeTzs: bigint
  readonly expiresAt: Ms
}
