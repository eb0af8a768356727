import type { Ms } from '../../../../base/time.ts'
import type { Rate } from '../../../../base/money/rate.ts'
import type { RateLimit } from '../../api/rate-limit.ts'
import type { PartnerCapability } from '../options.ts'

/** What the magic values of the test mode bring about. Source: contract, sandbox magic values. */
export type Fate = 'completes' | 'fails' | 'unconfirmed' | 'never'

/** Where a payment's money comes from: an account of the economy by its name, and whose it is. */
export type FundingSource = {
  /** `user:ID`, `treasury` or `float:ID`: what a quote is bound to. */
  readonly label: string
  readonly kind: 'user' | 'treasury' | 'float'
  /** The wallet's address in lower case, which is its account's name. */
  readonly account: string
}

/** Who is paid: a till, or a biller for one of its customers. */
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

/** Who gets the shillings of an off-ramp: a phone, or what a spend could pay. */
export type RampDestination = { readonly kind: 'phone'; readonly phone: string } | SpendTarget

export type RampQuote = {
  readonly id: string
  readonly expiresAt: Ms
  readonly direction: 'onramp' | 'offramp'
  readonly usdc: bigint
  readonly tzs: bigint
  readonly feeTzs: bigint
  readonly rate: Rate
  /** What the quote was priced for; null = a phone that the execution names. */
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
  /** What of an off-ramp was paid with the token that an earlier one had returned. */
  readonly fromTokenTzs: bigint
  readonly destination: RampDestination
  readonly recipientName: string | null
  /** Where an on-ramp sends its dollars; null for an off-ramp. */
  readonly destinationAddress: string | null
  status: 'completed' | 'paying_out' | 'minting' | 'failed' | 'reconcile_required'
  txHash: string | null
}

/** A float for a machine: a wallet of the partner's own with the venue's caps on it. */
type SubWallet = { readonly id: string; readonly address: string; readonly label: string }

/** A key of its own for a machine, within what its issuer may do. */
export type AgentCredential = {
  readonly key: string
  readonly capabilities: readonly PartnerCapability[]
  readonly expiresAt: Ms | null
  readonly perTransactionTzs: bigint | null
  readonly dailyTzs: bigint | null
  isRevoked: boolean
}

/** One payment out of a capped account, or with a capped credential: what the rolling sums are made of. */
type Outgoing = { readonly at: Ms; readonly account: string; readonly tzs: bigint }

/** What one key pays with and has paid: bills and tills, the ramp, floats of agents. */
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
